"""The building blocks of a demo: scenes in the past of a studio, and its people."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.core.members import MemberId
from frontdesk.simulate.names import names
from frontdesk.values import Frozen

DAYS_OF_PAST: Final = 9


class DemoScene(Frozen):
    """Something that happened in the past or happens now."""

    at: datetime
    act: Callable[[Any], object]
    """Gets the running product; a desk may wrap it as a stage with its own verbs."""


class Studio:
    """The place and time of the demo. Nobody appears twice; every run has the same people."""

    def __init__(self, now: datetime, tz: ZoneInfo, owner: MemberId) -> None:
        self.now = now
        self.tz = tz
        self.owner = f"member:{owner}"
        self.chance = random.Random("frontdesk")  # noqa: S311 - nothing secret is drawn from it
        self._names = names()

    @property
    def today(self) -> date:
        return to_wall(self.now, self.tz).date()

    def on(self, days: int, at: time) -> datetime:
        """Returns a wall time, so many days from today."""
        return same_wall_time(self.today + timedelta(days=days), at, self.tz)

    def ago(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> datetime:
        before = timedelta(days=days, hours=hours, minutes=minutes)
        return (self.now - before).replace(microsecond=0)

    def moments(self, number: int, *, days_ago: float, until_days: float = 0.5) -> list[datetime]:
        spread = (self.chance.uniform(until_days, days_ago) for _ in range(number))
        return sorted(self.ago(days=days) for days in spread)

    def people(self, number: int) -> list[str]:
        return list(islice(self._names, number))
