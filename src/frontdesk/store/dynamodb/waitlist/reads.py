"""What the waitlist desk reads, to decide and to show."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from frontdesk.core.people import Person, PersonId
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus, Offer, Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistSettings
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Recorded
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.store.dynamodb import facts, people
from frontdesk.store.dynamodb.admin import members
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.schema import FD_MEMBERS, WL_AUDIT, WL_ENTRIES
from frontdesk.store.dynamodb.sheet_versions import DynamoSheetReads
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.waitlist import entries, offers, slots
from frontdesk.store.dynamodb.waitlist.proposals import PROPOSALS
from frontdesk.store.fact_json import FactJson


class DynamoWaitlistReads(DynamoSettingReads, WaitlistSettings):
    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        self.sheet = DynamoSheetReads(reader, "wl")
        self._reader = reader
        self._codec = codec

    # To decide

    def proposal(self, proposal_id: str) -> Proposal | None:
        return PROPOSALS.proposal(self._reader, proposal_id)

    def slot(self, slot_id: str) -> Slot | None:
        return slots.slot(self._reader, slot_id)

    def slot_by_origin(self, origin: str) -> Slot | None:
        return slots.slot_by_origin(self._reader, origin)

    def offer(self, slot_id: str, seq: int) -> Offer | None:
        return offers.offer(self._reader, slot_id, seq)

    def offers(self, slot_id: str) -> Sequence[Offer]:
        return offers.of_slot(self._reader, slot_id)

    def entry(self, entry_id: str) -> Entry | None:
        return entries.entry(self._reader, entry_id)

    def entries_of(self, person_id: str) -> Sequence[Entry]:
        return entries.entries_of(self._reader, person_id)

    def person(self, person_id: str) -> Person | None:
        return people.person(self._reader, person_id)

    def person_by_email(self, email_key: str) -> Person | None:
        return people.person_by_email(self._reader, email_key)

    def signs_in(self, person_id: str) -> bool:
        found = self._reader.scan(
            FD_MEMBERS,
            only="attribute_exists(#role) AND attribute_not_exists(removed_at)"
            " AND person_id = :person",
            person=person_id,
        )
        return any(found)

    def candidates(self, slot: Slot, limit: int) -> Sequence[Entry]:
        return entries.candidates(self._reader, slot, limit)

    def open_offers(self, entry_id: str) -> Sequence[Offer]:
        return offers.open_of_entry(self._reader, entry_id)

    def bookings(self, entry_id: str) -> Sequence[Slot]:
        return slots.booked_by(
            self._reader, entry_id, offers.slots_of_entry(self._reader, entry_id)
        )

    def idle_slots(self, service: str, limit: int) -> Sequence[SlotId]:
        return slots.idle(self._reader, service, limit)

    def open_slots(self, limit: int) -> Sequence[SlotId]:
        return slots.open_(self._reader, limit)

    def soonest_to_expire(self, limit: int) -> Sequence[Entry]:
        return entries.soonest_to_expire(self._reader, limit)

    # To show

    def ahead(self, slot: Slot, entry: Entry) -> int:
        return entries.ahead(self._reader, slot, entry)

    def slots(self, limit: int) -> Sequence[Slot]:
        return slots.newest(self._reader, limit)

    def slots_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        return slots.starting(self._reader, since, until)

    def freed_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        return slots.freed(self._reader, since, until)

    def proposals(self, status: ProposalStatus, limit: int) -> Sequence[Proposal]:
        return PROPOSALS.proposals(self._reader, status, limit)

    def entries(
        self, *, status: EntryStatus | None = None, limit: int = 100, after: str = ""
    ) -> Sequence[Entry]:
        return entries.entries(self._reader, status, limit, after)

    def list_rows(self) -> Sequence[ListRow]:
        rows = self._reader.query(WL_ENTRIES, "shelf = :shelf", shelf=entries.SHELF)
        everybody = [entries.ENTRY.read(row) for row in rows]
        found = people.people(self._reader, [entry.person_id for entry in everybody])
        return [
            ListRow(entry, person.name, person.email, person.mobile, person.erased)
            for entry in everybody
            if (person := found.get(entry.person_id)) is not None
        ]

    def facts(self, subject: str, *, limit: int = 500) -> Sequence[Recorded]:
        rows = self._reader.query(WL_AUDIT, "subject = :subject", limit=limit, subject=subject)
        return facts.read(self._codec, rows)

    def facts_about(self, entry_id: str, *, limit: int = 500) -> Sequence[Recorded]:
        rows = self._reader.query(
            WL_AUDIT, "about = :entry", index="by-about", limit=limit, entry=entry_id
        )
        return facts.read(self._codec, rows)

    def newest_facts(
        self, subject: str, kind: str, *, before: int = 0, limit: int = 100
    ) -> Sequence[Recorded]:
        rows = self._reader.query(
            WL_AUDIT,
            "subject = :subject AND seq < :before",
            only="kind = :kind",
            backwards=True,
            limit=limit,
            subject=subject,
            kind=kind,
            before=before or facts.AFTER_ALL,
        )
        return facts.read(self._codec, rows)

    def facts_between(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        rows = facts.between(self._reader, "wl", since, until, after=after, limit=limit)
        return facts.read(self._codec, rows)

    def people_of(self, entry_ids: Collection[EntryId]) -> Mapping[EntryId, Person]:
        whose = entries.persons(self._reader, entry_ids)
        found = people.people(self._reader, list(whose.values()))
        return {entry_id: found[person_id] for entry_id, person_id in whose.items()}

    def staff(self) -> Sequence[PersonId]:
        return members.staff(self._reader)
