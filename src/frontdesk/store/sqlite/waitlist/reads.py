"""The waitlist desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.people import Person
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus, Offer, Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistSettings
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite import people
from frontdesk.store.sqlite.desk_reads import AFTER_ALL, SqliteDeskReads
from frontdesk.store.sqlite.sheet_versions import SqliteSheetReads
from frontdesk.store.sqlite.tables import Db, delegate
from frontdesk.store.sqlite.waitlist import entries as entry_rows
from frontdesk.store.sqlite.waitlist.entries import ENTRY, ENTRY_COLUMNS
from frontdesk.store.sqlite.waitlist.offers import OFFER
from frontdesk.store.sqlite.waitlist.proposals import PROPOSALS
from frontdesk.store.sqlite.waitlist.slots import SLOT

#: Built once: each move of a slot begins with it.
_SLOT_BY_ID: Final = f"SELECT {SLOT.columns} FROM wl_slot WHERE slot_id = ?"


class SqliteWaitlistReads(SqliteDeskReads, WaitlistSettings):
    code = "wl"

    def __init__(self, db: Db, codec: FactJson) -> None:
        self.sheet = SqliteSheetReads(db, "wl")
        super().__init__(db, codec)

    # To decide

    proposal = delegate(PROPOSALS.proposal)

    def slot(self, slot_id: str) -> Slot | None:
        return SLOT.read_or_none(self._db().execute(_SLOT_BY_ID, (slot_id,)).fetchone())

    def slot_by_origin(self, origin: str) -> Slot | None:
        return self._slot("WHERE origin = ?", origin)

    def offer(self, slot_id: str, seq: int) -> Offer | None:
        found = self._offers("WHERE slot_id = ? AND seq = ?", slot_id, seq)
        return found[0] if found else None

    def offers(self, slot_id: str) -> Sequence[Offer]:
        return self._offers("WHERE slot_id = ? ORDER BY seq", slot_id)

    def entry(self, entry_id: str) -> Entry | None:
        found = self._entries("WHERE e.entry_id = ?", entry_id)
        return found[0] if found else None

    def entries_of(self, person_id: str) -> Sequence[Entry]:
        return self._entries("WHERE e.person_id = ? ORDER BY e.service", person_id)

    candidates = delegate(entry_rows.candidates)

    def open_offers(self, entry_id: str) -> Sequence[Offer]:
        return self._offers(
            "WHERE entry_id = ? AND state IN ('pending', 'live') ORDER BY slot_id", entry_id
        )

    def bookings(self, entry_id: str) -> Sequence[Slot]:
        return self._slots(
            "WHERE slot_id IN (SELECT slot_id FROM wl_offer WHERE entry_id = ?)"
            " AND status = 'booked' AND booked_by = ? ORDER BY starts_at, slot_id",
            entry_id,
            entry_id,
        )

    def idle_slots(self, service: str, limit: int) -> Sequence[SlotId]:
        rows = self._db().execute(
            "SELECT slot_id FROM wl_slot"
            " WHERE service = ? AND status = 'open' AND offer_seq = 0"
            " ORDER BY starts_at, slot_id LIMIT ?",
            (service, limit),
        )
        return [slot_id for (slot_id,) in rows]

    def open_slots(self, limit: int) -> Sequence[SlotId]:
        rows = self._db().execute(
            "SELECT slot_id FROM wl_slot WHERE status = 'open' ORDER BY starts_at, slot_id LIMIT ?",
            (limit,),
        )
        return [slot_id for (slot_id,) in rows]

    def soonest_to_expire(self, limit: int) -> Sequence[Entry]:
        return self._entries(
            "INDEXED BY wl_entry_by_latest"
            " WHERE e.status = 'waiting' ORDER BY e.latest_on, e.entry_id LIMIT ?",
            limit,
        )

    services_waited_for = delegate(entry_rows.services_waited_for)
    count_waiting = delegate(entry_rows.count_waiting)

    # To show

    ahead = delegate(entry_rows.ahead)

    def slots(self, limit: int) -> Sequence[Slot]:
        return self._slots("ORDER BY freed_at DESC, slot_id DESC LIMIT ?", limit)

    def slots_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        return self._slots(
            "WHERE starts_at >= ? AND starts_at < ? ORDER BY starts_at, slot_id",
            seconds(since),
            seconds(until),
        )

    def freed_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        return self._slots(
            "WHERE freed_at >= ? AND freed_at < ? ORDER BY freed_at, slot_id",
            seconds(since),
            seconds(until),
        )

    proposals = delegate(PROPOSALS.proposals)

    def entries(
        self, *, status: EntryStatus | None = None, limit: int = 100, after: str = ""
    ) -> Sequence[Entry]:
        if status is None:
            return self._entries("WHERE e.entry_id > ? ORDER BY e.entry_id LIMIT ?", after, limit)
        return self._entries(
            "WHERE e.status = ? AND e.entry_id > ? ORDER BY e.entry_id LIMIT ?",
            status.value,
            after,
            limit,
        )

    def list_rows(self) -> Sequence[ListRow]:
        rows = self._db().execute(
            f"SELECT {ENTRY_COLUMNS}, p.name, p.email, p.mobile, p.erased"
            " FROM wl_entry e JOIN fd_person p USING (person_id) ORDER BY e.entry_id"
        )
        return [
            ListRow(ENTRY.read(row[:-4]), row[-4], row[-3], row[-2], is_erased=row[-1] == 1)
            for row in rows
        ]

    def facts_between(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        return self._facts(
            "INDEXED BY fd_fact_of_waitlist"
            " WHERE desk = 'wl' AND at >= ? AND at < ? AND seq > ? ORDER BY seq LIMIT ?",
            seconds(since),
            seconds(until),
            min(after, AFTER_ALL),
            limit,
        )

    def people_of(self, entry_ids: Collection[EntryId]) -> Mapping[EntryId, Person]:
        rows = self._db().execute(
            f"SELECT e.entry_id, {people.PERSON_COLUMNS}"
            " FROM wl_entry e JOIN fd_person p USING (person_id)"
            " WHERE e.entry_id IN (SELECT value FROM json_each(?))",
            (to_text(sorted(entry_ids)),),
        )
        return {row[0]: people.PERSON.read(row[1:]) for row in rows}

    def _slot(self, where: str, value: str) -> Slot | None:
        found = self._slots(where, value)
        return found[0] if found else None

    def _slots(self, rest: str, *values: str | int) -> list[Slot]:
        rows = self._db().execute(f"SELECT {SLOT.columns} FROM wl_slot {rest}", values)
        return [SLOT.read(row) for row in rows]

    def _offers(self, where: str, *values: str | int) -> list[Offer]:
        rows = self._db().execute(f"SELECT {OFFER.columns} FROM wl_offer {where}", values)
        return [OFFER.read(row) for row in rows]

    def _entries(self, where: str, *values: str | int) -> list[Entry]:
        rows = self._db().execute(f"SELECT {ENTRY_COLUMNS} FROM wl_entry e {where}", values)
        return [ENTRY.read(row) for row in rows]
