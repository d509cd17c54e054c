"""What the waitlist desk reads, to decide and to show."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.core.members import STAND_IN_EMAIL
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Offer, Rules, Slot, SlotId
from frontdesk.engine.ports import Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.sqlite import facts, people
from frontdesk.store.sqlite.tables import Db
from frontdesk.store.sqlite.waitlist import entries, rules_json
from frontdesk.store.sqlite.waitlist.entries import ENTRY_COLUMNS, read_entry
from frontdesk.store.sqlite.waitlist.offers import OFFER_COLUMNS, read_offer
from frontdesk.store.sqlite.waitlist.slots import SLOT_COLUMNS, read_slot

_FACT = "SELECT seq, at, by, kind, body FROM fd_fact"


class SqliteWaitlistReads:
    def __init__(self, db: Db, codec: FactJson) -> None:
        self._db = db
        self._codec = codec

    # To decide

    def rules(self) -> Rules:
        return rules_json.in_force(self._db())

    def slot(self, slot_id: str) -> Slot | None:
        return self._slot("WHERE slot_id = ?", slot_id)

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

    def person_by_email(self, email_key: str) -> Person | None:
        return people.person_by_email(self._db(), email_key)

    def candidates(self, slot: Slot, limit: int) -> Sequence[Entry]:
        return entries.candidates(self._db(), slot, limit)

    def open_offers(self, entry_id: str) -> Sequence[Offer]:
        return self._offers(
            "WHERE entry_id = ? AND state IN ('pending', 'live') ORDER BY slot_id", entry_id
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

    # To show

    def ahead(self, slot: Slot, entry: Entry) -> int:
        return entries.ahead(self._db(), slot, entry)

    def slots(self, limit: int) -> Sequence[Slot]:
        rows = self._db().execute(
            f"SELECT {SLOT_COLUMNS} FROM wl_slot ORDER BY freed_at DESC, slot_id DESC LIMIT ?",
            (limit,),
        )
        return [read_slot(row) for row in rows]

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

    def facts(self, subject: str, *, limit: int = 500) -> Sequence[Recorded]:
        rows = self._db().execute(
            f"{_FACT} WHERE subject = ? ORDER BY seq LIMIT ?", (subject, limit)
        )
        return facts.read(self._codec, rows)

    def facts_about(self, entry_id: str, *, limit: int = 500) -> Sequence[Recorded]:
        rows = self._db().execute(
            f"{_FACT} WHERE about = ? AND about <> '' ORDER BY seq LIMIT ?", (entry_id, limit)
        )
        return facts.read(self._codec, rows)

    def staff(self) -> Sequence[PersonId]:
        rows = self._db().execute(
            "SELECT DISTINCT person_id FROM fd_member JOIN fd_person USING (person_id)"
            " WHERE removed_at IS NULL AND email <> ? AND role IN ('owner', 'staff')"
            " ORDER BY person_id",
            (STAND_IN_EMAIL,),
        )
        return [person_id for (person_id,) in rows]

    def _slot(self, where: str, value: str) -> Slot | None:
        row = self._db().execute(f"SELECT {SLOT_COLUMNS} FROM wl_slot {where}", (value,)).fetchone()
        return None if row is None else read_slot(row)

    def _offers(self, where: str, *values: str | int) -> list[Offer]:
        rows = self._db().execute(f"SELECT {OFFER_COLUMNS} FROM wl_offer {where}", values)
        return [read_offer(row) for row in rows]

    def _entries(self, where: str, *values: str | int) -> list[Entry]:
        rows = self._db().execute(f"SELECT {ENTRY_COLUMNS} FROM wl_entry e {where}", values)
        return [read_entry(row) for row in rows]
