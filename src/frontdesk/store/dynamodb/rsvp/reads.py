"""The RSVP desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.members import STAND_IN_EMAIL, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.model import Guest, Offer
from frontdesk.desks.rsvp.reads import RsvpSettings
from frontdesk.engine.ports import Recorded
from frontdesk.store.dynamodb import facts, people
from frontdesk.store.dynamodb import jobs as job_rows
from frontdesk.store.dynamodb.desk_reads import DynamoDeskReads
from frontdesk.store.dynamodb.rsvp import events as event_rows
from frontdesk.store.dynamodb.rsvp import guests
from frontdesk.store.dynamodb.rsvp.guests import (
    GUEST,
    OFFER,
    guest_id_row,
    person_rows,
    waiting_place,
)
from frontdesk.store.dynamodb.schema import EV_AUDIT, EV_GUESTS, EV_OFFERS, FD_MEMBERS
from frontdesk.store.dynamodb.tables import delegate
from frontdesk.store.rows import seconds

#: Prefixes of places: of waiting guests, of those with a lapsed offer, of pending offers.
_WAITS: Final = "w"
_LAPSED: Final = "w1"
_PENDING: Final = "o0"
_IN_LINE: Final = "event_id = :event AND begins_with(place, :place)"
_OPEN: Final = ("pending", "live")
#: DynamoDB rejects empty keys. A space sorts before all ids.
_BEFORE_ALL: Final = " "


class DynamoRsvpReads(DynamoDeskReads, RsvpSettings):
    audit = EV_AUDIT

    # To decide

    event = delegate(event_rows.event)
    event_by_slug = delegate(event_rows.event_by_slug)

    def guest(self, guest_id: str) -> Guest | None:
        row = self._reader.get(EV_GUESTS, *guest_id_row(guest_id))
        return None if row is None else self._guest(row["of"], guest_id)

    def guest_of(self, event_id: str, person_id: str) -> Guest | None:
        row = self._reader.get(EV_GUESTS, person_rows(person_id), event_id)
        return None if row is None else self._guest(event_id, row["of"])

    def places_of(self, person_id: str) -> Sequence[Guest]:
        pointers = self._reader.query(EV_GUESTS, "event_id = :who", who=person_rows(person_id))
        keys = [(row["guest_id"], row["of"]) for row in pointers]
        found = self._reader.get_many(EV_GUESTS, keys).values()
        return sorted((GUEST.read(row) for row in found), key=lambda guest: guest.id)

    def next_in_line(self, event_id: str, round_: int, limit: int) -> Sequence[Guest]:
        found = self._reader.query(
            EV_GUESTS,
            _IN_LINE,
            index="in-line",
            only="seen < :round",
            limit=limit,
            event=event_id,
            place=_WAITS,
            round=round_,
        )
        return [GUEST.read(row) for row in found]

    def next_that_fits(self, event_id: str, round_: int, seats: int) -> Guest | None:
        found = self._reader.query(
            EV_GUESTS,
            _IN_LINE,
            index="in-line",
            only="seen < :round AND party <= :seats",
            limit=1,
            event=event_id,
            place=_WAITS,
            round=round_,
            seats=seats,
        )
        return next((GUEST.read(row) for row in found), None)

    def last_pending_offer(self, event_id: str) -> Guest | None:
        found = self._reader.query(
            EV_GUESTS,
            _IN_LINE,
            index="in-line",
            backwards=True,
            limit=1,
            event=event_id,
            place=_PENDING,
        )
        return next((GUEST.read(row) for row in found), None)

    def lapsed_waiting(self, event_id: str) -> int:
        return self._reader.count(
            EV_GUESTS, _IN_LINE, index="in-line", event=event_id, place=_LAPSED
        )

    def line_ends(self, event_id: str) -> tuple[int, int]:
        return self._line_end(event_id, last=False), self._line_end(event_id, last=True)

    def _line_end(self, event_id: str, *, last: bool) -> int:
        found = self._reader.query(
            EV_GUESTS,
            "event_id = :event",
            index="by-ticket",
            backwards=last,
            limit=1,
            event=event_id,
        )
        return next((row["ticket"] for row in found), 0)

    def offer(self, guest_id: str, seq: int) -> Offer | None:
        row = self._reader.get(EV_OFFERS, guest_id, seq)
        return OFFER.read_or_none(row)

    def guests_after(self, event_id: str, cursor: str, limit: int) -> Sequence[Guest]:
        found = self._reader.query(
            EV_GUESTS,
            "event_id = :event AND guest_id > :cursor",
            limit=limit,
            event=event_id,
            cursor=cursor or _BEFORE_ALL,
        )
        return [GUEST.read(row) for row in found]

    job = delegate(job_rows.job)
    import_row = delegate(event_rows.import_row)

    # To show

    events = delegate(event_rows.events)

    def position(self, guest: Guest) -> int:
        before = waiting_place(lapsed=guest.lapsed, ticket=guest.ticket - 1)
        return 1 + self._reader.count(
            EV_GUESTS,
            "event_id = :event AND place BETWEEN :first AND :before",
            index="in-line",
            event=guest.event_id,
            first=_WAITS,
            before=before,
        )

    guest_rows = delegate(guests.rows)
    guest_count = delegate(guests.count)
    counts = delegate(guests.counts)
    arrived = delegate(guests.arrived)

    def offers(self, event_id: str, *, open_only: bool = False) -> Sequence[Offer]:
        rows = self._reader.query(EV_OFFERS, "event_id = :event", index="by-event", event=event_id)
        found = [OFFER.read(row) for row in rows if not open_only or row["state"] in _OPEN]
        return sorted(found, key=lambda each: (each.made_at, each.guest_id, each.seq))

    def facts_between(
        self, event_id: str, kind: str, since: datetime, until: datetime
    ) -> Sequence[Recorded]:
        """From `since` up to, not including, `until`."""
        rows = self._reader.query(
            EV_AUDIT,
            "subject = :event",
            only="kind = :kind AND #at >= :since AND #at < :until",
            event=event_id,
            kind=kind,
            since=seconds(since),
            until=seconds(until),
        )
        return facts.read(self._codec, rows)

    def hosts(self, event_id: str) -> Sequence[PersonId]:
        rows = self._reader.scan(
            FD_MEMBERS,
            only="attribute_not_exists(removed_at)"
            " AND (#role = :owner OR (#role = :host AND event_id = :event))",
            owner=Role.OWNER.value,
            host=Role.HOST.value,
            event=event_id,
        )
        found = people.people(self._reader, [row["person_id"] for row in rows])
        return sorted(each.id for each in found.values() if each.email != STAND_IN_EMAIL)

    import_rows = delegate(event_rows.import_rows)
    jobs = delegate(job_rows.jobs_of)

    def _guest(self, event_id: str, guest_id: str) -> Guest | None:
        row = self._reader.get(EV_GUESTS, event_id, guest_id)
        return GUEST.read_or_none(row)
