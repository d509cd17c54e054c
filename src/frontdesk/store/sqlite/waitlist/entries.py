"""Reads and writes entries, and finds the next entries that suit a slot."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.waitlist.changes import AddEntry, EntryAsRead, WriteEntry
from frontdesk.desks.waitlist.eligibility import in_order
from frontdesk.desks.waitlist.model import (
    Check,
    Entry,
    OrderBy,
    Slot,
)
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import Write, Writes, adds, statement, writes_one

ENTRY: Final = SqliteRows(Entry, {"id": "entry_id"}, remembered=2_000)
ENTRY_COLUMNS: Final = ENTRY.of("e")
#: Updates do not change the key, the person and the service.
_KEYS: Final = 3
_SETS: Final = ENTRY.sets(_KEYS)

#: The condition for an entry that suits a slot. SQLite reads an index in the slot's order.
_WAITS: Final = "e.service = :service AND e.status = 'waiting'"
_CHECKS: Final = {
    Check.PARTY: "e.party BETWEEN :least AND :most",
    Check.DATE: "e.earliest_on <= :on AND e.latest_on >= :on",
    Check.STAFF: "e.staff IN ('', :staff)",
}
_HAD_NO_OFFER: Final = (
    "NOT EXISTS (SELECT 1 FROM wl_offer o WHERE o.slot_id = :slot AND o.entry_id = e.entry_id)"
)
_IS_NOT_LEFT_OUT: Final = "e.entry_id NOT IN (SELECT value FROM json_each(:not_to))"
_ORDERS: Final = {OrderBy.PRIORITY: "e.priority DESC", OrderBy.JOINED: "e.joined_at"}


def candidates(db: Connection, slot: Slot, limit: int) -> list[Entry]:
    """Returns the next entries. The subquery uses the index only; whole rows are read after it."""
    order, values = slot.rules.order, _wanted(slot)
    values["limit"] = limit
    sql = _candidates_sql(order, slot.rules.checks, bool(slot.not_to), limit == 1)
    if limit == 1:
        row = db.execute(sql, values).fetchone()
        return [] if row is None else [ENTRY.read(row)]
    return in_order([ENTRY.read(row) for row in db.execute(sql, values)], order)


@lru_cache(maxsize=64)
def _candidates_sql(
    order_by: tuple[OrderBy, ...], checks: tuple[Check, ...], leaves_out: bool, is_one: bool
) -> str:
    order = ", ".join([*(_ORDERS[by] for by in order_by), "e.entry_id"])
    return (
        f"SELECT {ENTRY_COLUMNS} FROM wl_entry e WHERE e.entry_id {'=' if is_one else 'IN'}"
        f" (SELECT e.entry_id FROM wl_entry e WHERE {_suits(checks, leaves_out)}"
        f" ORDER BY {order} LIMIT :limit)"
    )


def _suits(checks: tuple[Check, ...], leaves_out: bool) -> str:
    """A check that is not in the rules accepts every entry. Few slots leave anybody out, and
    reading that list takes as long as the other checks."""
    checked = [condition for check, condition in _CHECKS.items() if check in checks]
    left_out = [_IS_NOT_LEFT_OUT] if leaves_out else []
    return " AND ".join([_WAITS, *checked, _HAD_NO_OFFER, *left_out])


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
    suits = _suits(slot.rules.checks, bool(slot.not_to))
    (count,) = db.execute(
        f"SELECT count(*) FROM wl_entry e WHERE {suits} AND ({either})", values
    ).fetchone()
    return count


def services_waited_for(db: Connection, limit: int) -> list[str]:
    rows = db.execute(
        "WITH RECURSIVE found (service) AS ("
        " SELECT min(service) FROM wl_entry INDEXED BY wl_entry_by_joined WHERE status = 'waiting'"
        " UNION ALL SELECT (SELECT min(e.service) FROM wl_entry e INDEXED BY wl_entry_by_joined"
        " WHERE e.status = 'waiting' AND e.service > found.service)"
        " FROM found WHERE found.service IS NOT NULL)"
        " SELECT service FROM found WHERE service IS NOT NULL LIMIT ?",
        (limit,),
    )
    return [service for (service,) in rows]


def count_waiting(db: Connection, service: str) -> int:
    count: int
    (count,) = db.execute(
        "SELECT count(*) FROM wl_entry WHERE service = ? AND status = 'waiting'", (service,)
    ).fetchone()
    return count


def _compared(by: OrderBy, entry: Entry) -> tuple[str, int]:
    """Returns a column that rises along the order, and this entry's value."""
    if by is OrderBy.PRIORITY:
        return "-e.priority", -int(entry.priority)
    return "e.joined_at", seconds(entry.joined_at)


def _wanted(slot: Slot) -> dict[str, str | int]:
    """Returns the values for the conditions, whichever of them apply."""
    opening = slot.opening
    return {
        "service": opening.service,
        "least": slot.least_party,
        "most": opening.capacity,
        "on": slot.on.isoformat(),
        "staff": opening.staff,
        "slot": slot.id,
        "not_to": to_text(slot.not_to) if slot.not_to else "",
    }


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


ENTRY_WRITES: Writes = {
    AddEntry: adds("wl_entry", ENTRY, "entry"),
    WriteEntry: Write("wl_entry", attrgetter("entry.id"), write),
    EntryAsRead: Write(
        "wl_entry",
        attrgetter("entry_id"),
        statement("SELECT 1 FROM wl_entry WHERE entry_id = :entry_id AND version = :version"),
    ),
}
