"""Reads and writes entries, and finds the next entries that suit a slot.

All entries are in one partition. A second row finds an entry by its person and service: a person
is on the list once for each service. While an entry waits, it has a place in both orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.changes import AddEntry, EntryAsRead, WriteEntry
from frontdesk.desks.waitlist.model import (
    Check,
    Entry,
    EntryId,
    EntryStatus,
    OrderBy,
    Slot,
)
from frontdesk.store.dynamodb.items import TransactItem, put_new, update
from frontdesk.store.dynamodb.partitions import BEFORE_ALL, Partition, person_shelf
from frontdesk.store.dynamodb.schema import WL_ENTRIES
from frontdesk.store.dynamodb.sort_keys import moment, named
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.waitlist import offers
from frontdesk.store.rows import DynamoRows
from frontdesk.values import replace

ENTRY: Final = DynamoRows(Entry, {"id": "entry_id"}, sparse=("no_more", "mail_only"))
ENTRIES: Final = Partition(WL_ENTRIES, "entries", ENTRY)
#: The next candidate is usually among so many.
_AT_FIRST: Final = 100
#: Sorts after the digits of an instant.
_AFTER_ALL_INSTANTS: Final = "~"
#: The index for each order, and its sort key.
_INDEXES: Final[Mapping[tuple[OrderBy, ...], tuple[str, str]]] = {
    (OrderBy.PRIORITY, OrderBy.JOINED): ("by-priority", "place"),
    (OrderBy.JOINED,): ("by-joined", "joined"),
}


def entries_of(reader: TableReader, person_id: str) -> list[Entry]:
    """Returns a person's entries, sorted by service."""
    mine = reader.query(WL_ENTRIES, "shelf = :person", person=person_shelf(person_id))
    found = ENTRIES.get_many(reader, [row["of"] for row in mine])
    return sorted(found, key=lambda each: each.service)


def forget_consent(reader: TableReader, entry_id: str) -> None:
    key = ENTRIES.key(entry_id)
    reader.write(update(WL_ENTRIES.name, key, "SET consent = :empty", empty=""))


def persons(reader: TableReader, entry_ids: Iterable[EntryId]) -> dict[EntryId, PersonId]:
    """Returns the person id of each entry."""
    return {each.id: each.person_id for each in ENTRIES.get_many(reader, entry_ids)}


def candidates(reader: TableReader, slot: Slot, limit: int) -> list[Entry]:
    walk = _suitable(reader, slot, "begins_with(#place, :service)")
    return [ENTRY.read(row) for row in islice(walk, limit)]


def ahead(reader: TableReader, slot: Slot, entry: Entry) -> int:
    """Counts the entries before this one for the slot, as if this one were for its service."""
    _, attribute = _INDEXES[slot.rules.order]
    mine = _places(replace(entry, service=slot.opening.service))[attribute]
    walk = _suitable(reader, slot, "#place BETWEEN :service AND :mine", mine=mine)
    return sum(row["entry_id"] != entry.id for row in walk)


def _suitable(reader: TableReader, slot: Slot, where: str, **values: Any) -> Iterator[Row]:
    """Yields waiting entries that suit the slot and got no offer of it, in the slot's order."""
    index, attribute = _INDEXES[slot.rules.order]
    only, compared = _checks(slot)
    left_out = {offer.entry_id for offer in offers.of_slot(reader, slot.id)} | set(slot.not_to)
    rows = reader.query(
        WL_ENTRIES,
        f"shelf = :shelf AND {where.replace('#place', attribute)}",
        index=index,
        only=only,
        at_first=_AT_FIRST,
        shelf=ENTRIES.shelf,
        service=named(slot.opening.service),
        **compared,
        **values,
    )
    return (row for row in rows if row["entry_id"] not in left_out)


def _checks(slot: Slot) -> tuple[str, dict[str, Any]]:
    """Returns a filter for the checks in the slot's rules, and its values."""
    checks = {
        Check.PARTY: "party BETWEEN :least AND :most",
        Check.DATE: "earliest_on <= :on AND latest_on >= :on",
        Check.STAFF: "staff IN (:anybody, :staff)",
    }
    values: dict[Check, dict[str, Any]] = {
        Check.PARTY: {"least": slot.least_party, "most": slot.opening.capacity},
        Check.DATE: {"on": slot.on.isoformat()},
        Check.STAFF: {"anybody": "", "staff": slot.opening.staff},
    }
    counts = [each for each in checks if each in slot.rules.checks]
    compared = {name: value for each in counts for name, value in values[each].items()}
    return " AND ".join(checks[each] for each in counts), compared


def soonest_to_expire(reader: TableReader, limit: int) -> list[Entry]:
    return list(ENTRIES.query(reader, index="by-latest", limit=limit))


def services_waited_for(reader: TableReader, limit: int) -> list[str]:
    found: list[str] = []
    after = BEFORE_ALL
    while len(found) < limit:
        first = ENTRIES.query(reader, "joined > :after", index="by-joined", limit=1, after=after)
        if (entry := next(first, None)) is None:
            break
        found.append(entry.service)
        after = named(entry.service) + _AFTER_ALL_INSTANTS
    return sorted(found)


def count_waiting(reader: TableReader, service: str) -> int:
    return reader.count(
        WL_ENTRIES,
        "shelf = :shelf AND begins_with(joined, :service)",
        index="by-joined",
        shelf=ENTRIES.shelf,
        service=named(service),
    )


def entries(
    reader: TableReader, *, status: EntryStatus | None = None, limit: int = 100, after: str = ""
) -> list[Entry]:
    if status is None:
        return ENTRIES.page(reader, limit=limit, after=after)
    found = ENTRIES.query(
        reader,
        "entry_id > :after",
        only="#status = :status",
        limit=limit,
        after=after or BEFORE_ALL,
        status=status.value,
    )
    return list(found)


def add(_reader: TableReader, change: AddEntry) -> tuple[TransactItem, ...]:
    entry = change.entry
    by_person = {"shelf": person_shelf(entry.person_id), "entry_id": entry.service, "of": entry.id}
    found_by = put_new(WL_ENTRIES.name, WL_ENTRIES.key.names, by_person)
    return ENTRIES.add(entry, _waiting_places(entry)), found_by


def write(change: WriteEntry) -> TransactItem:
    """Condition also: person and service are the same, because the second row names them."""
    entry = change.entry
    same = {"person": entry.person_id, "service": entry.service}
    only = "person_id = :person AND service = :service"
    return ENTRIES.replace(entry, _waiting_places(entry), when=only, **same)


def as_read(change: EntryAsRead) -> TransactItem:
    return ENTRIES.as_read(change.entry_id, change.version)


def _waiting_places(entry: Entry) -> dict[str, str]:
    return _places(entry) if entry.status is EntryStatus.WAITING else {}


def _places(entry: Entry) -> dict[str, str]:
    """Returns the sort keys: for both orders, and `latest` for expiry."""
    joined = moment(entry.joined_at) + entry.id
    service = named(entry.service)
    return {
        "place": f"{service}{int(not entry.priority)}{joined}",
        "joined": f"{service}{joined}",
        "latest": entry.latest_on.isoformat() + entry.id,
    }


ENTRY_WRITES: Writes = {
    AddEntry: Write(add),
    WriteEntry: one(write),
    EntryAsRead: one(as_read),
}
