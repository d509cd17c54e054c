"""What the last look at the calendar of openings brought: whoever looked, everybody can read it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.values import Frozen


class CalendarProblem(Frozen):
    """For staff: which event, when, and what is the matter."""

    title: str
    starts_at: datetime | None
    why: str


class CalendarState(Frozen):
    looked_at: datetime | None = None
    trouble: str = ""
    """Why the calendar could not be read; everything stays as it is then."""
    problems: tuple[CalendarProblem, ...] = ()
    missing: tuple[SlotId, ...] = ()
    """So many openings are gone at once that nothing is done until staff say what to do."""
    let_go: tuple[SlotId, ...] = ()
    """Staff said that these are gone on purpose."""
    kept: tuple[SlotId, ...] = ()
    """Staff said that these stay slots, although they are not in the calendar."""


SAVED_CALENDAR: Final = SavedSetting("wl.calendar", CalendarState, CalendarState())
