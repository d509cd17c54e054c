"""The instants at which the windows of an appointment are due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import zone
from frontdesk.desks.reminders.decide.allowed_times import AllowedTimes, StaffTimes
from frontdesk.desks.reminders.model import REMINDERS, Appointment, Window
from frontdesk.desks.reminders.rules import MOST_REMINDERS, LeadTime, ReminderRules, Schedule
from frontdesk.values import Frozen, field

#: If quiet hours or a holiday would delay a reminder to less than this before the start, it goes
#: out before them instead.
LEAST_AHEAD: Final = timedelta(hours=12)
#: Reminders closer to the start than this need exact timers instead of the hourly tick.
SHORT_WINDOW: Final = timedelta(hours=3)
#: The most starts whose windows are cached; then the cache is cleared.
MOST_KNOWN: Final = 20_000
#: The working time that staff need to fill a gap.
TIME_TO_ACT: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


class DueWindow(Frozen):
    window: Window
    due_at: datetime
    is_exact: bool = False
    """Whether the hourly tick would be too late for it."""
    wished_at: datetime | None = None
    """The time in the schedule, if quiet hours or a holiday changed it."""


class Planner(Frozen, dict=True):
    """Computes windows by the rules. Caches the windows of equal starts between ticks."""

    rules: ReminderRules
    holidays: frozenset[date] = frozenset()
    """The public holidays of the country and region."""
    is_paused: bool = False
    """Whether staff have paused all reminders to customers."""
    _known: dict[tuple[str, datetime, bool], tuple[DueWindow, ...]] = field(default_factory=dict)

    @property
    def tz(self) -> ZoneInfo:
        return zone(self.rules.zone)

    @cached_property
    def allowed(self) -> AllowedTimes:
        return AllowedTimes(self.rules.quiet, self.rules.zone, self.closed)

    @cached_property
    def staff(self) -> StaffTimes:
        return StaffTimes(self.rules.staff_hours, self.rules.zone, self.closed)

    @cached_property
    def closed(self) -> frozenset[date]:
        return self.holidays | frozenset(self.rules.own_days)

    @cached_property
    def longest_before(self) -> timedelta:
        return self.rules.longest_before

    @cached_property
    def furthest_ahead(self) -> timedelta:
        """The longest time before a start at which something may be due. Quiet hours and days
        without messages can bring a reminder forward."""
        return self.longest_before + (_longest_run(self.closed) + 2) * _DAY

    def windows(self, appointment: Appointment, no_shows: int = 0) -> tuple[DueWindow, ...]:
        """The windows of an appointment, ordered by due time; none with the tag `#skip`."""
        tags = appointment.tags
        if tags.skip:
            return ()
        if tags.remind:
            return self._windows(appointment.service, appointment.starts_at, tags.remind)
        key = (appointment.service, appointment.starts_at, no_shows > 0)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            leads = self._leads(self.rules.schedule(appointment.service), no_shows)
            known = self._known[key] = self._windows(*key[:2], leads)
        return known

    @staticmethod
    def _leads(schedule: Schedule, no_shows: int) -> tuple[LeadTime, ...]:
        more = (schedule.after_no_show,) if no_shows and schedule.after_no_show else ()
        return (*schedule.reminders, *more)

    def _windows(
        self, service: str, starts_at: datetime, leads: tuple[LeadTime, ...]
    ) -> tuple[DueWindow, ...]:
        in_order = sorted(set(leads), key=lambda each: each.length, reverse=True)
        pairs = zip(REMINDERS, in_order[:MOST_REMINDERS], strict=False)
        found = [self._reminder(window, lead, starts_at) for window, lead in pairs]
        found.append(self._alert(self.rules.schedule(service), starts_at))
        return tuple(sorted(found, key=lambda each: (each.due_at, each.window is Window.GAP)))

    def _reminder(self, window: Window, lead: LeadTime, starts_at: datetime) -> DueWindow:
        """Moves the reminder after quiet hours and holidays, or before them if too little time
        would be left."""
        wished_at = lead.at(starts_at, self.tz)
        due_at = self.allowed.next_allowed(wished_at)
        if due_at != wished_at and starts_at - due_at < LEAST_AHEAD:
            due_at = self.allowed.last_allowed(wished_at)
        is_exact = lead.length < SHORT_WINDOW or due_at != wished_at
        return DueWindow(window, due_at, is_exact, wished_at if due_at != wished_at else None)

    def _alert(self, schedule: Schedule, starts_at: datetime) -> DueWindow:
        """Moves the alert into staff's hours, early enough to act: to the evening before for a
        visit at nine."""
        lead = schedule.confirm_by or schedule.alert
        wished_at = lead.at(starts_at, self.tz)
        due_at = self.staff.last_to_act(wished_at, TIME_TO_ACT) or wished_at
        is_exact = lead.length < SHORT_WINDOW or due_at != wished_at
        return DueWindow(Window.GAP, due_at, is_exact)

    def alert_at(self, starts_at: datetime, now: datetime) -> datetime:
        """The next instant in staff's hours, or now if they could not act in time then."""
        there_at = self.staff.next_there(now)
        is_in_time = there_at is not None and there_at + TIME_TO_ACT <= starts_at
        return there_at if there_at is not None and is_in_time else now

    def open_windows(self, appointment: Appointment, no_shows: int = 0) -> Iterator[DueWindow]:
        settled = appointment.settled
        return (each for each in self.windows(appointment, no_shows) if each.window not in settled)


def _longest_run(days: frozenset[date]) -> int:
    """The length of the longest run of consecutive days."""
    longest = run = 0
    before: date | None = None
    for day in sorted(days):
        run = run + 1 if before is not None and day - before == _DAY else 1
        longest, before = max(longest, run), day
    return longest


def windows_before_booking(
    planner: Planner, appointment: Appointment, no_shows: int
) -> tuple[Window, ...]:
    """The windows that had passed when the appointment was made. They get no message."""
    windows = planner.windows(appointment, no_shows)
    booked_at = appointment.booked_at
    return tuple(
        each.window
        for each in windows
        if each.due_at <= booked_at and each.window is not Window.GAP
    )
