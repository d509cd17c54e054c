"""Reads and writes versions of the sheets that staff edit, and the state of their sync."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import TYPE_CHECKING

from frontdesk.features.sheet_sync.model import (
    KeepVersion,
    SheetState,
    Version,
    VersionHead,
    sheet_state_setting,
)
from frontdesk.store.sheet_json import (
    head_text,
    ids_at,
    packed,
    read_head,
    unpacked,
    without,
)
from frontdesk.store.sqlite import saved_settings
from frontdesk.store.sqlite.tables import Db, Write, Writes, writes_one

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.schema import Columns


class SqliteSheetReads:
    """Reads the versions of one desk from the table `<desk>_version`."""

    def __init__(self, db: Db, desk: str) -> None:
        self._db = db
        self._desk = desk

    def state(self) -> SheetState:
        return saved_settings.read(self._db(), sheet_state_setting(self._desk))

    def last(self) -> Version | None:
        return self._version("ORDER BY number DESC LIMIT 1")

    def version(self, number: int) -> Version | None:
        return self._version("WHERE number = ?", number)

    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        rows = self._db().execute(
            f"SELECT head FROM {self._desk}_version WHERE ? = 0 OR number < ?"
            " ORDER BY number DESC LIMIT ?",
            (before, before, limit),
        )
        return [read_head(head) for (head,) in rows]

    def _version(self, where: str, *values: int) -> Version | None:
        row = (
            self._db()
            .execute(f"SELECT head, body FROM {self._desk}_version {where}", values)
            .fetchone()
        )
        return None if row is None else unpacked(read_head(row[0]), row[1])


def keep(db: Connection, change: KeepVersion) -> bool:
    version, table = change.version, f"{change.desk}_version"
    return writes_one(
        db,
        f"INSERT INTO {table} (number, head, body) SELECT :number, :head, :body"
        f" WHERE :number = 1 + (SELECT coalesce(max(number), 0) FROM {table})",
        {
            "number": version.head.number,
            "head": head_text(version.head),
            "body": packed(version),
        },
    )


def forget(db: Connection, desk: str, address: str, columns: Columns) -> None:
    """Removes the rows of an erased person from every version, also those with a former address."""
    versions = db.execute(f"SELECT number, body FROM {desk}_version").fetchall()
    ids = {each for _number, body in versions for each in ids_at(body, address, columns)}
    for number, body in versions:
        if (kept := without(body, address, ids)) is not None:
            db.execute(f"UPDATE {desk}_version SET body = ? WHERE number = ?", (kept, number))


VERSION_WRITES: Writes = {
    KeepVersion: Write("version", attrgetter("desk", "version.head.number"), keep),
}
