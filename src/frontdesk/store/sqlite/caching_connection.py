"""A connection that reads each row once, for the time of one transaction.

The mails of a batch often need the same event, business and wordings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from sqlite3 import Connection, Cursor
from typing import Any, TypeVar

T = TypeVar("T")
Key = tuple[str, tuple[Any, ...]]


def first(
    db: Connection | CachingConnection, sql: str, values: tuple[Any, ...], read: Callable[[Any], T]
) -> T | None:
    """Returns the first row of a statement as `read` converts it, or None without a row."""
    if isinstance(db, CachingConnection):
        return db.first(sql, values, read)
    row = db.execute(sql, values).fetchone()
    return None if row is None else read(row)


class CachingConnection:
    """Caches the first row of each statement that is read with `fetchone`, and the value of one
    that is read with `first`. The connection must be in a read transaction, so that the same
    statement always has the same result.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._first_rows: dict[Key, Any] = {}
        self._first_values: dict[Key, Any] = {}

    def first(self, sql: str, values: tuple[Any, ...], read: Callable[[Any], T]) -> T | None:
        key = (sql, values)
        try:
            value: T | None = self._first_values[key]
        except KeyError:
            value = self._first_values[key] = first(self._db, sql, values, read)
        return value

    def execute(self, sql: str, values: Any = ()) -> CachedCursor | Cursor:
        if type(values) is not tuple:
            return self._db.execute(sql, values)
        return CachedCursor(self._db, (sql, values), self._first_rows)


class CachedCursor:
    """Runs the statement when its rows are read. It returns the first row, or all rows."""

    def __init__(self, db: Connection, key: Key, first_rows: dict[Key, Any]) -> None:
        self._db = db
        self._key = key
        self._first_rows = first_rows

    def fetchone(self) -> Any:
        try:
            return self._first_rows[self._key]
        except KeyError:
            row = self._first_rows[self._key] = self._db.execute(*self._key).fetchone()
            return row

    def fetchall(self) -> list[Any]:
        return self._db.execute(*self._key).fetchall()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._db.execute(*self._key))
