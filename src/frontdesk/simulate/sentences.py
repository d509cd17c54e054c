"""The sentences of a timeline: '-1d 21:30 Ann cancels', 'after 20m Bob claims'."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_instant, to_wall
from frontdesk.simulate import scenario as s

MOST_PEOPLE: Final = 5_000


class BadSentence(ValueError):
    """This cannot be read; the text says what could be."""


def read_span(text: str) -> timedelta:
    """'20m', '6h', '1h30m', '2d', '90s'."""
    found = _SPAN.fullmatch(text.replace(" ", ""))
    if not text or found is None:
        raise BadSentence(f"{text!r} is no span of time; write 20m, 6h, 1h30m or 2d")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


_SPAN: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s)?")


def read_moment(text: str, starts_at: datetime, tz: ZoneInfo) -> datetime:
    """'-1d 21:30': that wall time, so many days before (or after) the day of the event."""
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        raise BadSentence(f"{text!r} is no moment; write -1d 21:30, 0d 08:00 or +1d 10:00")
    days, hour, minute, second = (int(part or 0) for part in found.groups())
    if hour > 23 or minute > 59 or second > 59:
        raise BadSentence(f"there is no time {text.split()[-1]}")
    on = to_wall(starts_at, tz).date() + timedelta(days=days)
    return same_wall_time(on, time(hour, minute, second), tz)


_MOMENT: Final = re.compile(r"([+-]?\d{1,3})d\s+(\d{1,2}):(\d{2})(?::(\d{2}))?")


def read_when(
    text: str, before: datetime, starts_at: datetime, tz: ZoneInfo
) -> tuple[datetime, str]:
    """When a step happens, and the rest of its sentence. `before` is when the last one ended."""
    if found := _AFTER.match(text):
        return before + read_span(found[1]), found[2]
    if found := _AT_ONCE.match(text):
        return before, found[1]
    if found := _AT.match(text):
        return read_moment(found[1], starts_at, tz), found[2]
    raise BadSentence("a step begins with a time: -1d 21:30, 'after 20m' or 'at once'")


_AFTER: Final = re.compile(r"after\s+(\d[\dhmsd]*)\s+(.+)")
_AT_ONCE: Final = re.compile(r"at once\s+(.+)")
_AT: Final = re.compile(r"([+-]?\d+d\s+\d{1,2}:\d{2}(?::\d{2})?)\s+(.+)")


def read_deed(text: str, tz: ZoneInfo) -> s.Deed:
    for pattern, make in _DEEDS:
        if found := pattern.fullmatch(text):
            return make(found, tz)
    raise BadSentence(f"{text!r} is nothing that can happen here")


_Make = Callable[[re.Match[str], ZoneInfo], s.Deed]


def _people(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_PEOPLE:
        raise BadSentence(f"1 to {MOST_PEOPLE:,} people can do that, not {number:,}")
    return number


def _party(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 100:
        raise BadSentence(f"a party has 1 to 100 people, not {number}")
    return number


def _start(found: re.Match[str], tz: ZoneInfo) -> s.Deed:
    try:
        wall = datetime.fromisoformat(found[1].strip())
    except ValueError:
        raise BadSentence(f"{found[1]!r} is no date and time; write 2026-11-28 15:00") from None
    if wall.tzinfo is not None:
        raise BadSentence("times are local to the event and have no zone")
    return s.HostMoves(to_instant(wall, tz))


def _over(found: re.Match[str], _tz: ZoneInfo) -> s.Deed:
    return s.CrowdSignsUp(_people(found[1]), read_span(found[2]) if found[2] else timedelta())


def _deed(pattern: str, make: _Make) -> tuple[re.Pattern[str], _Make]:
    return re.compile(pattern.replace("WHO", r"([^\W\d_][\w’'. -]{0,60}?)")), make


#: Each sentence that is understood, and what it means.
_DEEDS: Final = (
    _deed(r"(\d+) people sign up(?: over (\S+))?", _over),
    _deed(r"(\d+) (?:guests?|people) cancel", lambda m, _: s.SomeCancel(_people(m[1]))),
    _deed(r"the host sets (\d+) seats?", lambda m, _: s.HostSetsSeats(int(m[1]))),
    _deed(r"the host calls it off(?:: (.+))?", lambda m, _: s.HostCallsOff(m[1] or "")),
    _deed(r"the host moves it to (.+)", _start),
    _deed(r"the host invites WHO", lambda m, _: s.HostInvites(m[1])),
    _deed(r"the mail server goes down", lambda _m, _: s.MailServerFails(down=True)),
    _deed(r"the mail server comes back", lambda _m, _: s.MailServerFails(down=False)),
    _deed(r"mail to WHO bounces", lambda m, _: s.MailBounces(m[1])),
    _deed(r"the process crashes", lambda _m, _: s.Crashes()),
    _deed(r"everything is delivered again", lambda _m, _: s.EverythingAgain()),
    _deed(r"everybody with an offer claims", lambda _m, _: s.EverybodyClaims()),
    _deed(r"WHO signs up with (\d+) others?", lambda m, _: s.SignsUp(m[1], 1 + _party(m[2]))),
    _deed(r"WHO signs up", lambda m, _: s.SignsUp(m[1])),
    _deed(r"WHO comes as a party of (\d+)", lambda m, _: s.ComesWithFewer(m[1], _party(m[2]))),
    _deed(r"WHO says yes", lambda m, _: s.SaysYes(m[1])),
    _deed(r"WHO cancels", lambda m, _: s.Cancels(m[1])),
    _deed(r"WHO claims", lambda m, _: s.Claims(m[1])),
    _deed(r"WHO declines", lambda m, _: s.Declines(m[1])),
    _deed(r"WHO (?:stays|is) silent", lambda m, _: s.StaysSilent(m[1])),
)
