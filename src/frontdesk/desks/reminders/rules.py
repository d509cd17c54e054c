"""The rules of reminders as values: schedules, quiet hours, holidays, staff hours, least gaps."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import wall_days_before
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, QuietHours
from frontdesk.values import Frozen

MOST_REMINDERS: Final = 3
SHORTEST_BEFORE: Final = timedelta(minutes=30)
LONGEST_BEFORE: Final = timedelta(days=60)
_BEFORE: Final = re.compile(r"([0-9]{1,4}) ?(d|days?|h|hours?|m|min|minutes?)")
_UNITS: Final = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}


class BadSpan(ValueError):
    """The text is not a time before an appointment. The message explains why, for the person who
    wrote it."""


class LeadTime(Frozen):
    """A time before the start: whole days at the same wall time, then minutes."""

    days: int = 0
    minutes: int = 0

    @property
    def length(self) -> timedelta:
        return timedelta(days=self.days, minutes=self.minutes)

    def at(self, starts_at: datetime, tz: ZoneInfo) -> datetime:
        day = wall_days_before(starts_at, self.days, tz) if self.days else starts_at
        return day - timedelta(minutes=self.minutes)

    def __str__(self) -> str:
        hours, minutes = divmod(self.minutes, 60)
        if self.days or not self.minutes:
            return f"{self.days}d"
        return f"{self.minutes}m" if minutes else f"{hours}h"


def parse_before(text: str) -> LeadTime:
    """Parses '3d', '1 day', '3h', '90 minutes'. Raises `BadSpan`."""
    found = _BEFORE.fullmatch(" ".join(text[:40].lower().split()))
    if found is None:
        raise BadSpan(f"{text[:40]!r} is not a time; write it like 3d, 3h or 90m")
    unit, amount = found[2][0], int(found[1])
    length = amount * _UNITS[unit]
    if not SHORTEST_BEFORE <= length <= LONGEST_BEFORE:
        raise BadSpan(f"{text[:40]!r} is not from 30 minutes to 60 days")
    return LeadTime(days=amount) if unit == "d" else LeadTime(minutes=length // _UNITS["m"])


class StaffHours(Frozen):
    """The hours in which staff can act on an alert, in wall time."""

    start: time = time(9)
    end: time = time(18)
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """Weekdays, Monday being 0."""


class Schedule(Frozen):
    """The times before an appointment at which something is due."""

    reminders: tuple[LeadTime, ...] = (LeadTime(days=3), LeadTime(days=1))
    after_no_show: LeadTime | None = LeadTime(minutes=180)
    """An additional reminder for people who have missed a visit."""
    alert: LeadTime = LeadTime(minutes=240)
    """How long before the start staff are alerted to an unanswered appointment."""
    confirm_by: LeadTime | None = None
    """How long before the start staff can release an unanswered appointment."""
    cut_off: timedelta = timedelta()
    """How long before the start customers can still cancel and move."""


class ServiceSchedule(Frozen):
    service: str
    schedule: Schedule


class ReminderRules(Frozen):
    zone: str = "UTC"
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    country: str = ""
    """The two-letter code of the country whose public holidays count; empty for none."""
    region: str = ""
    """A region of the country with holidays of its own, such as 'BY' for Bavaria."""
    own_days: tuple[date, ...] = ()
    """The business's own days without messages."""
    staff_hours: StaffHours = StaffHours()
    least_gap: timedelta = timedelta(hours=4)
    """The shortest time between two reminders to one person."""
    after_booking: timedelta = timedelta(hours=12)
    """The shortest time between the booking and the first reminder."""
    usual: Schedule = Schedule()
    services: tuple[ServiceSchedule, ...] = ()
    """Services with a schedule of their own."""

    def schedule(self, service: str) -> Schedule:
        wanted = service.strip().casefold()
        return next(
            (one.schedule for one in self.services if one.service.casefold() == wanted),
            self.usual,
        )

    @property
    def longest_before(self) -> timedelta:
        schedules = (self.usual, *(one.schedule for one in self.services))
        return max(_longest(each) for each in schedules)


def _longest(schedule: Schedule) -> timedelta:
    leads = (schedule.after_no_show, schedule.alert, schedule.confirm_by, *schedule.reminders)
    return max(each.length for each in leads if each is not None)
