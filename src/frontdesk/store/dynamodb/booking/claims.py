"""Reads and writes claimed cells and tallies. Each write of a cell compares its holder.

A row has the cells of one resource in one hour: the attribute 'm05_0' is the first place of the
tick at five past. `rev` counts its writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any, Final

from frontdesk.desks.booking.changes import AddToTally, CellWrite, WriteCells
from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.booking.ticks import TICK_SECONDS, TICKS_PER_HOUR, Cell, Span, TakenTicks
from frontdesk.store.dynamodb.items import TransactItem, put, update
from frontdesk.store.dynamodb.schema import TBL_BOOKINGS, TBL_CLAIMS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows, seconds

TALLY: Final = DynamoRows(Tally)
TALLIES: Final = "tally#"
#: More cells are compared by the row's revision: an expression has at most 4 KB.
MOST_COMPARED: Final = 40
_TICK_MINUTES: Final = TICK_SECONDS // 60


def cells(reader: TableReader, resources: Collection[str], span: Span) -> list[Cell]:
    found = (cell for each in sorted(set(resources)) for cell in _cells_of(reader, each, span))
    return [cell for cell in found if span.start <= cell.tick < span.end]


def _cells_of(reader: TableReader, resource: str, span: Span) -> Iterator[Cell]:
    rows = reader.query(
        TBL_CLAIMS,
        "#resource = :resource AND #hour BETWEEN :first AND :last",
        resource=resource,
        first=span.start // TICKS_PER_HOUR,
        last=(span.end - 1) // TICKS_PER_HOUR,
    )
    for row in rows:
        yield from _cells_in(row)


def _cells_in(row: Row) -> Iterator[Cell]:
    resource, first = ResourceId(row["resource"]), row["hour"] * TICKS_PER_HOUR
    for name, holder in row.items():
        minute, _, place = name.partition("_")
        if minute.startswith("m") and place:
            yield Cell(resource, first + int(minute[1:]) // _TICK_MINUTES, int(place), holder)


def taken(reader: TableReader, resources: Collection[str], span: Span) -> list[TakenTicks]:
    """Returns one row for each holder and resource: its ticks are consecutive."""
    found = sorted(cells(reader, resources, span), key=lambda cell: (cell.resource, cell.holder))
    return [
        _ticks_of(resource, holder, [cell.tick for cell in theirs])
        for (resource, holder), theirs in groupby(found, lambda cell: (cell.resource, cell.holder))
    ]


def _ticks_of(resource: ResourceId, holder: str, ticks: list[int]) -> TakenTicks:
    start, end = min(ticks), max(ticks) + 1
    return TakenTicks(resource, start, end, len(ticks) // (end - start), holder)


def every_cell(reader: TableReader) -> list[Cell]:
    found = (cell for row in reader.scan(TBL_CLAIMS) for cell in _cells_in(row))
    return sorted(found, key=lambda cell: (cell.resource, cell.tick, cell.place))


def write_cells(reader: TableReader, change: WriteCells) -> tuple[TransactItem, ...]:
    many = len(change.cells) > MOST_COMPARED
    return (_write_row(reader, change) if many else _write_cells(change),)


def _write_cells(change: WriteCells) -> TransactItem:
    """Compares and sets single cells, so that concurrent writes of other cells do no harm."""
    holders: dict[str, str] = {}

    def named(holder: str) -> str:
        return holders.setdefault(holder, f"h{len(holders)}")

    conditions, sets, removes = [], ["#rev = if_not_exists(#rev, :none) + :one"], []
    for cell in change.cells:
        name = _attribute(cell)
        same = f"{name} = :{named(cell.before)}" if cell.before else ""
        conditions.append(same or f"attribute_not_exists({name})")
        if cell.after == cell.before:
            continue
        if cell.after:
            sets.append(f"{name} = :{named(cell.after)}")
        else:
            removes.append(name)
    values: dict[str, Value] = {name: holder for holder, name in holders.items()}
    expression = f"SET {', '.join(sets)}" + (f" REMOVE {', '.join(removes)}" if removes else "")
    return update(
        TBL_CLAIMS.name,
        _key(change),
        expression,
        when=" AND ".join(conditions),
        none=0,
        one=1,
        **values,
    )


def _write_row(reader: TableReader, change: WriteCells) -> TransactItem:
    """Compares the cells of the row as read. Condition: its revision is still the same."""
    key = _key(change)
    row = reader.get(TBL_CLAIMS, change.resource, change.hour)
    now: dict[str, Any] = dict(row or key)
    if any(now.get(_attribute(cell), "") != cell.before for cell in change.cells):
        return update(TBL_CLAIMS.name, key, "SET #rev = :never", when="#rev = :never", never=-1)
    for cell in change.cells:
        now[_attribute(cell)] = cell.after or None
    rev = now.get("rev", 0)
    now["rev"] = rev + 1
    names = TBL_CLAIMS.key.names
    if row is None:
        return put(TBL_CLAIMS.name, names, now, when="attribute_not_exists(#rev)")
    return put(TBL_CLAIMS.name, names, now, when="#rev = :rev", rev=rev)


def _key(change: WriteCells) -> dict[str, Value]:
    return {"resource": change.resource, "hour": change.hour}


def _attribute(cell: CellWrite) -> str:
    return f"m{cell.tick % TICKS_PER_HOUR * _TICK_MINUTES:02}_{cell.place}"


def tallies(reader: TableReader, keys: Collection[tuple[str, str]]) -> list[Tally]:
    rows = reader.get_many(TBL_BOOKINGS, [(TALLIES + scope, period) for scope, period in keys])
    return [TALLY.read(row) for row in rows.values()]


def every_tally(reader: TableReader) -> list[Tally]:
    rows = reader.scan(TBL_BOOKINGS, only="begins_with(#shelf, :tallies)", tallies=TALLIES)
    return sorted((TALLY.read(row) for row in rows), key=lambda tally: (tally.scope, tally.period))


def add_to_tally(change: AddToTally) -> TransactItem:
    """Adds to a row, or creates it: a missing row is zero, also for the condition."""
    values: dict[str, Value] = {"bookings": change.bookings, "minutes": change.minutes}
    conditions = []
    for name, room in (("bookings", change.bookings_room), ("minutes", change.minutes_room)):
        if room is not None:
            values[f"{name}_room"] = room
            missing = f"attribute_not_exists(#{name}) OR " if room >= 0 else ""
            conditions.append(f"({missing}#{name} <= :{name}_room)")
    if change.seen is not None:
        values["seen"] = change.seen
        missing = "attribute_not_exists(#bookings) OR " if change.seen == 0 else ""
        conditions.append(f"({missing}#bookings = :seen)")
    set_ = "SET #scope = :scope, #period = :period"
    if change.at is not None:
        values["at"] = seconds(change.at)
        set_ += ", last_at = :at"
    return update(
        TBL_BOOKINGS.name,
        {"shelf": TALLIES + change.scope, "id": change.period},
        f"{set_} ADD #bookings :bookings, #minutes :minutes",
        when=" AND ".join(conditions),
        scope=change.scope,
        period=change.period,
        **values,
    )


CLAIM_WRITES: Writes = {WriteCells: Write(write_cells), AddToTally: one(add_to_tally)}
