"""A connection that reads each row once, for the time of one transaction.

The mails of a batch often need the same event, business and wordings.
"""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection, Cursor
from typing import Any

Key = tuple[str, tuple[Any, ...]]


class CachingConnection:
    """Caches the first row of each statement that is read with `fetchone`. The connection must be
    in a read transaction, so that the same statement always has the same result.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._first_rows: dict[Key, Any] = {}

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
