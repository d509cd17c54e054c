"""Declares the reads that the RSVP desk needs from a store, to decide and to display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from frontdesk.core.jobs import Job
from frontdesk.core.people import Person, PersonId
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.model import (
    SAVED_DEFAULTS,
    Event,
    EventId,
    EventSettings,
    Guest,
    GuestId,
    Offer,
    State,
    as_signed_up,
)
from frontdesk.engine.ports import DeskReads, Recorded
from frontdesk.values import Frozen, replace


class GuestRow(Frozen):
    """A guest and their person, with name and address as of this sign-up, for lists."""

    guest: Guest
    person: Person


def guest_row(guest: Guest, person: Person) -> GuestRow:
    """Builds a list row with the name and address of this sign-up, unless the person is erased."""
    named = as_signed_up(guest, person)
    if guest.email and not person.erased:
        named = replace(named, email=guest.email)
    return GuestRow(guest, named)


class RsvpSettings(DeskReads, Protocol):
    """Reads that are the same in both stores, whose reads inherit them."""

    def defaults(self) -> EventSettings:
        return self.setting(SAVED_DEFAULTS)

    def wording(self, mail_kind: str) -> Wording | None:
        """Returns the business's own wording of this mail, if there is one."""
        return self.setting(wording_setting("ev", mail_kind))

    def latest_facts(self, event_id: EventId, limit: int, *, before: int = 0) -> Sequence[Recorded]:
        """Returns the newest facts before the number `before` (0: all), oldest first."""
        return self.newest_facts(event_id, before=before, limit=limit)[::-1]


class RsvpReads(RsvpSettings, Protocol):
    """All reads of the desk. Decisions read the rows; indexes and counts are for display only."""

    # To decide
    def event(self, event_id: EventId) -> Event | None: ...
    def event_by_slug(self, slug: str) -> Event | None: ...
    def guest(self, guest_id: GuestId) -> Guest | None: ...
    def guest_of(self, event_id: EventId, person_id: PersonId) -> Guest | None: ...
    def next_in_line(self, event_id: EventId, round_: int, limit: int) -> Sequence[Guest]:
        """Returns waiting guests with seen < round_, ordered by (lapsed, ticket)."""

    def next_that_fits(self, event_id: EventId, round_: int, seats: int) -> Guest | None:
        """Returns the first guest of `next_in_line` whose party is at most `seats`."""

    def last_pending_offer(self, event_id: EventId) -> Guest | None:
        """Returns the last guest in line whose offer is pending (not live)."""

    def lapsed_waiting(self, event_id: EventId) -> int:
        """Counts those in line who let an offer lapse. They are behind the others."""

    def line_ends(self, event_id: EventId) -> tuple[int, int]:
        """Returns the lowest and highest ticket of those who wait or hold an offer (0, 0 if
        none)."""

    def offer(self, guest_id: GuestId, seq: int) -> Offer | None: ...
    def guests_after(self, event_id: EventId, cursor: str, limit: int) -> Sequence[Guest]:
        """Returns guests in any state, ordered by id, for jobs."""

    def job(self, job_id: str) -> Job | None: ...
    def import_row(self, job_id: str, after_line: int) -> ImportRow | None: ...

    # To show
    def events(self, *, not_over_at: datetime | None = None) -> Sequence[Event]:
        """Returns all events, or those that end after an instant, sorted by start."""

    def position(self, guest: Guest) -> int:
        """Returns the guest's place among those who wait; 1 is next."""

    def guest_rows(
        self,
        event_id: EventId,
        *,
        states: frozenset[State] | None = None,
        search: str = "",
        order: str = "name",
        limit: int = 100,
        offset: int = 0,
    ) -> Sequence[GuestRow]:
        """Returns a page of the list. `order` is 'name', 'joined', 'line' (by place) or 'state'; a
        leading '-' reverses it."""

    def guest_count(
        self, event_id: EventId, *, states: frozenset[State] | None = None, search: str = ""
    ) -> int: ...
    def counts(self, event_id: EventId) -> dict[State, tuple[int, int]]:
        """Returns the number of guests and of seats by state."""

    def arrived(self, event_id: EventId) -> int:
        """Returns how many people are checked in."""

    def offers(self, event_id: EventId, *, open_only: bool = False) -> Sequence[Offer]: ...
    def facts_between(
        self, event_id: EventId, kind: str, since: datetime, until: datetime
    ) -> Sequence[Recorded]: ...
    def hosts(self, event_id: EventId) -> Sequence[PersonId]:
        """Returns the owners and this event's hosts, if they have an address."""

    def places_of(self, person_id: PersonId) -> Sequence[Guest]:
        """Returns the person's guest rows at all events."""

    def import_rows(self, job_id: str) -> Sequence[ImportRow]: ...
    def jobs(self, event_id: EventId) -> Sequence[Job]: ...
