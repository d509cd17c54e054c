"""The types that each module of this store provides: writes of changes, and reads of a desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from operator import attrgetter
from sqlite3 import Connection
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec.structs import asdict

from frontdesk.core.decision import Change, Fact
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.values import Frozen

Db = Callable[[], Connection]
"""Returns the connection to read from: the writer's, or that of the calling thread."""
SqlValue = str | int | bytes | None
P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V", bound=Frozen)


def delegate(
    function: Callable[Concatenate[Connection, P], R],
) -> Callable[Concatenate[Any, P], R]:
    """Returns a method for a desk's reads that calls the function with their connection."""

    def method(self: Any, /, *args: P.args, **named: P.kwargs) -> R:
        return function(self._db(), *args, **named)

    return method


PartWrite = Callable[[Connection], object]
"""Writes a part of a change's rows."""


class Write(Frozen):
    """One conditional write. `apply` returns whether its condition held; `row` names its row.

    The store asserts that a commit touches no row twice, as DynamoDB requires.
    """

    table: str
    row: Callable[[Any], object]
    apply: Callable[[Connection, Any], bool]
    together: Callable[[Connection, Sequence[Any]], Change | None] | None = None
    """Applies several changes at once. Returns the first whose condition did not hold."""
    missing_parts: Callable[[Connection, Any], Sequence[PartWrite]] = lambda _db, _change: ()
    """For a change with too many rows for one commit: the parts that are not written yet. Each gets
    a commit of its own, in this order, before the commit of the change. A repeat does no harm."""
    drop_parts: Callable[[Connection, Any], object] = lambda _db, _change: None
    """Deletes these parts again, if the change was not committed in the end."""


Writes = Mapping[type[Change], Write]


def writes_one(
    db: Connection, sql: str, values: Sequence[SqlValue] | Mapping[str, SqlValue]
) -> bool:
    """Runs a conditional write. Returns whether it wrote exactly one row."""
    return db.execute(sql, values).rowcount == 1


def statement(sql: str) -> Callable[[Connection, Any], bool]:
    """Returns the conditional write of a change. Its fields are the parameters: `:seats`. A SELECT
    writes nothing; its condition holds if it finds a row."""
    if sql.startswith("SELECT"):
        return lambda db, change: db.execute(sql, _parameters(change)).fetchone() is not None
    return lambda db, change: writes_one(db, sql, _parameters(change))


def adds(table: str, rows: SqliteRows[Any], field: str, *key: str) -> Write:
    """Adds the row in this field of a change. Condition: the table has none with its key."""
    value, row = attrgetter(field), attrgetter(*(f"{field}.{each}" for each in key or ("id",)))
    return Write(table, row, lambda db, change: add_row(db, table, rows, value(change)))


def add_row(db: Connection, table: str, rows: SqliteRows[V], value: V) -> bool:
    """Adds a row. Returns False if the table has one with its key."""
    sql = f"INSERT INTO {table} ({rows.columns}) VALUES ({rows.marks}) ON CONFLICT DO NOTHING"
    return writes_one(db, sql, rows.values(value))


def replaces(table: str, rows: SqliteRows[Any], field: str) -> Write:
    """Replaces the row with the id of the one in this field of a change. Condition: it has the
    version before."""
    value = attrgetter(field)
    return Write(
        table,
        attrgetter(f"{field}.id"),
        lambda db, change: replace_row(db, table, rows, value(change)),
    )


def replace_row(db: Connection, table: str, rows: SqliteRows[Any], value: Any) -> bool:
    """Finds the row by its id, the first column. Returns False unless it has the version before."""
    row_id, *others = rows.values(value)
    sql = f"UPDATE {table} SET {rows.sets(1)} WHERE {rows.names[0]} = ? AND version = ?"
    return writes_one(db, sql, (*others, row_id, value.version - 1))


def _parameters(change: Change) -> dict[str, SqlValue]:
    return {name: _sql_value(value) for name, value in asdict(change).items()}


def _sql_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return seconds(value)
    return value.value if isinstance(value, Enum) else value


class DeskTables(Frozen):
    """One desk in this store: its writes, its reads, its facts."""

    code: str
    writes: Writes
    reads: Callable[[Db, FactJson], Any]
    facts: tuple[type[Fact], ...]
    forget: Callable[[Connection, str], None] = lambda _db, _email_key: None
    """Erases this desk's rows with this address or number."""
    forget_person: Callable[[Connection, str], None] = lambda _db, _person_id: None
    """Erases this desk's rows about a person, whatever address they contain."""
    delete_leftovers: Callable[[Connection], None] = lambda _db: None
    """Deletes parts of a change that was never committed, because the process was killed."""
