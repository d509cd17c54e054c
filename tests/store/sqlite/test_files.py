"""Opening data files: new, old, newer, foreign and broken ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from frontdesk.desks.rsvp.changes import AddEvent, AddGuest
from frontdesk.errors import StoreDamaged
from frontdesk.store.sqlite import files
from frontdesk.store.sqlite.files import (
    APPLICATION_ID,
    check_file,
    migrations,
    open_writer,
    sqlite_reason,
)
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from tests.store.samples import PARTY, add_person, commit, event, given, guest, rsvp

#: The migration that gives sign-ups their names.
_NAMES = next(number for number, sql in migrations() if "ADD COLUMN own_name" in sql)
NEWEST = max(number for number, _sql in migrations())


def pragma(path: Path, name: str) -> object:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"PRAGMA {name}").fetchone()[0]


def test_a_new_file_is_ours_and_of_the_newest_version(path: Path) -> None:
    SqliteStore(path, [RSVP]).close()

    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == NEWEST
    assert pragma(path, "journal_mode") == "wal"
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.spec("FD-02")
def test_each_commit_is_on_disk_before_it_is_answered(path: Path) -> None:
    with closing(open_writer(path)) as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [number for number, _sql in migrations()] == list(range(1, NEWEST + 1))


def test_every_table_is_strict(store: SqliteStore, db: sqlite3.Connection) -> None:
    tables = db.execute("PRAGMA table_list").fetchall()

    assert [name for _, name, _, _, _, strict in tables if not strict] == [
        name for _, name, *_ in tables if name.startswith("sqlite_")
    ]


def test_written_rows_are_there_when_the_file_is_opened_again(path: Path) -> None:
    first = SqliteStore(path, [RSVP])
    given(first)
    first.close()

    again = SqliteStore(path, [RSVP])
    assert rsvp(again).events() == [event()]
    again.close()


def test_an_old_file_gets_the_migrations_that_it_lacks(path: Path) -> None:
    old = sqlite3.connect(path)
    old.executescript(dict(migrations())[1])
    old.execute("INSERT INTO fd_person (person_id, name, email, email_key) VALUES (1, 2, 3, 4)")
    old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()

    store = SqliteStore(path, [RSVP])
    commit(store, AddEvent(event()))
    kept = store.reads().engine.person_by_email("4")
    store.close()

    assert kept is not None
    assert pragma(path, "user_version") == NEWEST


def test_sign_ups_of_an_old_file_get_the_name_and_address_of_the_person(path: Path) -> None:
    first = SqliteStore(path, [RSVP])
    commit(first, AddEvent(event()))
    commit(first, add_person(), AddGuest(guest()))
    first.close()
    old = sqlite3.connect(path)
    for column in ("own_name", "email", "name"):
        old.execute(f"ALTER TABLE ev_guest DROP COLUMN {column}")
    old.executescript(dict(migrations())[_NAMES])
    old.commit()
    old.close()

    store = SqliteStore(path, [RSVP])
    [row] = rsvp(store).guest_rows(PARTY)
    store.close()

    assert row.guest == replace(guest(), name="Ann", email="ann@example.org")


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteStore(path, [RSVP]).close()
    bad = [
        *migrations(),
        (NEWEST + 1, "CREATE TABLE half (id TEXT) STRICT; SELECT * FROM missing;"),
    ]
    monkeypatch.setattr(files, "migrations", lambda: iter(bad))

    with pytest.raises(StoreDamaged, match="no such table: missing"):
        open_writer(path)

    assert pragma(path, "user_version") == NEWEST
    with closing(sqlite3.connect(path)) as db:
        assert not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchall()


def test_a_newer_file_is_refused_and_says_so(path: Path) -> None:
    SqliteStore(path, [RSVP]).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {NEWEST + 1}")

    with pytest.raises(StoreDamaged, match="newer Frontdesk"):
        SqliteStore(path, [RSVP])


def test_another_programs_file_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (id INTEGER)")
    before = path.read_bytes()

    with pytest.raises(StoreDamaged, match="another program"):
        SqliteStore(path, [RSVP])

    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("Dear diary, " * 1000)

    with pytest.raises(StoreDamaged, match="is not a data file of Frontdesk"):
        SqliteStore(path, [RSVP])

    assert path.read_text() == "Dear diary, " * 1000


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match="cannot be opened"):
        SqliteStore(tmp_path / "nowhere" / "frontdesk.db", [RSVP])


def test_a_sound_file_passes_its_check_and_an_empty_one_does_not(path: Path) -> None:
    SqliteStore(path, [RSVP]).close()
    assert check_file(path) == NEWEST

    empty = path.with_name("empty.db")
    empty.touch()
    with pytest.raises(StoreDamaged, match="empty"):
        check_file(empty)
    with pytest.raises(StoreDamaged, match="cannot be opened"):
        check_file(path.with_name("missing.db"))


def test_a_damaged_file_does_not_pass_its_check(path: Path) -> None:
    store = SqliteStore(path, [RSVP])
    given(store)
    store.close()
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\x55" * (len(content) - 4096 * 2)
    path.write_bytes(content)

    with pytest.raises(StoreDamaged, match=r"damaged|malformed"):
        check_file(path)


@pytest.mark.spec("FD-25")
def test_a_locked_file_and_one_that_nobody_may_write_are_explained_in_plain_words(
    path: Path,
) -> None:
    open_writer(path).close()
    with closing(sqlite3.connect(path)) as holder, closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA busy_timeout = 0")
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as locked:
            other.execute("BEGIN IMMEDIATE")
        holder.rollback()
        other.execute("PRAGMA query_only = ON")
        with pytest.raises(sqlite3.OperationalError) as read_only:
            other.execute("CREATE TABLE t (a)")

    assert sqlite_reason(locked.value) == (
        "another program is using it; close that one, or try again"
    )
    assert sqlite_reason(read_only.value) == (
        "nothing can be written there; check who may write to it"
    )


def test_the_migrations_are_shipped_with_the_package() -> None:
    folder = resources.files("frontdesk.store.sqlite") / "migrations"

    assert len([file for file in folder.iterdir() if file.name.endswith(".sql")]) == NEWEST
