"""Reads a data file for inspection and never writes to it. Others may write meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from frontdesk.errors import StoreDamaged
from frontdesk.store.fact_json import FactJson
from frontdesk.store.sqlite.files import (
    APPLICATION_ID,
    ReadOnlyConnection,
    migrations,
    open_reader,
    unusable,
)
from frontdesk.store.sqlite.inspection import SqliteInspection
from frontdesk.store.sqlite.store import ENGINE_FACTS, SqliteReads
from frontdesk.store.sqlite.tables import DeskTables
from frontdesk.values import Frozen


class View(Frozen):
    """A snapshot of everything that was committed at one instant."""

    db: ReadOnlyConnection
    reads: SqliteReads

    @property
    def inspection(self) -> SqliteInspection:
        return SqliteInspection(self.db)


@contextmanager
def open_view(path: Path, desks: Sequence[DeskTables]) -> Iterator[View]:
    if not path.exists():
        raise StoreDamaged(f"There is no data in {path.parent} yet.")
    db = open_reader(path)
    try:
        _check_ours(db, path)
        db.execute("BEGIN")
        codec = FactJson([*ENGINE_FACTS, *(kind for desk in desks for kind in desk.facts)])
        yield View(db, SqliteReads(lambda: db, desks, codec))
    finally:
        db.close()


def is_older(path: Path) -> bool:
    """Whether the file needs a migration before `open_view` can read it."""
    db = open_reader(path)
    try:
        version: int = db.execute("PRAGMA user_version").fetchone()[0]
        return version < _newest()
    except sqlite3.DatabaseError:
        return False
    finally:
        db.close()


def _newest() -> int:
    return max(number for number, _sql in migrations())


def _check_ours(db: ReadOnlyConnection, path: Path) -> None:
    try:
        ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise unusable(path, error) from error
    if not ours:
        raise StoreDamaged(f"{path.name} is not a data file of Frontdesk.")
    if version != _newest():
        raise StoreDamaged(f"{path.name} was written by another version of Frontdesk.")
