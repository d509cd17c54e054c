"""The minutes at which customers may get a message, and the hours in which staff can act."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.reminders.rules import StaffHours
from frontdesk.values import Frozen

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)
#: The most steps of a search: with holidays all year, no minute would be allowed.
_MOST_STEPS: Final = 800


class AllowedTimes(Frozen):
    """The times outside quiet hours and holidays."""

    quiet: QuietHours
    zone: str
    closed: frozenset[date]
    """Public holidays and the business's own days."""

    def is_allowed(self, at: datetime) -> bool:
        tz = zone(self.zone)
        return not self.quiet.is_quiet(at, tz) and to_wall(at, tz).date() not in self.closed

    def next_allowed(self, at: datetime) -> datetime:
        """Returns `at`, or the first minute after it at which messages may go out."""
        tz = zone(self.zone)
        for _ in range(_MOST_STEPS):
            on = to_wall(at, tz).date()
            if on in self.closed:
                at = same_wall_time(on + _DAY, time(), tz)
            elif self.quiet.is_quiet(at, tz):
                at = self.quiet.next_allowed(at, tz)
            else:
                break
        return at

    def last_allowed(self, at: datetime) -> datetime:
        """Returns `at`, or the last minute before it at which messages may go out."""
        tz = zone(self.zone)
        for _ in range(_MOST_STEPS):
            wall = to_wall(at, tz)
            if wall.date() in self.closed:
                at = same_wall_time(wall.date(), time(), tz) - _MINUTE
            elif self.quiet.is_quiet(at, tz):
                at = min(at, self._quiet_since(wall)) - _MINUTE
            else:
                break
        return at

    def _quiet_since(self, wall: datetime) -> datetime:
        """The start of the quiet hours that contain this wall time."""
        on = wall.date() if wall.time() >= self.quiet.start else wall.date() - _DAY
        return same_wall_time(on, self.quiet.start, zone(self.zone))


class StaffTimes(Frozen):
    """The working hours of staff. Nobody works on closed days."""

    hours: StaffHours
    zone: str
    closed: frozenset[date]

    def are_there(self, at: datetime) -> bool:
        wall = to_wall(at, zone(self.zone))
        return self._works(wall.date()) and self.hours.start <= wall.time() < self.hours.end

    def next_there(self, at: datetime) -> datetime | None:
        """Returns `at`, or the next time at which staff begin; None if they never do."""
        if self.are_there(at):
            return at
        return self._opening(at, range(_MOST_STEPS), lambda on: self._from(on), after=at)

    def last_to_act(self, at: datetime, margin: timedelta) -> datetime | None:
        """Returns `at`, or the last minute before it with `margin` left in staff's hours."""
        if self.are_there(at):
            return at
        days = range(0, -_MOST_STEPS, -1)
        return self._opening(at, days, lambda on: self._until(on) - margin, before=at)

    def _opening(
        self,
        at: datetime,
        days: range,
        instant: Callable[[date], datetime],
        *,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> datetime | None:
        today = to_wall(at, zone(self.zone)).date()
        for each in days:
            on = today + each * _DAY
            if not self._works(on):
                continue
            found = instant(on)
            if (after is None or found > after) and (before is None or found <= before):
                return found
        return None

    def _works(self, on: date) -> bool:
        return on.weekday() in self.hours.days and on not in self.closed

    def _from(self, on: date) -> datetime:
        return same_wall_time(on, self.hours.start, zone(self.zone))

    def _until(self, on: date) -> datetime:
        return same_wall_time(on, self.hours.end, zone(self.zone))
