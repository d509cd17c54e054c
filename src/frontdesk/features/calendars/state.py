"""The result of the last look at a calendar, saved for every process and page."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen, replace


class NotLooked(Exception):
    """Nobody can tell now whether the calendar was read; the text is for staff."""


class CalendarProblem(Frozen):
    """For staff: which event, when, and what is the matter."""

    title: str
    starts_at: datetime | None
    why: str


class CalendarState(Frozen):
    looked_at: datetime | None = None
    trouble: str = ""
    """The reason why the calendar could not be read. The items stay unchanged then."""
    problems: tuple[CalendarProblem, ...] = ()
    missing: tuple[str, ...] = ()
    """So many items are gone at once that nothing is done until staff say what to do."""
    let_go: tuple[str, ...] = ()
    """Staff said that these are gone on purpose."""
    kept: tuple[str, ...] = ()
    """Staff said that these stay, although they are not in the calendar."""

    def settled(self, ids: Collection[str], *, keep: bool) -> CalendarState:
        """After staff said it of missing items. Only those that they were shown count; what has
        gone since is asked for again."""
        said = tuple(each for each in self.missing if each in ids)
        if not said:
            return self
        if keep:
            return replace(self, missing=(), kept=(*self.kept, *said))
        return replace(self, missing=(), let_go=said)


def calendar_setting(desk: str) -> SavedSetting[CalendarState]:
    return SavedSetting(f"{desk}.calendar", CalendarState, CalendarState())
