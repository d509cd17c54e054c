"""The waitlist desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from frontdesk.core.people import Person
from frontdesk.desks.waitlist.model import EntryId, Slot
from frontdesk.desks.waitlist.reads import WaitlistSettings
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Recorded
from frontdesk.store.dynamodb import facts, people
from frontdesk.store.dynamodb.desk_reads import DynamoDeskReads
from frontdesk.store.dynamodb.schema import WL_AUDIT
from frontdesk.store.dynamodb.sheet_versions import DynamoSheetReads
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import delegate
from frontdesk.store.dynamodb.waitlist import entries as entry_rows
from frontdesk.store.dynamodb.waitlist import offers as offer_rows
from frontdesk.store.dynamodb.waitlist import slots as slot_rows
from frontdesk.store.dynamodb.waitlist.proposals import PROPOSALS
from frontdesk.store.fact_json import FactJson


class DynamoWaitlistReads(DynamoDeskReads, WaitlistSettings):
    audit = WL_AUDIT

    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        self.sheet = DynamoSheetReads(reader, "wl")
        super().__init__(reader, codec)

    # To decide

    proposal = delegate(PROPOSALS.proposal)
    slot = delegate(slot_rows.SLOTS.get)
    slot_by_origin = delegate(slot_rows.slot_by_origin)
    offer = delegate(offer_rows.offer)
    offers = delegate(offer_rows.of_slot)
    entry = delegate(entry_rows.ENTRIES.get)
    entries_of = delegate(entry_rows.entries_of)

    candidates = delegate(entry_rows.candidates)
    open_offers = delegate(offer_rows.open_of_entry)

    def bookings(self, entry_id: str) -> Sequence[Slot]:
        return slot_rows.booked_by(
            self._reader, entry_id, offer_rows.slots_of_entry(self._reader, entry_id)
        )

    idle_slots = delegate(slot_rows.idle)
    open_slots = delegate(slot_rows.open_)
    soonest_to_expire = delegate(entry_rows.soonest_to_expire)
    services_waited_for = delegate(entry_rows.services_waited_for)
    count_waiting = delegate(entry_rows.count_waiting)

    # To show

    ahead = delegate(entry_rows.ahead)
    slots = delegate(slot_rows.newest)
    slots_between = delegate(slot_rows.SLOTS.between)
    freed_between = delegate(slot_rows.freed)
    proposals = delegate(PROPOSALS.proposals)

    entries = delegate(entry_rows.entries)

    def list_rows(self) -> Sequence[ListRow]:
        everybody = list(entry_rows.ENTRIES.query(self._reader))
        found = people.people(self._reader, [entry.person_id for entry in everybody])
        return [
            ListRow(entry, person.name, person.email, person.mobile, person.erased)
            for entry in everybody
            if (person := found.get(entry.person_id)) is not None
        ]

    def facts_between(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        rows = facts.between(self._reader, "wl", since, until, after=after, limit=limit)
        return facts.read(self._codec, rows)

    def people_of(self, entry_ids: Collection[EntryId]) -> Mapping[EntryId, Person]:
        whose = entry_rows.persons(self._reader, entry_ids)
        found = people.people(self._reader, list(whose.values()))
        return {entry_id: found[person_id] for entry_id, person_id in whose.items()}
