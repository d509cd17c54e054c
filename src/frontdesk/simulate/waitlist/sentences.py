"""Parses the sentences of a waitlist's timeline: 'Colour at 14:00 is cancelled', 'Ann claims'."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.simulate.sentences import BadSentence
from frontdesk.simulate.waitlist import scenario as s
from frontdesk.values import Frozen

MOST_PLACES: Final = 100
LAST_DAY: Final = timedelta(days=30)


class Around(Frozen):
    """The context for parsing a sentence."""

    on: date
    """The day from which `1d` counts."""
    at: datetime
    """The time of the step."""
    tz: ZoneInfo
    catalogue: Catalogue

    @property
    def today(self) -> date:
        return to_wall(self.at, self.tz).date()


def read_deed(text: str, around: Around) -> s.Deed:
    for pattern, make in _DEEDS:
        if found := pattern.fullmatch(text):
            return make(found, around)
    raise BadSentence(f"{text!r} is nothing that can happen here")


def read_day(text: str, on: date) -> date:
    """Parses a day: '0d' is the day itself, '-1d' the one before."""
    found = re.fullmatch(r"([+-]?\d{1,3})d", text.strip())
    if found is None:
        raise BadSentence(f"{text!r} is no day; write 0d, -1d or +6d")
    return on + timedelta(days=int(found[1]))


def read_days(text: str, on: date) -> tuple[date, date]:
    """Parses '0d to 6d'."""
    first, to, last = text.partition(" to ")
    if not to:
        raise BadSentence(f"{text!r} are no days; write 0d to 6d")
    earliest_on, latest_on = read_day(first, on), read_day(last, on)
    if latest_on < earliest_on:
        raise BadSentence(f"{text!r} ends before it begins")
    return earliest_on, latest_on


def read_service(text: str, catalogue: Catalogue) -> str:
    found = catalogue.service(text)
    if found is None:
        known = ", ".join(one.name for one in catalogue.services)
        raise BadSentence(f"there is no service {text}; there are {known}")
    return found.name


def read_staff(text: str | None, catalogue: Catalogue) -> str:
    """Returns the member of staff; empty if none is named."""
    found = catalogue.member(text) if text else ""
    if found is None:
        raise BadSentence(
            f"nobody called {text} works here; there are {', '.join(catalogue.staff)}"
        )
    return found


_Make = Callable[[re.Match[str], Around], s.Deed]
_CAUSES: Final = {
    "is cancelled": s.Cause.CANCELLED,
    "is missed": s.Cause.MISSED,
    "opens up": s.Cause.NEW,
}


def _comes_free(found: re.Match[str], around: Around) -> s.Deed:
    service, places, day, clock, staff, how = found.groups()
    on = read_day(day, around.on) if day else around.today
    if not 1 <= int(places or 1) <= MOST_PLACES:
        raise BadSentence(f"a slot has 1 to {MOST_PLACES} places, not {places}")
    return s.ComesFree(
        read_service(service, around.catalogue),
        same_wall_time(on, _clock(clock), around.tz),
        read_staff(staff, around.catalogue),
        int(places or 1),
        _CAUSES[how],
    )


def _clock(text: str) -> time:
    hour, minute = map(int, text.split(":"))
    if hour > 23 or minute > 59:
        raise BadSentence(f"there is no time {text}")
    return time(hour, minute)


def _start(text: str | None) -> str:
    """Returns the wall time as HH:MM."""
    return f"{_clock(text):%H:%M}" if text else ""


def _joins(found: re.Match[str], around: Around) -> s.Deed:
    who, service, party, staff, mail = found.groups()
    guest = s.Guest(
        who,
        read_service(service, around.catalogue),
        around.today,
        around.today + LAST_DAY,
        read_staff(staff, around.catalogue),
        int(party or 1),
        by_text=not mail,
    )
    return s.Joins(guest)


def _dates(found: re.Match[str], around: Around) -> s.Deed:
    return s.ChangesDates(found[1], *read_days(found[2], around.on))


def _declines(found: re.Match[str], _: Around) -> s.Deed:
    return s.Declines(found[1], _start(found[2]), leave=bool(found[3]))


def _deed(pattern: str, make: _Make) -> tuple[re.Pattern[str], _Make]:
    who = r"([^\W\d_][\w’'. -]{0,60}?)"
    clock = r"(\d{1,2}:\d{2})"
    return re.compile(pattern.replace("WHO", who).replace("TIME", clock)), make


#: The sentences, and the action of each.
_DEEDS: Final = (
    _deed(
        r"(\S.*?)(?: for (\d{1,4}))? at (?:([+-]?\d{1,3}d) )?TIME(?: with WHO)?"
        r" (is cancelled|is missed|opens up)",
        _comes_free,
    ),
    _deed(r"staff take back the TIME", lambda m, _: s.TakesBack(_start(m[1]))),
    _deed(r"the mail server goes down", lambda _m, _: s.Fails(texts=False, down=True)),
    _deed(r"the mail server comes back", lambda _m, _: s.Fails(texts=False, down=False)),
    _deed(r"the phone network goes down", lambda _m, _: s.Fails(texts=True, down=True)),
    _deed(r"the phone network comes back", lambda _m, _: s.Fails(texts=True, down=False)),
    _deed(r"mail to WHO bounces", lambda m, _: s.Refuses(m[1], texts=False)),
    _deed(r"texts to WHO are refused", lambda m, _: s.Refuses(m[1], texts=True)),
    _deed(r"texts to WHO get lost", lambda m, _: s.Loses(m[1])),
    _deed(r"the process crashes while texting WHO", lambda m, _: s.CrashesTexting(m[1])),
    _deed(r"the process crashes", lambda _m, _: s.Crashes()),
    _deed(r"everything is delivered again", lambda _m, _: s.EverythingAgain()),
    _deed(r"WHO joins for (.+?)(?: as a party of (\d{1,3}))?(?: with WHO)?( by mail)?", _joins),
    _deed(r"WHO can come from (.+)", _dates),
    _deed(r"WHO declines(?: the TIME)?( and leaves the list)?", _declines),
    _deed(r"WHO leaves the list", lambda m, _: s.Leaves(m[1])),
    _deed(r"WHO texts (.+)", lambda m, _: s.Texts(m[1], m[2])),
    _deed(r"WHO claims(?: the TIME)?", lambda m, _: s.Claims(m[1], _start(m[2]))),
    _deed(r"WHO (?:stays|is) silent", lambda m, _: s.StaysSilent(m[1])),
)
