"""Reads and writes claimed cells and tallies. Each write of a cell compares its holder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.booking.changes import AddToTally, WriteCells
from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.ticks import Cell, Span, TakenTicks
from frontdesk.store.rows import SqliteRows, seconds_or_none
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import SqlValue, Write, Writes, writes_one

CELL: Final = SqliteRows(Cell)
TAKEN: Final = SqliteRows(TakenTicks)
TALLY: Final = SqliteRows(Tally)
_WHERE: Final = (
    "WHERE resource IN (SELECT value FROM json_each(:resources)) AND tick >= :start AND tick < :end"
)


def cells(db: Connection, resources: Collection[str], span: Span) -> list[Cell]:
    rows = db.execute(f"SELECT {CELL.columns} FROM bk_claim {_WHERE}", _values(resources, span))
    return [CELL.read(row) for row in rows]


def taken(db: Connection, resources: Collection[str], span: Span) -> list[TakenTicks]:
    """Returns one row for each holder and resource: its ticks are consecutive."""
    rows = db.execute(
        "SELECT resource, min(tick), max(tick) + 1, count(*) / (max(tick) + 1 - min(tick)), holder"
        f" FROM bk_claim {_WHERE} GROUP BY resource, holder",
        _values(resources, span),
    )
    return [TAKEN.read(row) for row in rows]


def _values(resources: Collection[str], span: Span) -> dict[str, str | int]:
    return {"resources": to_text(sorted(resources)), "start": span.start, "end": span.end}


def every_cell(db: Connection) -> list[Cell]:
    rows = db.execute(f"SELECT {CELL.columns} FROM bk_claim ORDER BY resource, tick, place")
    return [CELL.read(row) for row in rows]


def write_cells(db: Connection, change: WriteCells) -> bool:
    """Writes all cells of an hour. A statement for each cell would take twice as long."""
    taken: list[SqlValue] = []
    exchanged, freed, compared = [], [], []
    for cell in change.cells:
        key = (change.resource, cell.tick, cell.place)
        if cell.before and cell.after:
            exchanged.append((cell.after, *key, cell.before))
        elif cell.before:
            freed.append((*key, cell.before))
        elif cell.after:
            taken += (*key, cell.after)
        else:
            compared.append(key)
    return (
        _takes_all(db, taken)
        and _writes_all(db, _EXCHANGE, exchanged)
        and _writes_all(db, _FREE, freed)
        and all(db.execute(_FIND, key).fetchone() is None for key in compared)
    )


def write_hours(db: Connection, changes: Sequence[WriteCells]) -> WriteCells | None:
    """Takes free cells of several hours and resources in one statement, as most claims do."""
    taken: list[SqlValue] = []
    for change in changes:
        for cell in change.cells:
            if cell.before or not cell.after:
                return next((each for each in changes if not write_cells(db, each)), None)
            taken += (change.resource, cell.tick, cell.place, cell.after)
    if _takes_all(db, taken):
        return None
    return next((each for each in changes if not _holds(db, each)), changes[0])


def _holds(db: Connection, change: WriteCells) -> bool:
    """Whether all cells have the holder that was to be written."""
    return all(
        db.execute(
            f"SELECT holder FROM bk_claim {_CELL}", (change.resource, cell.tick, cell.place)
        ).fetchone()
        == (cell.after,)
        for cell in change.cells
    )


def _takes_all(db: Connection, values: Sequence[SqlValue]) -> bool:
    """Takes many cells in one statement. Returns whether all of them were free."""
    for first in range(0, len(values), _MOST_VALUES):
        some = values[first : first + _MOST_VALUES]
        if db.execute(_take(len(some) // 4), some).rowcount < len(some) // 4:
            return False
    return True


@cache
def _take(cells: int) -> str:
    rows = ", ".join(["(?, ?, ?, ?)"] * cells)
    return f"INSERT OR IGNORE INTO bk_claim (resource, tick, place, holder) VALUES {rows}"


def _writes_all(db: Connection, sql: str, rows: Sequence[Sequence[SqlValue]]) -> bool:
    """Returns whether each of the conditional writes wrote its row."""
    return not rows or db.executemany(sql, rows).rowcount == len(rows)


#: SQLite takes no more than 32,766 in one statement; a large party takes many places.
_MOST_VALUES: Final = 4 * 1_000
_CELL: Final = "WHERE resource = ? AND tick = ? AND place = ?"
_EXCHANGE: Final = f"UPDATE bk_claim SET holder = ? {_CELL} AND holder = ?"
_FREE: Final = f"DELETE FROM bk_claim {_CELL} AND holder = ?"
_FIND: Final = f"SELECT 1 FROM bk_claim {_CELL}"


_TALLIES: Final = (
    f"SELECT {TALLY.of('t')} FROM json_each(?) JOIN bk_tally t"
    " ON t.scope = value ->> 0 AND t.period = value ->> 1"
)


def tallies(db: Connection, keys: Collection[tuple[str, str]]) -> list[Tally]:
    rows = db.execute(_TALLIES, (to_text(sorted(keys)),))
    return [TALLY.read(row) for row in rows]


def every_tally(db: Connection) -> list[Tally]:
    rows = db.execute(f"SELECT {TALLY.columns} FROM bk_tally ORDER BY scope, period")
    return [TALLY.read(row) for row in rows]


def add_to_tally(db: Connection, change: AddToTally) -> bool:
    """Adds to a row, or inserts it: a missing row is zero, also for the condition."""
    values: dict[str, str | int | None] = {
        "scope": change.scope,
        "period": change.period,
        "bookings": change.bookings,
        "minutes": change.minutes,
        "at": seconds_or_none(change.at),
        "bookings_room": change.bookings_room,
        "minutes_room": change.minutes_room,
        "seen": change.seen,
    }
    is_first = change.seen == 0
    likely, other = (_INSERT, _ADD) if is_first else (_ADD, _INSERT)
    return writes_one(db, likely, values) or writes_one(db, other, values)


def add_to_tallies(db: Connection, changes: Sequence[AddToTally]) -> AddToTally | None:
    """Adds to all tallies without a condition in one statement, and to the others one by one."""
    plain: list[SqlValue] = []
    others: list[AddToTally] = []
    for change in changes:
        if change.bookings >= 0 and change.minutes >= 0 and _has_no_condition(change):
            at = seconds_or_none(change.at)
            plain += (change.scope, change.period, change.bookings, change.minutes, at)
        else:
            others.append(change)
    if plain:
        db.execute(_add_or_insert(len(plain) // 5), plain)
    return next((change for change in others if not add_to_tally(db, change)), None)


def _has_no_condition(change: AddToTally) -> bool:
    return (change.bookings_room, change.minutes_room, change.seen) == (None, None, None)


_SUMS: Final = (
    "bookings = bookings + :bookings, minutes = minutes + :minutes,"
    " last_at = coalesce(:at, last_at)"
)


@cache
def _add_or_insert(tallies: int) -> str:
    rows = ", ".join(["(?, ?, ?, ?, ?)"] * tallies)
    return (
        f"INSERT INTO bk_tally (scope, period, bookings, minutes, last_at) VALUES {rows}"
        " ON CONFLICT (scope, period) DO UPDATE SET bookings = bookings + excluded.bookings,"
        " minutes = minutes + excluded.minutes, last_at = coalesce(excluded.last_at, last_at)"
    )


_ADD: Final = (
    f"UPDATE bk_tally SET {_SUMS} WHERE scope = :scope AND period = :period"
    " AND (:bookings_room IS NULL OR bookings <= :bookings_room)"
    " AND (:minutes_room IS NULL OR minutes <= :minutes_room)"
    " AND (:seen IS NULL OR bookings = :seen)"
)
_INSERT: Final = (
    "INSERT INTO bk_tally (scope, period, bookings, minutes, last_at)"
    " SELECT :scope, :period, :bookings, :minutes, :at"
    " WHERE (:bookings_room IS NULL OR :bookings_room >= 0)"
    " AND (:minutes_room IS NULL OR :minutes_room >= 0) AND (:seen IS NULL OR :seen = 0)"
    " AND NOT EXISTS (SELECT 1 FROM bk_tally WHERE scope = :scope AND period = :period)"
)


CLAIM_WRITES: Writes = {
    WriteCells: Write("bk_claim", attrgetter("resource", "hour"), write_cells, write_hours),
    AddToTally: Write("bk_tally", attrgetter("scope", "period"), add_to_tally, add_to_tallies),
}
