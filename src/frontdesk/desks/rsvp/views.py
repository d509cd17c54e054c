"""Defines the rows that each decision of the RSVP desk sees."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.core.jobs import Job
from frontdesk.core.people import Person
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import Event, Guest
from frontdesk.values import Frozen


class SeatRequest(Frozen):
    """A seat request: the event, the person if known, and the guest if on the list."""

    event: Event | None
    person: Person | None
    guest: Guest | None
    lapsed_waiting: int = 0


class GuestView(Frozen):
    event: Event
    guest: Guest
    lapsed_waiting: int = 0
    line_ends: tuple[int, int] = (0, 0)
    """The lowest and the highest ticket in line."""


class ContactView(Frozen):
    event: Event
    guest: Guest
    person: Person


class PassOnView(Frozen):
    """A guest and their replacement: the person if known, the guest if on the list."""

    event: Event
    guest: Guest
    to_person: Person | None
    to_guest: Guest | None


class FillView(Frozen):
    event: Event | None
    first: Guest | None
    """The first guest who is owed a chance, even if they do not fit."""
    fits: Guest | None
    """The first guest who fits into the free seats. In strict order, only `first` can be this
    guest."""
    last_pending: Guest | None


class EventView(Frozen):
    event: Event | None
    slug_owner: Event | None = None
    guests: int = 0
    draft: str = ""


class JobView(Frozen):
    job: Job | None
    event: Event | None
    guests: Sequence[Guest]


class ImportView(Frozen):
    job: Job | None
    row: ImportRow | None
    request: SeatRequest
