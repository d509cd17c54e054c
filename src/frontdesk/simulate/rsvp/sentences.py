"""Parses the sentences of an event's timeline: 'Ann cancels', 'Bob claims'."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_instant
from frontdesk.simulate.rsvp import scenario as s
from frontdesk.simulate.sentences import BadSentence, read_span

MOST_PEOPLE: Final = 5_000


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


#: The sentences, and the action of each.
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
