"""The writer of simulations: runs in the caller's thread, with many tasks in one transaction."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, Decision
from frontdesk.desks.rsvp.changes import AddGuest
from frontdesk.engine.ports import Committed, Reads, Recorded
from frontdesk.errors import Busy
from frontdesk.store.sqlite.inline_writer import MOST_TASKS_A_TRANSACTION
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import NINE, PARTY, given, guest, rsvp, rsvp_of, sign_up


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "frontdesk.db", [RSVP], durable=False)
    given(store, cap=1000, free=1000)
    yield store
    store.close()


def taken(store: SqliteStore) -> int:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats.taken


def taken_in_file(path: Path) -> int:
    db = sqlite3.connect(path / "frontdesk.db")
    try:
        found: int = db.execute("SELECT taken FROM ev_event").fetchone()[0]
    finally:
        db.close()
    return found


def test_a_snapshot_sees_what_the_open_transaction_wrote_and_leaves_it_open(
    simulated: SqliteStore, tmp_path: Path
) -> None:
    simulated.submit(sign_up("ann"), by="x", at=NINE)

    with simulated.snapshot():
        assert taken(simulated) == 1
    simulated.submit(sign_up("bob"), by="x", at=NINE)

    assert taken(simulated) == 2
    simulated.flush()
    assert taken_in_file(tmp_path) == 2


def test_a_task_is_done_when_it_is_submitted_and_the_caller_sees_it(simulated: SqliteStore) -> None:
    asked = simulated.submit(sign_up("ann"), by="x", at=NINE)

    assert asked.done()
    assert isinstance(asked.result(), Committed)
    assert taken(simulated) == 1


def test_other_connections_see_commits_after_a_flush_and_after_many_tasks(
    simulated: SqliteStore, tmp_path: Path
) -> None:
    simulated.flush()
    simulated.decide(sign_up("ann"), by="x", at=NINE)
    before = taken_in_file(tmp_path)
    simulated.flush()
    flushed = taken_in_file(tmp_path)
    for n in range(MOST_TASKS_A_TRANSACTION):
        simulated.decide(sign_up(f"g{n}"), by="x", at=NINE)

    assert (before, flushed, taken_in_file(tmp_path)) == (0, 1, 1 + MOST_TASKS_A_TRANSACTION)


def test_a_closed_store_has_written_everything(simulated: SqliteStore, tmp_path: Path) -> None:
    simulated.decide(sign_up("ann"), by="x", at=NINE)
    simulated.close()

    assert taken_in_file(tmp_path) == 1
    with pytest.raises(Busy):
        simulated.decide(sign_up("bob"), by="x", at=NINE)


def test_a_task_that_fails_late_leaves_nothing_behind_and_the_others_stay(
    simulated: SqliteStore,
) -> None:
    simulated.decide(sign_up("ann"), by="x", at=NINE)

    def fails_late(reads: Reads) -> Decision:
        accepted = sign_up("bob")(reads)
        assert isinstance(accepted, Accepted)
        return Accepted((*accepted.changes, AddGuest(guest("ann"))), accepted.facts)

    with pytest.raises(Busy):
        simulated.decide(fails_late, by="x", at=NINE)

    assert taken(simulated) == 1


def test_a_listener_may_submit_and_nobody_may_wait_for_the_writer_in_a_task(
    simulated: SqliteStore,
) -> None:
    heard: list[int] = []

    def listen(facts: Sequence[Recorded]) -> None:
        heard.append(len(facts))
        if len(heard) == 1:
            simulated.submit(sign_up("bob"), by="x", at=NINE)

    def waits(_reads: Reads) -> Decision:
        simulated.decide(sign_up("cat"), by="x", at=NINE)
        raise AssertionError

    simulated.on_commit(listen)
    simulated.decide(sign_up("ann"), by="x", at=NINE)
    with pytest.raises(RuntimeError, match="cannot wait for itself"):
        simulated.decide(waits, by="x", at=NINE)

    assert taken(simulated) == 2
    assert len(heard) == 2


def test_a_snapshot_shows_what_is_not_flushed_yet(simulated: SqliteStore) -> None:
    simulated.decide(sign_up("ann"), by="x", at=NINE)

    with simulated.snapshot() as reads:
        found = rsvp_of(reads).event(PARTY)

    assert found is not None
    assert found.seats.taken == 1


def test_another_thread_cannot_write(simulated: SqliteStore) -> None:
    found: list[BaseException] = []

    def write() -> None:
        try:
            simulated.decide(sign_up("ann"), by="x", at=NINE)
        except RuntimeError as error:
            found.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()

    assert [str(each) for each in found] == ["a simulation has only one thread"]
    assert taken(simulated) == 0
