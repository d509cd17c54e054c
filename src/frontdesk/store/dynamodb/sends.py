"""Reads and writes the ledger of sends, and copies of sent messages."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final

from frontdesk.core.sends import (
    CountText,
    DeferSend,
    EndSend,
    FinishSend,
    MarkUndelivered,
    QueueSend,
    Send,
    SendState,
    SentMessage,
    SpendOnText,
    StartSend,
    Via,
)
from frontdesk.store.dynamodb.items import TransactItem, apply, put, put_new, update
from frontdesk.store.dynamodb.schema import FD_MESSAGES, FD_RATELIMIT, FD_SENDS
from frontdesk.store.dynamodb.table_reader import AT_ONCE, Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import EVER, Item, Value
from frontdesk.store.rows import DynamoRows, instant, seconds, seconds_or_none

WAITING: Final = (SendState.QUEUED, SendState.HELD)
SEND: Final = DynamoRows(Send, {"id": "send_id", "params": "words"})
KEPT: Final = DynamoRows(SentMessage)
_WORDY: Final = ("text", "html")


def read_kept(row: Row) -> SentMessage:
    return KEPT.read({**row, **{name: zlib.decompress(row[name]).decode() for name in _WORDY}})


def send(reader: TableReader, send_id: str) -> Send | None:
    row = reader.get(FD_SENDS, send_id)
    return SEND.read_or_none(row)


def sent_message(reader: TableReader, send_id: str) -> SentMessage | None:
    row = reader.get(FD_MESSAGES, send_id)
    return None if row is None else read_kept(row)


def newest_to(reader: TableReader, person_id: str, limit: int) -> list[Send]:
    entries = reader.query(
        FD_SENDS,
        "person_id = :person",
        index="by-person",
        backwards=True,
        limit=limit,
        person=person_id,
    )
    found = [SEND.read(row) for row in whole(reader, entries)]
    return sorted(found, key=lambda send: (-send.queued_at.timestamp(), send.id))


def due(reader: TableReader, now: datetime, limit: int) -> list[Send]:
    found = [row for state in WAITING for row in _by_state(reader, state, seconds(now), limit)]
    found.sort(key=lambda row: (row["due_at"], row["send_id"]))
    return [SEND.read(row) for row in found[:limit]]


def next_at(reader: TableReader) -> datetime | None:
    first = [row["due_at"] for state in WAITING for row in _by_state(reader, state, EVER, 1)]
    return instant(min(first)) if first else None


def sends_in(reader: TableReader, state: SendState, limit: int) -> list[Send]:
    """Returns the `limit` sends that are due first, sorted by the time they were queued."""
    rows = list(_by_state(reader, state, EVER, limit))
    rows.sort(key=lambda row: (row["queued_at"], row["send_id"]))
    return [SEND.read(row) for row in rows]


def _by_state(reader: TableReader, state: SendState, until: int, limit: int) -> Iterable[Row]:
    return reader.query(
        FD_SENDS,
        "#state = :state AND due_at <= :until",
        index="by-state",
        limit=limit,
        state=state.value,
        until=until,
    )


def sends_of(reader: TableReader, person_id: str) -> list[str]:
    """Returns the ids of all sends of a person."""
    rows = reader.query(FD_SENDS, "person_id = :person", index="by-person", person=person_id)
    return [row["send_id"] for row in rows]


def counts(reader: TableReader) -> dict[SendState, int]:
    """Counts all sends by state. States without any are left out."""
    where = "#state = :state"
    found = {
        state: reader.count(FD_SENDS, where, index="by-state", state=state.value)
        for state in SendState
    }
    return {state: count for state, count in found.items() if count}


def queued_since(
    reader: TableReader, since: datetime, *, via: Via | None = None
) -> dict[SendState, int]:
    """Counts the sends queued since then by state. None is due before it is queued, so the index
    by due time finds them."""
    which = {"via": via.value} if via else {}
    found = {
        state: reader.count(
            FD_SENDS,
            "#state = :state AND due_at >= :since",
            index="by-state",
            only="queued_at >= :since" + (" AND via = :via" if via else ""),
            state=state.value,
            since=seconds(since),
            **which,
        )
        for state in SendState
    }
    return {state: count for state, count in found.items() if count}


def whole(reader: TableReader, entries: Iterable[Row]) -> Iterator[Row]:
    """Yields the whole rows of index entries, in the order of the entries."""
    entries = iter(entries)
    while together := [(entry["send_id"],) for entry in islice(entries, AT_ONCE)]:
        rows = reader.get_many(FD_SENDS, together)
        yield from (rows[key] for key in together if key in rows)


def queue(change: QueueSend) -> TransactItem:
    note = change.note
    row: Item = {
        "send_id": change.send_id,
        "key": note.key,
        "desk": change.desk,
        "kind": note.kind,
        "person_id": change.person_id,
        "subject": note.subject,
        "about": note.about,
        "state": SendState.QUEUED.value,
        "queued_at": seconds(change.at),
        "due_at": seconds(change.at),
        "quiet": note.quiet.value,
        "tell_by": seconds_or_none(note.tell_by),
        "attempts": 0,
        "why": "",
        "words": dict(note.params),
        "wakes": None if change.in_hand else "messenger",
    }
    return put_new(FD_SENDS.name, FD_SENDS.key.names, row)


def start(change: StartSend) -> TransactItem:
    return _move(
        change,
        "SET #state = :sending, via = :via, attempts = attempts + :one, why = :nothing",
        when="#state = :before AND attempts = :attempts",
        sending=SendState.SENDING.value,
    )


def finish(_reader: TableReader, change: FinishSend) -> tuple[TransactItem, ...]:
    sent = _move(
        change,
        "SET #state = :sent, via = :via, sent_at = :at, why = :nothing",
        when="#state = :before",
        sent=SendState.SENT.value,
        via=change.kept.via.value,
        at=seconds(change.kept.sent_at),
    )
    return (sent,)


def keep(reader: TableReader, change: FinishSend) -> None:
    """Writes the copy before the transaction: inside it would cost twice as much, and nobody reads
    the copy before the send is finished."""
    reader.write(put(FD_MESSAGES.name, FD_MESSAGES.key.names, kept_row(change.kept)))


def kept_row(kept: SentMessage) -> dict[str, Any]:
    """Compresses the texts: HTML is the largest part of a row."""
    wordy = {name: zlib.compress(getattr(kept, name).encode()) for name in _WORDY}
    return {**KEPT.row(kept), **wordy}


def defer(change: DeferSend) -> TransactItem:
    moves = "SET #state = :after, due_at = :due_at, why = :why"
    return _move(change, moves, when="#state = :before")


def end(change: EndSend) -> TransactItem:
    return _move(change, "SET #state = :after, why = :why", when="#state = :before")


def mark_undelivered(change: MarkUndelivered) -> TransactItem:
    when = "#state = :sent AND why = :nothing"
    return _move(change, "SET why = :why", when=when, sent=SendState.SENT.value)


def _move(
    change: StartSend | FinishSend | DeferSend | EndSend | MarkUndelivered,
    set_: str,
    *,
    when: str,
    **more: Value,
) -> TransactItem:
    key = {"send_id": change.send_id}
    return apply(FD_SENDS.name, key, change, set_, when=when, **more)


#: How long the count of a day is stored, so that staff can look it up later.
_COUNTED_FOR: Final = timedelta(days=7)


def texts_on(reader: TableReader, on: date) -> int:
    row = reader.get(FD_RATELIMIT, _texts_key(on))
    return 0 if row is None else int(row["sent"])


def count_text(change: CountText) -> TransactItem:
    midnight = datetime.combine(change.on, time(), UTC)
    return update(
        FD_RATELIMIT.name,
        {"bucket": _texts_key(change.on)},
        "SET sent = :after, expires_at = :gone",
        when="sent = :before" if change.before else "attribute_not_exists(sent)",
        after=change.before + 1,
        gone=seconds(midnight + _COUNTED_FOR),
        **({"before": change.before} if change.before else {}),
    )


#: How long the sum of a month is stored.
_SPENT_FOR: Final = timedelta(days=100)


def text_spend(reader: TableReader, month: date) -> int:
    row = reader.get(FD_RATELIMIT, _spend_key(month))
    return 0 if row is None else int(row["micros"])


def spend_on_text(change: SpendOnText) -> TransactItem:
    begins_at = datetime.combine(change.month, time(), UTC)
    return update(
        FD_RATELIMIT.name,
        {"bucket": _spend_key(change.month)},
        "SET micros = :after, expires_at = :gone",
        when="micros = :before" if change.before else "attribute_not_exists(micros)",
        after=change.before + change.cost,
        gone=seconds(begins_at + _SPENT_FOR),
        **({"before": change.before} if change.before else {}),
    )


def _spend_key(month: date) -> str:
    return f"spend#{month.isoformat()}"


def _texts_key(on: date) -> str:
    return f"texts#{on.isoformat()}"


SEND_WRITES: Writes = {
    QueueSend: one(queue, optional=True),
    StartSend: one(start),
    FinishSend: Write(finish, first=keep),
    DeferSend: one(defer),
    EndSend: one(end),
    MarkUndelivered: one(mark_undelivered),
    CountText: one(count_text),
    SpendOnText: one(spend_on_text),
}
