"""Reads and writes events, and the imported guest lists."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from frontdesk.core.contacts import BadContact, email_key
from frontdesk.desks.rsvp.changes import AddEvent, AddImport, ImportRow, SettleImportRow, WriteEvent
from frontdesk.desks.rsvp.model import Details, Event, Seats
from frontdesk.errors import Busy
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import EV_EVENT, EV_IMPORTS
from frontdesk.store.dynamodb.table_reader import FIRST_PAUSE_SECONDS, MOST_TRIES, Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Attributes, attributes
from frontdesk.store.rows import DynamoRows, seconds

EVENT: Final = DynamoRows(
    Event,
    {"id": "event_id", "taken": "confirmed_count", "waiting": "waitlist_len"},
    flat={"details": Details, "seats": Seats},
)
_WRITTEN: Final = DynamoRows(WriteEvent, flat={"details": Details})
_KEY: Final = EV_EVENT.key.names


def event(reader: TableReader, event_id: str) -> Event | None:
    row = reader.get(EV_EVENT, event_id)
    return EVENT.read_or_none(row)


def event_by_slug(reader: TableReader, slug: str) -> Event | None:
    row = reader.get(EV_EVENT, _slug_id(slug))
    return None if row is None else event(reader, row["of"])


def events(reader: TableReader, *, not_over_at: datetime | None = None) -> list[Event]:
    """Returns all events, or those that end after an instant, sorted by start. The filter skips
    the rows of slugs: they have no end."""
    end = 0 if not_over_at is None else seconds(not_over_at)
    rows = reader.scan(EV_EVENT, only="ends_at > :end", end=end)
    found = [EVENT.read(row) for row in rows]
    return sorted(found, key=lambda each: (each.details.starts_at, each.id))


def add(_reader: TableReader, change: AddEvent) -> tuple[TransactItem, ...]:
    event = change.event
    row = {**EVENT.row(event), "room": event.seats.room}
    return put_new(EV_EVENT.name, _KEY, row), _add_slug(event.slug, event.id)


def write(reader: TableReader, change: WriteEvent) -> tuple[TransactItem, ...]:
    """Reads the slug before the write. A change of it in between raises the version."""
    columns = _WRITTEN.row(change)
    del columns["event_id"], columns["version"]
    names = ", ".join(f"#{name} = :{name}" for name in columns)
    written = update(
        EV_EVENT.name,
        {"event_id": change.event_id},
        f"SET {names}, version = version + :one",
        when="version = :version",
        version=change.version,
        one=1,
        **columns,
    )
    before = reader.get(EV_EVENT, change.event_id)
    if before is None or before["slug"] == change.slug:
        return (written,)
    gone = delete(EV_EVENT.name, {"event_id": _slug_id(before["slug"])})
    return written, gone, _add_slug(change.slug, change.event_id)


def _add_slug(slug: str, event_id: str) -> TransactItem:
    return put_new(EV_EVENT.name, _KEY, {"event_id": _slug_id(slug), "of": event_id})


def _slug_id(slug: str) -> str:
    return f"slug#{slug}"


EVENT_WRITES: Writes = {AddEvent: Write(add), WriteEvent: Write(write)}


LINES_IN_A_CHUNK: Final = 25
#: The most items in one batch write.
CHUNKS_AT_ONCE: Final = 25
#: Usually enough: the chunk with the row, and the next one.
CHUNKS_AHEAD: Final = 2


def import_row(reader: TableReader, job_id: str, after_line: int) -> ImportRow | None:
    """Returns the first unsettled row after `after_line`."""
    first = after_line // LINES_IN_A_CHUNK
    while chunks := _chunks(reader, job_id, first, limit=CHUNKS_AHEAD):
        for row in _rows_in(chunks):
            if row.line > after_line and not row.outcome:
                return row
        first = chunks[-1]["chunk"] + 1
    return None


def import_rows(reader: TableReader, job_id: str) -> list[ImportRow]:
    return list(_rows_in(_chunks(reader, job_id, 0)))


def _chunks(reader: TableReader, job_id: str, first: int, limit: int | None = None) -> list[Row]:
    found = reader.query(
        EV_IMPORTS, "job_id = :job AND chunk >= :first", limit=limit, job=job_id, first=first
    )
    return list(found)


def _rows_in(chunks: Sequence[Row]) -> Iterator[ImportRow]:
    for chunk in chunks:
        yield from sorted(
            (ImportRow(**row) for row in chunk["rows"].values()), key=lambda row: row.line
        )


def put_rows(reader: TableReader, change: AddImport) -> None:
    """Writes the rows before the job: without a job nothing reads them. Writes the first chunk
    last: if that one exists, all do, and no processed row is written again."""
    chunks = _in_chunks(change)
    if not chunks or reader.get(EV_IMPORTS, change.job_id, min(chunks)) is not None:
        return
    items = [
        attributes({"job_id": change.job_id, "chunk": chunk, "rows": chunks[chunk]})
        for chunk in sorted(chunks, reverse=True)
    ]
    for start in range(0, len(items), CHUNKS_AT_ONCE):
        _put_all(reader, items[start : start + CHUNKS_AT_ONCE])


def _in_chunks(change: AddImport) -> dict[int, dict[str, Any]]:
    """Groups rows into chunks. A row that is already settled has no name and no address."""
    chunks: dict[int, dict[str, Any]] = {}
    for row in change.rows:
        chunk = chunks.setdefault(row.line // LINES_IN_A_CHUNK, {})
        chunk[_name(row.line)] = {
            "line": row.line,
            "name": "" if row.outcome else row.name,
            "email": "" if row.outcome else row.email,
            "party": row.party,
            "outcome": row.outcome,
            "guest_id": row.guest_id,
        }
    return chunks


def _put_all(reader: TableReader, items: Sequence[Attributes]) -> None:
    table = reader.prefix + EV_IMPORTS.name
    left = {table: [{"PutRequest": {"Item": item}} for item in items]}
    for turn in range(MOST_TRIES):
        left = reader.client.batch_write_item(RequestItems=left).get("UnprocessedItems", {})
        if not left:
            return
        time.sleep(FIRST_PAUSE_SECONDS * 2**turn)
    raise Busy("The list could not be written just now.")


def settle(change: SettleImportRow) -> TransactItem:
    return _write_row(
        change.job_id,
        change.line,
        outcome=change.outcome,
        guest_id=change.guest_id,
        when=f"#rows.#{_name(change.line)}.outcome = :open",
        open="",
    )


def _write_row(
    job_id: str, line: int, *, outcome: str, guest_id: str, when: str = "", **values: str
) -> TransactItem:
    row = f"#rows.#{_name(line)}"
    return update(
        EV_IMPORTS.name,
        {"job_id": job_id, "chunk": line // LINES_IN_A_CHUNK},
        f"SET {row}.outcome = :outcome, {row}.guest_id = :guest, {row}.#name = :gone,"
        f" {row}.email = :gone",
        when=when,
        outcome=outcome,
        guest=guest_id,
        gone="",
        **values,
    )


def _name(line: int) -> str:
    return f"line{line}"


def forget(reader: TableReader, email_key: str) -> None:
    """Settles the rows of an erased person as 'erased', and deletes their name and address."""
    for chunk in reader.scan(EV_IMPORTS):
        for row in _rows_in([chunk]):
            if _is_of(row, email_key):
                written = _write_row(
                    chunk["job_id"], row.line, outcome="erased", guest_id=row.guest_id
                )
                reader.write(written)


def _is_of(row: ImportRow, key: str) -> bool:
    if row.outcome:
        return key in row.outcome.lower()
    try:
        return email_key(row.email) == key
    except BadContact:
        return False


IMPORT_WRITES: Writes = {
    AddImport: Write(lambda _reader, _change: (), first=put_rows),
    SettleImportRow: one(settle),
}
