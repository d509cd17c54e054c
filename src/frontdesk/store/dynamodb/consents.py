"""Reads and writes people's consent to texts: rows of the table of people."""

from __future__ import annotations

from typing import Final

from frontdesk.core.consents import ConsentRecord, WriteConsent
from frontdesk.core.people import PersonId
from frontdesk.store.dynamodb.items import TransactItem, put, put_new
from frontdesk.store.dynamodb.schema import FD_PEOPLE
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows

RECORD: Final = DynamoRows(ConsentRecord)
_KEY: Final = FD_PEOPLE.key.names


def record(reader: TableReader, person_id: PersonId) -> ConsentRecord:
    row = reader.get(FD_PEOPLE, _row_key(person_id))
    if row is None:
        return ConsentRecord(person_id)
    return RECORD.read({**row, "person_id": person_id})


def write(change: WriteConsent) -> TransactItem:
    after = change.record
    row = _row(after)
    if after.version == 1:
        return put_new(FD_PEOPLE.name, _KEY, row)
    return put(FD_PEOPLE.name, _KEY, row, when="version = :before", before=after.version - 1)


def without_statements(reader: TableReader, person_id: str) -> tuple[TransactItem, ...]:
    """Removes all statements and keeps the empty row, so that a late write by another process
    fails."""
    before = record(reader, PersonId(person_id))
    if not before.version:
        return ()
    empty = ConsentRecord(before.person_id, (), before.version + 1)
    return (put(FD_PEOPLE.name, _KEY, _row(empty)),)


def _row(record: ConsentRecord) -> dict[str, Value | None]:
    return {**RECORD.row(record), "person_id": _row_key(record.person_id)}


def _row_key(person_id: str) -> str:
    return f"consent#{person_id}"


CONSENT_WRITES: Writes = {WriteConsent: one(write)}
