"""Opens the data file: the writer's connection, readers' connections, and migrations."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from frontdesk.core.contacts import email_key_or_empty, keyed
from frontdesk.engine.keys import number_key, number_key_in
from frontdesk.errors import BadSettings, StoreDamaged, os_reason

#: 'Fdsk', so that Frontdesk and the tool `file` recognise our files.
APPLICATION_ID: Final = int.from_bytes(b"Fdsk", "big")
_STATEMENTS_KEPT: Final = 512
#: Holds a simulated year in memory: one connection reads and writes it all.
_SIMULATION_CACHE_KIB: Final = 131_072


class ReadOnlyConnection(sqlite3.Connection):
    """A connection that cannot write. It is a class because plain ones allow no weak references."""


def open_writer(path: Path, *, durable: bool = True) -> sqlite3.Connection:
    """Opens the only connection that writes. Checks that the file is ours, and migrates it.

    Unless `durable`, a commit may be lost in a power failure, and the journal is in memory: for
    simulations.
    """
    try:
        path.touch(mode=0o600)
        db = sqlite3.connect(
            path, isolation_level=None, cached_statements=_STATEMENTS_KEPT, check_same_thread=False
        )
    except OSError as error:
        raise StoreDamaged(f"{path.name} cannot be opened: {os_reason(error)}.") from error
    except sqlite3.Error as error:
        raise StoreDamaged(f"{path.name} cannot be opened: {sqlite_reason(error)}.") from error
    try:
        _check_ours(db, path)
        _set_up(db)
        if not durable:
            db.execute("PRAGMA journal_mode = MEMORY")
            db.execute("PRAGMA synchronous = OFF")
            db.execute(f"PRAGMA cache_size = -{_SIMULATION_CACHE_KIB}")
        _define_keyed(db, number_key(path.parent))
        _migrate(db)
    except sqlite3.DatabaseError as error:
        db.close()
        raise unusable(path, error) from error
    except (StoreDamaged, BadSettings):
        db.close()
        raise
    return db


def open_reader(path: Path) -> ReadOnlyConnection:
    db = sqlite3.connect(
        path,
        isolation_level=None,
        cached_statements=_STATEMENTS_KEPT,
        check_same_thread=False,
        factory=ReadOnlyConnection,
    )
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA busy_timeout = 2000")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    _define_keyed(db, number_key_in(path.parent))
    return db


def check_file(path: Path) -> int:
    """Returns the version of an intact data file. Raises `StoreDamaged` for any other file."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise StoreDamaged(f"{path.name} cannot be opened: {sqlite_reason(error)}.") from error
    try:
        _check_ours(db, path)
        version: int = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            raise StoreDamaged(f"{path.name} is empty.")
        complaints = [row[0] for row in db.execute("PRAGMA integrity_check(3)")]
        if complaints != ["ok"]:
            found = "; ".join(complaints)
            raise StoreDamaged(
                f"{path.name} is damaged ({found}). Use a backup: frontdesk restore."
            )
        if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreDamaged(
                f"{path.name} is damaged: rows refer to rows that do not exist. Use a backup."
            )
    except sqlite3.DatabaseError as error:
        raise unusable(path, error) from error
    finally:
        db.close()
    return version


def unusable(path: Path, error: sqlite3.Error) -> StoreDamaged:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
        return StoreDamaged(f"{path.name} is not a data file of Frontdesk.")
    return StoreDamaged(f"{path.name} cannot be used: {sqlite_reason(error)}.")


_SQLITE_REASONS: Final = {
    sqlite3.SQLITE_BUSY: "another program is using it; close that one, or try again",
    sqlite3.SQLITE_LOCKED: "another program is using it; close that one, or try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check the folder and who may read it",
    sqlite3.SQLITE_CORRUPT: "it is damaged; use a backup (frontdesk restore)",
    sqlite3.SQLITE_FULL: "the disk is full; make room and try again",
    sqlite3.SQLITE_IOERR: "the disk fails while it is read or written; check the disk",
    sqlite3.SQLITE_NOTADB: "it is not a data file of Frontdesk",
    sqlite3.SQLITE_PERM: "you have no permission for it",
    sqlite3.SQLITE_READONLY: "nothing can be written there; check who may write to it",
    sqlite3.SQLITE_SCHEMA: "another version of Frontdesk has changed it; start again",
}


def sqlite_reason(error: sqlite3.Error) -> str:
    """Says in plain words why SQLite refused. Only a mistake of ours is quoted."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    known = _SQLITE_REASONS.get(code & 0xFF)  # the rest of an extended code says more precisely why
    return known or f'SQLite says "{error}"; please report this'


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application != APPLICATION_ID and not (application == 0 and is_empty):
        raise StoreDamaged(f"{path.name} belongs to another program, not to Frontdesk.")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    newest = max(number for number, _sql in migrations())
    if version > newest:
        raise StoreDamaged(
            f"{path.name} was written by a newer Frontdesk (version {version} of the tables;"
            f" this one knows {newest}). Please update Frontdesk."
        )


def _set_up(db: sqlite3.Connection) -> None:
    """Configures the connection. FULL: each commit is synced, so it survives a power failure."""
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA wal_autocheckpoint = 4000")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA busy_timeout = 500")
    db.execute("PRAGMA secure_delete = FAST")
    db.create_function("email_key", 1, email_key_or_empty, deterministic=True)


def _define_keyed(db: sqlite3.Connection, key: bytes | None) -> None:
    """Defines the SQL function `keyed`. Without the key it is NULL: it matches no number."""
    by_key = (lambda digest: keyed(digest, key)) if key else (lambda _digest: None)
    db.create_function("keyed", 1, by_key, deterministic=True)


def migrations() -> Iterator[tuple[int, str]]:
    """Yields the number and the SQL of each migration, in order."""
    folder = resources.files(__package__) / "migrations"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            yield int(file.name[:4]), file.read_text(encoding="utf-8")


def _migrate(db: sqlite3.Connection) -> None:
    """Runs new migrations. Each is one transaction together with its version number."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    for number, sql in migrations():
        if number > version:
            try:
                db.executescript(
                    f"BEGIN EXCLUSIVE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;"
                )
            except sqlite3.Error:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
