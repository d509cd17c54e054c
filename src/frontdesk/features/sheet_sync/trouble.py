"""When the sheet cannot be read or written: since when, and whether staff are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.decision import Fact
from frontdesk.desks.waitlist.facts import SheetHalted, SheetTroubled
from frontdesk.features.sheet_sync.model import SheetState
from frontdesk.values import replace

#: Trouble that lasts so long is told, once. What is shorter comes and goes.
LASTS: Final = timedelta(minutes=15)


def going_on(before: SheetState, state: SheetState, now: datetime) -> SheetState:
    """Trouble is one as long as nothing was well in between, whatever the reasons that it gives."""
    if not state.trouble:
        return state
    since = before.troubled_since or now
    know = before.staff_know or now - since >= LASTS
    return replace(state, troubled_since=since, staff_know=know)


def to_be_told_at(state: SheetState) -> datetime | None:
    """If nothing is well by then."""
    if state.troubled_since is None or state.staff_know:
        return None
    return state.troubled_since + LASTS


def news(before: SheetState, state: SheetState, now: datetime) -> Iterator[Fact]:
    """What staff have to hear."""
    if state.missing and state.missing != before.missing:
        yield SheetHalted(len(state.missing), now)
    if state.troubled_since and state.staff_know and not before.staff_know:
        yield SheetTroubled(state.troubled_since)
