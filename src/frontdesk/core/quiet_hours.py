"""Quiet hours, and whether an offer that must be sent again can keep its deadline."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import next_clock_change, to_wall
from frontdesk.values import Frozen

_DAY = timedelta(days=1)


class QuietHours(Frozen):
    """From `start` up to, not including, `end`, in wall time. Equal times mean no quiet hours."""

    start: time
    end: time

    def __post_init__(self) -> None:
        if self.start.tzinfo or self.end.tzinfo:
            raise ValueError("quiet hours are local: their zone is the event's")

    def is_quiet(self, at: datetime, tz: ZoneInfo) -> bool:
        clock = at.astimezone(tz).time()
        if self.start <= self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end

    def next_allowed(self, at: datetime, tz: ZoneInfo) -> datetime:
        """Returns `at`, or the end of the quiet hours that it is in.

        They end when the clock reaches `end`, or when a clock change jumps out of them.
        """
        at = at.astimezone(UTC)
        while self.is_quiet(at, tz):
            end_at = at + self._until_end(to_wall(at, tz))
            at = next_clock_change(at, end_at, tz) or end_at
        return at

    def _until_end(self, wall: datetime) -> timedelta:
        """Returns the time until the clock shows `end`, without clock changes."""
        left = datetime.combine(wall.date(), self.end) - wall
        return left if left > timedelta() else left + _DAY


#: EV-02.
DEFAULT_QUIET_HOURS = QuietHours(time(21), time(8))
NO_QUIET_HOURS = QuietHours(time(0), time(0))


#: Enough time to answer a message. For a short window, half of the window is enough.
LEAST_LEFT: Final = timedelta(hours=1)


def leaves_time(
    claim_by: datetime, *, window: timedelta, quiet: QuietHours, tz: ZoneInfo, now: datetime
) -> bool:
    """Whether a message with the same deadline can go out now and leaves time to answer."""
    if quiet.is_quiet(now, tz):
        return False
    return claim_by - now >= min(LEAST_LEFT, window / 2)
