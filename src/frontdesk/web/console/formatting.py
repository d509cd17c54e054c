"""Formats states, days and times for the console."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import ENGLISH, to_wall
from frontdesk.values import Frozen


class Chip(Frozen):
    """A state in a word. `state` is good, waiting, ending, gone or neutral; `note` says more."""

    word: str
    state: str = "neutral"
    note: str = ""


def badge_number(n: int, most: int) -> str:
    """'7'; '50+' for `most` or more; empty for none."""
    return f"{most}+" if n >= most else str(n or "")


def short_date(on: date) -> str:
    """'Mon 16 Nov'."""
    return f"{ENGLISH.weekdays[on.weekday()][:3]} {on.day} {ENGLISH.months[on.month - 1][:3]}"


def short_time(at: datetime | None, tz: ZoneInfo) -> str:
    """'Mon 16 Nov, 09:00'; empty for no time."""
    if at is None:
        return ""
    wall = to_wall(at, tz)
    return f"{short_date(wall.date())}, {wall:%H:%M}"


def exact_time(at: datetime, tz: ZoneInfo) -> str:
    """'Mon 16 Nov, 15:04:09'."""
    wall = to_wall(at, tz)
    return f"{short_date(wall.date())}, {wall:%H:%M:%S}"


def date_and_time(at: datetime, tz: ZoneInfo) -> str:
    """'20 Nov 2026, 09:00'."""
    wall = to_wall(at, tz)
    return f"{wall.day} {ENGLISH.months[wall.month - 1][:3]} {wall.year}, {wall:%H:%M}"


def relative_time(at: datetime, now: datetime, tz: ZoneInfo) -> str:
    """'today, 09:00', 'Fri 5 Mar, 09:00', or 'Fri 5 Mar 2025, 09:00' in another year."""
    wall, today = to_wall(at, tz), to_wall(now, tz)
    if wall.date() == today.date():
        return f"today, {wall:%H:%M}"
    year = "" if wall.year == today.year else f" {wall.year}"
    return f"{short_date(wall.date())}{year}, {wall:%H:%M}"
