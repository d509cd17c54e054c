"""Provides a SQLite store, and its file for tests that read it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "frontdesk.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(path, [RSVP])
    yield made
    made.close()


@pytest.fixture
def db(store: SqliteStore, path: Path) -> Iterator[sqlite3.Connection]:
    """Opens a second connection with the same rules as the writer's."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()
