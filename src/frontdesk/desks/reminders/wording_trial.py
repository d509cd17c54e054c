"""Compares the attendance after two wordings of a reminder, with its uncertainty.

A hash of the appointment assigns the wording, so that nobody chooses who gets which, and the same
appointment always has the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from math import sqrt
from typing import Final

from frontdesk.desks.reminders.model import Appointment, AppointmentId, AppointmentState
from frontdesk.values import Frozen

#: Standard deviations of an interval that is right 19 times out of 20.
_Z: Final = 1.96
#: Fewer visits of a wording say nothing.
FEWEST: Final = 20


def has_second_wording(appointment_id: AppointmentId) -> bool:
    """Whether this appointment is told in the second wording, where there is one."""
    return bool(blake2b(f"wording {appointment_id}".encode(), digest_size=1).digest()[0] & 1)


class Attendance(Frozen):
    """The visits that were told in one wording and are over."""

    came: int = 0
    missed: int = 0

    @property
    def visits(self) -> int:
        return self.came + self.missed

    @property
    def share(self) -> float:
        return self.came / self.visits if self.visits else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The true share is in this interval 19 times out of 20 (Wilson)."""
        n, p = self.visits, self.share
        if not n:
            return 0.0, 1.0
        centre = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z / (1 + _Z * _Z / n) * sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)


class Comparison(Frozen):
    first: Attendance = Attendance()
    second: Attendance = Attendance()

    @property
    def difference(self) -> float:
        """How much more often people come after the second wording."""
        return self.second.share - self.first.share

    @property
    def interval(self) -> tuple[float, float]:
        """The true difference is in this interval 19 times out of 20 (Newcombe)."""
        (low_1, high_1), (low_2, high_2) = self.first.interval, self.second.interval
        one, two = self.first.share, self.second.share
        down = sqrt((two - low_2) ** 2 + (high_1 - one) ** 2)
        up = sqrt((high_2 - two) ** 2 + (one - low_1) ** 2)
        return self.difference - down, self.difference + up

    @property
    def is_clear(self) -> bool:
        low, high = self.interval
        enough = min(self.first.visits, self.second.visits) >= FEWEST
        return enough and (low > 0 or high < 0)


def compare(visits: Iterable[Appointment], began_at: datetime, now: datetime) -> Comparison:
    """Counts visits that were told of since there are two wordings. Cancelled ones say nothing
    about attendance."""
    counts = {False: [0, 0], True: [0, 0]}
    for one in visits:
        if one.told_at is None or one.told_at < began_at or one.ends_at > now:
            continue
        if one.state is not AppointmentState.CANCELLED:
            is_missed = one.state is AppointmentState.NO_SHOW
            counts[has_second_wording(one.id)][is_missed] += 1
    return Comparison(Attendance(*counts[False]), Attendance(*counts[True]))
