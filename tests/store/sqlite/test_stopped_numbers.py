"""Numbers that want no texts are stored under a key that is not in the data file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.contacts import keyed, number_digest
from frontdesk.core.people import ResumeNumber, StopNumber
from frontdesk.engine.keys import NUMBER_FILE, number_key
from frontdesk.store.sqlite.files import APPLICATION_ID, migrations
from frontdesk.store.sqlite.people import numbers_lost
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.view import open_view
from tests.store.samples import commit

MOBILE = "+6591234567"


def opened(path: Path) -> SqliteStore:
    return SqliteStore(path, [])


def is_stopped(path: Path) -> bool:
    with closing(opened(path)) as store:
        return store.reads().engine.number_stopped(MOBILE)


def lost(path: Path) -> int:
    with open_view(path, []) as view:
        return numbers_lost(view.db)


@pytest.mark.spec("FD-15", "FD-20")
def test_the_file_alone_does_not_reveal_numbers(path: Path) -> None:
    with closing(opened(path)) as store:
        commit(store, StopNumber(MOBILE))
    with closing(sqlite3.connect(path)) as db:
        [(digest, _)] = db.execute("SELECT * FROM fd_stopped_number").fetchall()
        everything = "\n".join(db.iterdump())

    key = number_key(path.parent)
    assert digest == keyed(number_digest(MOBILE), key)
    assert number_digest(MOBILE) not in everything
    assert key.hex() not in everything


@pytest.mark.spec("FD-15")
def test_digests_without_a_key_still_count(path: Path) -> None:
    old = sqlite3.connect(path)
    for number, sql in migrations():
        if number < 10:
            old.executescript(sql)
    old.execute("INSERT INTO fd_stopped_number (digest) VALUES (?)", (number_digest(MOBILE),))
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    old.execute("PRAGMA user_version = 9")
    old.commit()
    old.close()

    assert is_stopped(path)
    assert lost(path) == 0
    with closing(opened(path)) as store:
        commit(store, ResumeNumber(MOBILE))
    assert not is_stopped(path)


@pytest.mark.spec("FD-15")
def test_a_lost_key_is_detected_and_can_be_put_back(path: Path) -> None:
    with closing(opened(path)) as store:
        commit(store, StopNumber(MOBILE))
    right = path.with_name(NUMBER_FILE).read_text()
    path.with_name(NUMBER_FILE).unlink()

    assert (is_stopped(path), lost(path)) == (False, 1)
    path.with_name(NUMBER_FILE).write_text(right)
    assert (is_stopped(path), lost(path)) == (True, 0)
