"""Who is expected at the door, and who has arrived."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from frontdesk.desks.rsvp.facts import GuestArrived
from frontdesk.desks.rsvp.model import EventId, Guest, State
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads

EXPECTED: Final = frozenset({State.CONFIRMED})
#: Each page sorts the whole list anew, so they are few.
_PAGE: Final = 10_000


def arrived_at(ev: RsvpReads, guest: Guest) -> datetime | None:
    """When a guest was last checked in; nothing if they are not here."""
    if not guest.arrived:
        return None
    facts = ev.facts(guest.event_id, about=guest.id, limit=10_000)
    return next((one.at for one in reversed(facts) if isinstance(one.fact, GuestArrived)), None)


def all_rows(
    ev: RsvpReads, event_id: EventId, states: frozenset[State] | None, search: str, order: str
) -> Iterator[GuestRow]:
    """Every guest of a list, page by page, so that a large one is never in memory as a whole."""
    offset = 0
    while page := ev.guest_rows(
        event_id, states=states, search=search, order=order, limit=_PAGE, offset=offset
    ):
        yield from page
        offset += len(page)
