"""What the last look at the calendar of openings brought: whoever looked, everybody can read it."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.frozen import frozen


@frozen
class CalendarProblem:
    """For staff: which event, when, and what is the matter."""

    title: str
    starts_at: datetime | None
    why: str


@frozen
class CalendarState:
    looked_at: datetime | None = None
    trouble: str = ""
    """Why the calendar could not be read; everything stays as it is then."""
    problems: tuple[CalendarProblem, ...] = ()
    was_empty: bool = False
    """There was no opening in it. Once may be an accident."""


@frozen
class WriteCalendarState(Change):
    """Whoever looked last says so."""

    state: CalendarState
