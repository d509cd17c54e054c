"""The reminder rules that a host can set, and the instant at which each is due."""

import re
from datetime import datetime, time, timedelta
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall, wall_days_before
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.values import Frozen

MOST_DAYS: Final = 365
MOST_HOURS: Final = 999


class BadReminderTimes(ValueError):
    """This is not a reminder rule. The text says why; it is for the person."""


class DaysBefore(Frozen):
    """At the same wall time as the start, some days earlier."""

    days: int

    def __post_init__(self) -> None:
        if not 1 <= self.days <= MOST_DAYS:
            raise BadReminderTimes(
                f"a reminder can go out 1 to {MOST_DAYS} days before, not {self.days}"
            )

    @property
    def name(self) -> str:
        return f"{self.days}d"

    def __str__(self) -> str:
        return self.name


class HoursBefore(Frozen):
    hours: int

    def __post_init__(self) -> None:
        if not 1 <= self.hours <= MOST_HOURS:
            raise BadReminderTimes(
                f"a reminder can go out 1 to {MOST_HOURS} hours before, not {self.hours}"
            )

    @property
    def name(self) -> str:
        return f"{self.hours}h"

    def __str__(self) -> str:
        return self.name


class MorningOf(Frozen):
    """On the day of the start, at this wall time."""

    at: time

    def __post_init__(self) -> None:
        if self.at != time(self.at.hour, self.at.minute):
            raise BadReminderTimes(
                f"a morning reminder has a local time in whole minutes, not {self.at}"
            )

    @property
    def name(self) -> str:
        return "morning"

    def __str__(self) -> str:
        return f"morning {self.at.hour:02}:{self.at.minute:02}"


ReminderRule = DaysBefore | HoursBefore | MorningOf

#: EV-02.
DEFAULT_RULES: Final[tuple[ReminderRule, ...]] = (
    DaysBefore(7),
    DaysBefore(1),
    MorningOf(time(9)),
)

_BEFORE: Final = re.compile(r"([0-9]{1,4}) ?([dh])")
_MORNING: Final = re.compile(r"morning ([0-9]{1,2}):([0-9]{2})")


def parse_rule(text: str) -> ReminderRule:
    """Parses the text that `str(rule)` writes: '7d', '2h', 'morning 09:00'."""
    tidy = " ".join(text[:80].lower().split())
    if before := _BEFORE.fullmatch(tidy):
        amount = int(before[1])
        return DaysBefore(amount) if before[2] == "d" else HoursBefore(amount)
    if morning := _MORNING.fullmatch(tidy):
        hour, minute = int(morning[1]), int(morning[2])
        if hour > 23 or minute > 59:
            raise BadReminderTimes(
                f"there is no time {morning[1]}:{morning[2]}; write it like 09:00"
            )
        return MorningOf(time(hour, minute))
    raise BadReminderTimes(
        f"{text[:40]!r} is not a reminder; write it like 7d, 2h or morning 09:00"
    )


def due_at(
    rule: ReminderRule, start_at: datetime, tz: ZoneInfo, quiet: QuietHours, now: datetime
) -> datetime | None:
    """Returns the instant to remind at, outside quiet hours; None if past or after the start."""
    due = quiet.next_allowed(_wished_at(rule, start_at, tz), tz)
    return due if now < due < start_at else None


def _wished_at(rule: ReminderRule, start_at: datetime, tz: ZoneInfo) -> datetime:
    match rule:
        case DaysBefore(days):
            return wall_days_before(start_at, days, tz)
        case HoursBefore(hours):
            return start_at - timedelta(hours=hours)
        case MorningOf(at):
            return same_wall_time(to_wall(start_at, tz).date(), at, tz)
        case _:
            assert_never(rule)
