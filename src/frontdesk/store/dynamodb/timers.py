"""Reads and writes timers: a name and the instant at which it fires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Final

from frontdesk.core.decision import SetTimer, TimerChange, TimerName
from frontdesk.engine.ports import Fired
from frontdesk.store.dynamodb.items import TransactItem, delete, put
from frontdesk.store.dynamodb.schema import AUDITS, FD_TIMERS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.values import EVER
from frontdesk.store.rows import instant, seconds

_STILL_SET: Final = "due_at = :fired"


def items(timers: Sequence[TimerChange]) -> Iterator[TransactItem]:
    """Yields the items that set or delete timers. They have no condition."""
    for timer in timers:
        if isinstance(timer, SetTimer):
            yield put(FD_TIMERS.name, FD_TIMERS.key.names, _row(timer))
        else:
            yield delete(FD_TIMERS.name, {"name": timer.name})


def take(fired: Fired, timers: Sequence[TimerChange]) -> TransactItem:
    """Deletes the fired timer, or moves it if the same commit sets it again.

    Condition: it is still set for this instant.
    """
    due = seconds(fired.due_at)
    for timer in timers:
        if isinstance(timer, SetTimer) and timer.name == fired.name:
            row = _row(timer)
            return put(FD_TIMERS.name, FD_TIMERS.key.names, row, when=_STILL_SET, fired=due)
    return delete(FD_TIMERS.name, {"name": fired.name}, when=_STILL_SET, fired=due)


def _row(timer: SetTimer) -> dict[str, str | int]:
    return {
        "name": timer.name,
        "desk": desk_of(timer.name),
        "due_at": seconds(timer.due_at),
    }


@cache
def desk_of(name: str) -> str:
    """'ev/remind/…' is a timer of the desk 'ev'."""
    desk = name.partition("/")[0]
    assert desk in AUDITS, f"{name} is a timer of no desk"
    return desk


def due(
    reader: TableReader, now: datetime, limit: int, desks: Iterable[str]
) -> list[tuple[TimerName, datetime]]:
    found = [row for desk in desks for row in _by_due(reader, desk, seconds(now), limit)]
    found.sort(key=lambda row: (row["due_at"], row["name"]))
    return [(row["name"], instant(row["due_at"])) for row in found[:limit]]


def next_at(reader: TableReader, desks: Iterable[str] = tuple(AUDITS)) -> datetime | None:
    first = [row["due_at"] for desk in desks for row in _by_due(reader, desk, EVER, 1)]
    return instant(min(first)) if first else None


def _by_due(reader: TableReader, desk: str, until: int, limit: int) -> Iterable[Row]:
    where = "#desk = :desk AND due_at <= :until"
    return reader.query(FD_TIMERS, where, index="by-due", limit=limit, desk=desk, until=until)


def due_at(reader: TableReader, name: TimerName) -> datetime | None:
    row = reader.get(FD_TIMERS, name)
    return None if row is None else instant(row["due_at"])
