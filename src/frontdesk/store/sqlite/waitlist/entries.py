"""Reads and writes entries, and finds the next entries that suit a slot."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.waitlist.changes import AddEntry, EntryAsRead, WriteEntry
from frontdesk.desks.waitlist.eligible import in_order
from frontdesk.desks.waitlist.model import (
    Check,
    Entry,
    OrderBy,
    Slot,
)
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

ENTRY: Final = SqliteRows(Entry, {"id": "entry_id"})
ENTRY_COLUMNS: Final = ENTRY.of("e")
#: Updates do not change the key, the person and the service.
_KEYS: Final = 3
_SETS: Final = ENTRY.sets(_KEYS)
_ANY_PARTY: Final = (1, 1_000_000)
_ANY_DAY: Final = ("9999-12-31", "0001-01-01")

#: The condition for an entry that suits a slot. SQLite reads an index in the slot's order.
_SUITS: Final = (
    "e.service = :service AND e.status = 'waiting'"
    " AND e.party BETWEEN :least AND :most"
    " AND e.earliest_on <= :from_on AND e.latest_on >= :until_on"
    " AND (:any_staff OR e.staff = '' OR e.staff = :staff)"
    " AND NOT EXISTS (SELECT 1 FROM wl_offer o"
    " WHERE o.slot_id = :slot AND o.entry_id = e.entry_id)"
)
_SUITS_AND_NOT_LEFT_OUT: Final = (
    f"{_SUITS} AND e.entry_id NOT IN (SELECT value FROM json_each(:not_to))"
)
_ORDERS: Final = {OrderBy.PRIORITY: "e.priority DESC", OrderBy.JOINED: "e.joined_at"}


def candidates(db: Connection, slot: Slot, limit: int) -> list[Entry]:
    """Returns the next entries. The subquery uses the index only; whole rows are read after it."""
    rules = slot.rules
    sql = _candidates_sql(rules.order, _suits(slot), among="=" if limit == 1 else "IN")
    rows = db.execute(sql, {**_wanted(slot), "limit": limit})
    found = [ENTRY.read(row) for row in rows]
    return found if limit == 1 else in_order(found, rules.order)


@lru_cache(maxsize=64)
def _candidates_sql(order_by: tuple[OrderBy, ...], suits: str, *, among: str) -> str:
    order = ", ".join([*(_ORDERS[by] for by in order_by), "e.entry_id"])
    return (
        f"SELECT {ENTRY_COLUMNS} FROM wl_entry e WHERE e.entry_id {among}"
        f" (SELECT e.entry_id FROM wl_entry e WHERE {suits} ORDER BY {order} LIMIT :limit)"
    )


def _suits(slot: Slot) -> str:
    """Few slots leave anybody out, and reading that list takes as long as the other checks."""
    return _SUITS_AND_NOT_LEFT_OUT if slot.not_to else _SUITS


def ahead(db: Connection, slot: Slot, entry: Entry) -> int:
    """Counts the entries that would get an offer of the slot before this one."""
    values = {**_wanted(slot), "entry": entry.id}
    before: list[str] = []
    equal: list[str] = []
    for by in slot.rules.order:
        column, value = _compared(by, entry)
        before.append(" AND ".join([*equal, f"{column} < :{by}"]))
        equal.append(f"{column} = :{by}")
        values[by.value] = value
    before.append(" AND ".join([*equal, "e.entry_id < :entry"]))
    either = " OR ".join(f"({each})" for each in before)
    count: int
    (count,) = db.execute(
        f"SELECT count(*) FROM wl_entry e WHERE {_suits(slot)} AND ({either})", values
    ).fetchone()
    return count


def _compared(by: OrderBy, entry: Entry) -> tuple[str, int]:
    """Returns a column that rises along the order, and this entry's value."""
    if by is OrderBy.PRIORITY:
        return "-e.priority", -int(entry.priority)
    return "e.joined_at", seconds(entry.joined_at)


def _wanted(slot: Slot) -> dict[str, str | int]:
    """Returns the values for `_SUITS`. A check that is not in the rules accepts every entry."""
    rules, opening = slot.rules, slot.opening
    least, most = slot.least_party, opening.capacity
    from_on = until_on = slot.on.isoformat()
    if Check.PARTY not in rules.checks:
        least, most = _ANY_PARTY
    if Check.DATE not in rules.checks:
        from_on, until_on = _ANY_DAY
    return {
        "service": opening.service,
        "least": least,
        "most": most,
        "from_on": from_on,
        "until_on": until_on,
        "any_staff": int(Check.STAFF not in rules.checks),
        "staff": opening.staff,
        "slot": slot.id,
        "not_to": to_text(slot.not_to),
    }


def add(db: Connection, change: AddEntry) -> bool:
    return writes_one(
        db,
        f"INSERT INTO wl_entry ({ENTRY.columns}) VALUES ({ENTRY.marks}) ON CONFLICT DO NOTHING",
        ENTRY.values(change.entry),
    )


def write(db: Connection, change: WriteEntry) -> bool:
    entry = change.entry
    return writes_one(
        db,
        f"UPDATE wl_entry SET {_SETS}"
        " WHERE entry_id = ? AND person_id = ? AND service = ? AND version = ?",
        (
            *ENTRY.values(entry)[_KEYS:],
            *(entry.id, entry.person_id, entry.service, entry.version - 1),
        ),
    )


def as_read(db: Connection, change: EntryAsRead) -> bool:
    found = db.execute(
        "SELECT 1 FROM wl_entry WHERE entry_id = ? AND version = ?",
        (change.entry_id, change.version),
    ).fetchone()
    return found is not None


_row = attrgetter("entry.id")
ENTRY_WRITES: Writes = {
    AddEntry: Write("wl_entry", _row, add),
    WriteEntry: Write("wl_entry", _row, write),
    EntryAsRead: Write("wl_entry", attrgetter("entry_id"), as_read),
}
