"""Versions of the list as staff keep it, and how the sync with it stands."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection

from frontdesk.features.sheet_sync.model import (
    SAVED_SHEET_STATE,
    KeepVersion,
    OurRow,
    SheetState,
    Version,
    VersionHead,
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
from frontdesk.store.sqlite.tables import Db, Write, Writes
from frontdesk.store.sqlite.waitlist.entries import ENTRY_COLUMNS, read_entry


class SqliteSheetReads:
    def __init__(self, db: Db) -> None:
        self._db = db

    def ours(self) -> Sequence[OurRow]:
        rows = self._db().execute(
            f"SELECT {ENTRY_COLUMNS}, p.name, p.email, p.mobile, p.erased"
            " FROM wl_entry e JOIN fd_person p USING (person_id) ORDER BY e.entry_id"
        )
        return [
            OurRow(read_entry(row[:-4]), row[-4], row[-3], row[-2], erased=row[-1] == 1)
            for row in rows
        ]

    def state(self) -> SheetState:
        return saved_settings.read(self._db(), SAVED_SHEET_STATE)

    def last(self) -> Version | None:
        return self._version("ORDER BY number DESC LIMIT 1")

    def version(self, number: int) -> Version | None:
        return self._version("WHERE number = ?", number)

    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        rows = self._db().execute(
            "SELECT head FROM wl_version WHERE ? = 0 OR number < ? ORDER BY number DESC LIMIT ?",
            (before, before, limit),
        )
        return [read_head(head) for (head,) in rows]

    def _version(self, where: str, *values: int) -> Version | None:
        row = self._db().execute(f"SELECT head, body FROM wl_version {where}", values).fetchone()
        return None if row is None else unpacked(read_head(row[0]), row[1])


def keep(db: Connection, change: KeepVersion) -> bool:
    version = change.version
    return (
        db.execute(
            "INSERT INTO wl_version (number, head, body) SELECT :number, :head, :body"
            " WHERE :number = 1 + (SELECT coalesce(max(number), 0) FROM wl_version)",
            {
                "number": version.head.number,
                "head": head_text(version.head),
                "body": packed(version),
            },
        ).rowcount
        == 1
    )


def forget(db: Connection, address: str) -> None:
    """The rows of who is erased go from every version, also those with a former address."""
    versions = db.execute("SELECT number, body FROM wl_version").fetchall()
    ids = {each for _number, body in versions for each in ids_at(body, address)}
    for number, body in versions:
        if (kept := without(body, address, ids)) is not None:
            db.execute("UPDATE wl_version SET body = ? WHERE number = ?", (kept, number))


VERSION_WRITES: Writes = {
    KeepVersion: Write("wl_version", attrgetter("version.head.number"), keep),
}
