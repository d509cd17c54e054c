"""The saved result of the last sync with a calendar, for all processes and pages."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen, replace


class SyncUnknown(Exception):
    """It is unknown whether the sync ran. The text is for staff."""


class CalendarProblem(Frozen):
    """A problem with an event, for staff."""

    title: str
    starts_at: datetime | None
    why: str


class CalendarState(Frozen):
    looked_at: datetime | None = None
    trouble: str = ""
    """The reason why the calendar could not be read. The items stay unchanged then."""
    problems: tuple[CalendarProblem, ...] = ()
    missing: tuple[str, ...] = ()
    """Items that vanished together; the sync waits until staff decide."""
    let_go: tuple[str, ...] = ()
    """Items that staff confirmed as gone on purpose."""
    kept: tuple[str, ...] = ()
    """Items that staff keep, although they are not in the calendar."""

    def settled(self, ids: Collection[str], *, keep: bool) -> CalendarState:
        """The state after staff decided about missing items. Only the items that they saw count;
        the next sync asks them about others."""
        decided = tuple(each for each in self.missing if each in ids)
        if not decided:
            return self
        if keep:
            return replace(self, missing=(), kept=(*self.kept, *decided))
        return replace(self, missing=(), let_go=decided)


def calendar_setting(desk: str) -> SavedSetting[CalendarState]:
    return SavedSetting(f"{desk}.calendar", CalendarState, CalendarState())
