"""Backups are made during writes, and restored only without a running server; a lock prevents other
processes."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import re
import stat
import threading
from pathlib import Path

import pytest

from frontdesk.errors import AlreadyRunning, StoreDamaged
from frontdesk.store.sqlite import backup
from frontdesk.store.sqlite.backup import back_up, restore
from frontdesk.store.sqlite.files import check_file
from frontdesk.store.sqlite.lock import LOCK_NAME, DataLock, RunningProcess, running
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import NINE, PARTY, decide, given, rsvp, sign_up


def seats_and_guests(path: Path) -> tuple[int, int]:
    store = SqliteStore(path, [RSVP])
    found = rsvp(store).event(PARTY)
    guests = rsvp(store).guest_count(PARTY)
    store.close()
    assert found is not None
    return found.seats.taken, guests


@pytest.mark.spec("FD-20")
def test_a_backup_made_while_others_write_is_whole(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, [RSVP])
    given(store, cap=100_000, free=100_000)
    for n in range(300):
        store.submit(sign_up(f"early{n}"), by="x", at=NINE)
    decide(store, sign_up("last before"))
    enough, done = threading.Event(), threading.Event()

    def write() -> None:
        for n in range(100_000):
            decide(store, sign_up(f"g{n}"))
            if n == 20:
                enough.set()
            if done.is_set():
                return

    writer = threading.Thread(target=write)
    writer.start()
    enough.wait(timeout=60)
    steps: list[tuple[int, int]] = []
    back_up(path, tmp_path / "copy.db", progress=lambda *step: steps.append(step))
    done.set()
    writer.join()
    written, _ = taken_of(store)
    store.close()

    assert check_file(tmp_path / "copy.db")
    taken, guests = seats_and_guests(tmp_path / "copy.db")
    assert 301 + 20 < taken == guests <= written
    assert steps[-1][0] == steps[-1][1] > 0
    assert not (tmp_path / "copy.db.part").exists()


@pytest.mark.spec("FD-20")
def test_a_backup_is_of_the_instant_at_which_it_began_and_never_starts_over(
    store: SqliteStore, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_PAGES_A_STEP", 8)
    given(store, cap=1000, free=1000)
    decide(store, sign_up("before"))
    steps: list[int] = []

    def write_after_each_step(done: int, total: int) -> None:
        assert len(steps) <= total / 8
        steps.append(done)
        decide(store, sign_up(f"after{done}"))

    back_up(path, tmp_path / "copy.db", progress=write_after_each_step)

    assert len(steps) > 2
    assert seats_and_guests(tmp_path / "copy.db") == (1, 1)
    assert taken_of(store) == (1 + len(steps), 999 - len(steps))


def taken_of(store: SqliteStore) -> tuple[int, int]:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats.taken, found.seats.free


@pytest.mark.spec("FD-20")
def test_a_restored_backup_takes_the_place_of_the_file_which_is_kept(
    path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    store = SqliteStore(path, [RSVP])
    given(store)
    decide(store, sign_up("ann"))
    back_up(path, copy)
    decide(store, sign_up("bob"))
    store.close()

    kept = restore(copy, path)
    again = restore(copy, path)

    assert seats_and_guests(path) == (1, 1)
    assert kept == path.with_name("frontdesk.db.before-restore-1")
    assert again == path.with_name("frontdesk.db.before-restore-2")
    assert seats_and_guests(kept) == (2, 2)


@pytest.mark.spec("FD-20")
def test_the_log_of_a_killed_process_is_kept_with_the_old_file(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    store = SqliteStore(path, [RSVP])
    given(store)
    back_up(path, copy)
    decide(store, sign_up("ann"))
    here = tmp_path / "crashed"
    here.mkdir()
    for name in (path.name, f"{path.name}-wal"):
        (here / name).write_bytes((tmp_path / name).read_bytes())
    store.close()

    kept = restore(copy, here / path.name)

    assert kept is not None
    assert seats_and_guests(here / path.name) == (0, 0)
    assert seats_and_guests(kept) == (1, 1)


def test_a_backup_can_be_restored_where_there_was_nothing(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, [RSVP])
    given(store)
    back_up(path, tmp_path / "copy.db")
    store.close()

    assert restore(tmp_path / "copy.db", tmp_path / "new" / "frontdesk.db") is None
    assert seats_and_guests(tmp_path / "new" / "frontdesk.db") == (0, 0)


def test_a_backup_that_is_not_sound_is_not_restored(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, [RSVP])
    given(store)
    store.close()
    before = path.read_bytes()
    bad = tmp_path / "bad.db"
    bad.write_bytes(before[: len(before) // 2])

    with pytest.raises(StoreDamaged):
        restore(bad, path)

    assert path.read_bytes() == before


def test_nothing_is_restored_under_a_running_frontdesk(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, [RSVP])
    given(store)
    back_up(path, tmp_path / "copy.db")
    store.close()

    with DataLock(tmp_path), pytest.raises(AlreadyRunning):
        restore(tmp_path / "copy.db", path)


# --- the lock -------------------------------------------------------------------------------


def test_a_second_frontdesk_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    with DataLock(tmp_path) as lock:
        with pytest.raises(AlreadyRunning, match=f"process {os.getpid()}"):
            DataLock(tmp_path)
        lock.serves_at("http://127.0.0.1:8000/")
        with pytest.raises(AlreadyRunning, match=re.escape("http://127.0.0.1:8000/")):
            DataLock(tmp_path)


def test_the_lock_names_its_holder_until_it_is_released(tmp_path: Path) -> None:
    assert running(tmp_path) is None
    with DataLock(tmp_path) as lock:
        assert running(tmp_path) == RunningProcess(os.getpid(), "")
        lock.serves_at("http://127.0.0.1:8000/")
        assert running(tmp_path) == RunningProcess(os.getpid(), "http://127.0.0.1:8000/")
    assert running(tmp_path) is None
    DataLock(tmp_path).release()


def test_a_long_read_does_not_keep_a_server_from_starting(tmp_path: Path) -> None:
    DataLock(tmp_path).release()
    with (tmp_path / LOCK_NAME).open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        threading.Timer(0.3, fcntl.flock, (looking, fcntl.LOCK_UN)).start()

        DataLock(tmp_path).release()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    child = context.Process(target=hold_for_ever, args=(tmp_path, held))
    child.start()
    try:
        assert held.wait(timeout=60)
        found = running(tmp_path)
        assert found == RunningProcess(child.pid or 0, "")
    finally:
        child.kill()
        child.join()

    DataLock(tmp_path).release()


def hold_for_ever(directory: Path, held: threading.Event) -> None:
    with DataLock(directory):
        held.set()
        threading.Event().wait()


@pytest.mark.spec("FD-20", "FD-29")
def test_only_its_owner_can_read_a_copy_or_what_is_restored(path: Path, tmp_path: Path) -> None:
    SqliteStore(path, [RSVP]).close()
    copy, place = tmp_path / "copy.db", tmp_path / "fresh" / "frontdesk.db"
    before = os.umask(0o022)
    try:
        back_up(path, copy)
        copy.chmod(0o644)  # as it comes back from the place of the backups
        restore(copy, place)
        kept = restore(copy, path)
    finally:
        os.umask(before)

    assert kept is not None
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (place, path, kept)]
    assert modes == [0o600] * 3
