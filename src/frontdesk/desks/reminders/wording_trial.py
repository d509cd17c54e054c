"""Compares attendance after two wordings of a reminder, with the uncertainty of the result.

A hash of the appointment's id chooses the wording. So nobody chooses who gets which, and an
appointment always gets the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from math import sqrt
from typing import Final

from frontdesk.desks.reminders.model import Appointment, AppointmentId, AppointmentState
from frontdesk.values import Frozen

#: The width of a 95 % confidence interval, in standard deviations.
_Z: Final = 1.96
#: The fewest visits of each wording for a clear result.
FEWEST: Final = 20


def has_second_wording(appointment_id: AppointmentId) -> bool:
    """Whether this appointment gets the second wording, if there is one."""
    return bool(blake2b(f"wording {appointment_id}".encode(), digest_size=1).digest()[0] & 1)


class Attendance(Frozen):
    """Past visits whose reminder had one wording."""

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
        """The 95 % confidence interval of the share (Wilson)."""
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
        """The 95 % confidence interval of the difference (Newcombe)."""
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
    """Counts past visits that got a reminder after the comparison began. Cancelled visits say
    nothing about attendance."""
    counts = {False: [0, 0], True: [0, 0]}
    for one in visits:
        if one.told_at is None or one.told_at < began_at or one.ends_at > now:
            continue
        if one.state is not AppointmentState.CANCELLED:
            is_missed = one.state is AppointmentState.NO_SHOW
            counts[has_second_wording(one.id)][is_missed] += 1
    return Comparison(Attendance(*counts[False]), Attendance(*counts[True]))
