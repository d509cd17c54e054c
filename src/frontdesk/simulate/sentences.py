"""Parses the time of a step: '-1d 21:30 …', 'after 20m …', 'at once …'."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall


class BadSentence(ValueError):
    """The sentence cannot be parsed; the text says what is allowed."""


def read_span(text: str) -> timedelta:
    """Parses '20m', '6h', '1h30m', '2d' or '90s'."""
    found = _SPAN.fullmatch(text.replace(" ", ""))
    if not text or found is None:
        raise BadSentence(f"{text!r} is no span of time; write 20m, 6h, 1h30m or 2d")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


_SPAN: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s)?")


def read_moment(text: str, starts_at: datetime, tz: ZoneInfo) -> datetime:
    """Parses '-1d 21:30': a wall time, so many days before or after the day of the event."""
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
    """Returns the time of a step and the rest of its sentence; `before` is the last step's end."""
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
