"""Parses the sentences of timelines, and the values in scenarios: times, days, spans, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from re import Match
from typing import Final, Generic, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.simulate.scenario import (
    Crashes,
    FactsRepeat,
    MailBounces,
    MailFails,
    ScenarioAction,
    StaysSilent,
)

Context = TypeVar("Context")


class BadSentence(ValueError):
    """The sentence cannot be parsed; the text says why."""


class Sentences(Generic[Context]):
    """The sentences of a desk's timeline, each with a function that makes its action.

    In a sentence WHO is a name and TIME a wall time. The sentences of all desks come last.
    """

    def __init__(
        self, *sentences: tuple[str, Callable[[Match[str], Context], ScenarioAction]]
    ) -> None:
        self._sentences = [(_pattern(text), make) for text, make in sentences]

    def read(self, text: str, context: Context) -> ScenarioAction:
        for pattern, make in self._sentences:
            if found := pattern.fullmatch(text):
                return make(found, context)
        for pattern, make_any in _OF_ALL_DESKS:
            if found := pattern.fullmatch(text):
                return make_any(found)
        raise BadSentence(f"{text!r} is not a sentence of a timeline")


def _pattern(text: str) -> re.Pattern[str]:
    who, clock = r"([^\W\d_][\w’'. -]{0,60}?)", r"(\d{1,2}:\d{2})"
    return re.compile(text.replace("WHO", who).replace("TIME", clock))


_OF_ALL_DESKS: Final[tuple[tuple[re.Pattern[str], Callable[[Match[str]], ScenarioAction]], ...]] = (
    (_pattern("the mail server goes down"), lambda _: MailFails(down=True)),
    (_pattern("the mail server comes back"), lambda _: MailFails(down=False)),
    (_pattern("mail to WHO bounces"), lambda found: MailBounces(found[1])),
    (_pattern("the process crashes"), lambda _: Crashes()),
    (_pattern("everything is delivered again"), lambda _: FactsRepeat()),
    (_pattern("WHO (?:stays|is) silent"), lambda found: StaysSilent(found[1])),
)


def read_span(text: str) -> timedelta:
    """Parses '20m', '6h', '1h30m', '2d' or '90s'."""
    found = _SPAN.fullmatch(text.replace(" ", ""))
    if not text or found is None:
        raise BadSentence(f"{text!r} is not a duration; write 20m, 6h, 1h30m or 2d")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


_SPAN: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s)?")


def read_moment(text: str, near: datetime, tz: ZoneInfo) -> datetime:
    """Parses '-1d 21:30': a wall time some days before or after the day of `near`."""
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        raise BadSentence(f"{text!r} is not a time; write -1d 21:30, 0d 08:00 or +1d 10:00")
    days, hour, minute, second = (int(part or 0) for part in found.groups())
    if hour > 23 or minute > 59 or second > 59:
        raise BadSentence(f"there is no time {text.split()[-1]}")
    on = to_wall(near, tz).date() + timedelta(days=days)
    return same_wall_time(on, time(hour, minute, second), tz)


_MOMENT: Final = re.compile(r"([+-]?\d{1,3})d\s+(\d{1,2}):(\d{2})(?::(\d{2}))?")


def read_when(text: str, before: datetime, near: datetime, tz: ZoneInfo) -> tuple[datetime, str]:
    """Returns the time of a step and the rest of its sentence; `before` is the last step's end."""
    if found := _AFTER.match(text):
        return before + read_span(found[1]), found[2]
    if found := _AT_ONCE.match(text):
        return before, found[1]
    if found := _AT.match(text):
        return read_moment(found[1], near, tz), found[2]
    raise BadSentence("a step begins with a time: -1d 21:30, 'after 20m' or 'at once'")


_AFTER: Final = re.compile(r"after\s+(\d[\dhmsd]*)\s+(.+)")
_AT_ONCE: Final = re.compile(r"at once\s+(.+)")
_AT: Final = re.compile(r"([+-]?\d+d\s+\d{1,2}:\d{2}(?::\d{2})?)\s+(.+)")


def read_day(text: str, on: date) -> date:
    """Parses a day: '0d' is the day itself, '-1d' the one before."""
    found = re.fullmatch(r"([+-]?\d{1,3})d", text.strip())
    if found is None:
        raise BadSentence(f"{text!r} is not a day; write 0d, -1d or +6d")
    return on + timedelta(days=int(found[1]))


def read_days(text: str, on: date) -> tuple[date, date]:
    """Parses '0d to 6d'."""
    first, to, last = text.partition(" to ")
    if not to:
        raise BadSentence(f"{text!r} are not days; write 0d to 6d")
    earliest_on, latest_on = read_day(first, on), read_day(last, on)
    if latest_on < earliest_on:
        raise BadSentence(f"{text!r} ends before it begins")
    return earliest_on, latest_on


def read_clock(text: str) -> time:
    """Parses a wall time, '14:00'."""
    hour, minute = map(int, text.split(":"))
    if hour > 23 or minute > 59:
        raise BadSentence(f"there is no time {text}")
    return time(hour, minute)


def read_number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not least <= int(text) <= most:
        raise ValueError(f"{text!r} is not a number from {least} to {most:,}")
    return int(text)


def read_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a day; write 2026-11-28") from None


def read_wall(text: str) -> datetime:
    """Parses '2026-11-28 15:00', a wall time."""
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        raise BadSentence(f"{text!r} is not a date and time; write 2026-11-28 15:00") from None
    if wall.tzinfo is not None:
        raise BadSentence("times are local and have no zone")
    return wall


def read_yes(text: str) -> bool:
    if text not in ("yes", "no", "true", "false"):
        raise ValueError(f"write yes or no, not {text!r}")
    return text in ("yes", "true")
