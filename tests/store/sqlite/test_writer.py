"""Many tasks in one transaction: all are answered after its COMMIT, and none is written if it
fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.rsvp.model import Seats
from frontdesk.engine.ports import Committed, Outcome, Reads, Recorded
from frontdesk.errors import Busy
from frontdesk.store.sqlite.checkpoints import CHECKPOINT, COMMITS_A_CHECKPOINT, Checkpoints
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.writer import (
    FEWEST_PATIENT_TASKS_A_BATCH,
    MOST_PATIENT_TASKS_A_BATCH,
    MOST_TASKS_A_BATCH,
    Task,
    Writer,
)
from tests.store.samples import (
    NINE,
    PARTY,
    commit,
    decide,
    fact,
    given,
    rsvp,
    seat,
    sign_up,
)


@contextmanager
def held_up(store: SqliteStore) -> Iterator[None]:
    """Blocks the writer in a task; all tasks submitted meanwhile make one batch."""
    reached, go_on = threading.Event(), threading.Event()

    def wait(_reads: Reads) -> Accepted:
        reached.set()
        go_on.wait(timeout=60)
        return Accepted()

    waiting = store.submit(wait, by="x", at=NINE)
    reached.wait(timeout=60)
    try:
        yield
    finally:
        go_on.set()
        waiting.result()


def commits(store: SqliteStore) -> list[str]:
    seen: list[str] = []
    store._db.set_trace_callback(lambda sql: seen.append(sql) if sql == "COMMIT" else None)
    return seen


class Statements:
    """Records the commits and checkpoints of a store, in order."""

    def __init__(self, store: SqliteStore) -> None:
        self.seen: list[str] = []
        self._is_checkpoint_seen = threading.Event()
        store._db.set_trace_callback(self._trace)

    def _trace(self, sql: str) -> None:
        if sql in ("COMMIT", CHECKPOINT):
            self.seen.append(sql)
        if sql == CHECKPOINT:
            self._is_checkpoint_seen.set()

    def wait_for_checkpoint(self) -> None:
        assert self._is_checkpoint_seen.wait(timeout=60)


def taken(store: SqliteStore) -> int:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats.taken


def test_waiting_tasks_are_committed_together_in_bounded_batches(store: SqliteStore) -> None:
    given(store, cap=1000, free=1000)
    seen = commits(store)

    with held_up(store):
        asked = [
            store.submit(sign_up(f"g{n}"), by="x", at=NINE) for n in range(2 * MOST_TASKS_A_BATCH)
        ]
    answers = [each.result() for each in asked]

    assert all(isinstance(each, Committed) for each in answers)
    assert len(seen) == 3
    assert taken(store) == 2 * MOST_TASKS_A_BATCH


def test_patient_tasks_let_others_go_first_and_are_done_a_few_in_each_batch(
    store: SqliteStore,
) -> None:
    given(store, cap=1000, free=1000)
    seen = commits(store)
    patient = 2 * MOST_PATIENT_TASKS_A_BATCH

    with held_up(store):
        asked = [
            store.submit(sign_up(f"p{n}"), by="x", at=NINE, patient=True) for n in range(patient)
        ]
        hurried = store.submit(sign_up("ann"), by="x", at=NINE)
    numbers = [each.seq for one in asked for each in committed(one.result()).facts]

    assert [each.seq for each in committed(hurried.result()).facts] == [1]
    assert numbers == list(range(2, patient + 2))
    assert len(seen) == 3, "the one that held the writer up, and two batches"


def test_no_commit_has_many_patient_tasks(store: SqliteStore) -> None:
    """A sign-up that arrives during a commit waits for it. With 50 tasks in each commit, sign-ups
    during an import took up to four times as long as alone."""
    given(store, cap=1000, free=1000)
    sizes: list[int] = []
    store.on_commit(lambda facts: sizes.append(len(facts)))

    with held_up(store):
        for n in range(100):
            store.submit(sign_up(f"p{n}"), by="x", at=NINE, patient=True)
    store.close()

    assert sum(sizes) == 100
    assert max(sizes) <= 20


def test_a_batch_of_patient_tasks_ends_early_for_somebody_who_comes_meanwhile(
    store: SqliteStore,
) -> None:
    given(store, cap=1000, free=1000)
    hurried: list[Future[Outcome]] = []

    def last_before_ann(reads: Reads) -> Decision:
        hurried.append(store.submit(sign_up("ann"), by="x", at=NINE))
        return sign_up("p9")(reads)

    asks = [*(sign_up(f"p{n}") for n in range(9)), last_before_ann, sign_up("p10")]
    with held_up(store):
        asked = [store.submit(ask, by="x", at=NINE, patient=True) for ask in asks]
    numbers = [each.seq for one in asked for each in committed(one.result()).facts]

    assert [each.seq for each in committed(hurried[0].result()).facts] == [11]
    assert numbers == [*range(1, 11), 12]


def test_a_request_waits_for_no_patient_task_and_the_next_one_for_a_few(
    store: SqliteStore,
) -> None:
    given(store, cap=1000, free=1000)
    sizes: list[int] = []
    store.on_commit(lambda facts: sizes.append(len(facts)))

    async def ask() -> Outcome:
        bob = asyncio.get_running_loop().create_future()

        def ann_before_bob(reads: Reads) -> Decision:
            """Submits Bob's task while Ann's batch is being written."""
            work = store._work(sign_up("bob"), by="x", at=NINE, cause=None, key=None)
            store._writer._put(Task(work, bob, again=True))
            return sign_up("ann")(reads)

        with held_up(store):
            for n in range(20):
                store.submit(sign_up(f"p{n}"), by="x", at=NINE, patient=True)
            ann = asyncio.ensure_future(store.decide_async(ann_before_bob, by="x", at=NINE))
            await asyncio.sleep(0)  # puts it in the queue
        await bob
        return await ann

    answer = asyncio.run(ask())
    store.close()

    assert [each.seq for each in committed(answer).facts] == [1]
    assert (sizes[:2], sum(sizes)) == ([1, 1 + FEWEST_PATIENT_TASKS_A_BATCH], 22)


def test_a_patient_task_alone_is_done_at_once_and_before_closing(store: SqliteStore) -> None:
    given(store, cap=1000, free=1000)
    for n in range(3):
        one = store.submit(sign_up(f"p{n}"), by="x", at=NINE, patient=True)
        assert isinstance(one.result(timeout=60), Committed)

    with held_up(store):
        asked = [
            store.submit(sign_up(f"q{n}"), by="x", at=NINE, patient=True)
            for n in range(2 * MOST_PATIENT_TASKS_A_BATCH + 1)
        ]
        closing = threading.Thread(target=store._writer.close)
        closing.start()
    closing.join()

    assert all(isinstance(each.result(timeout=0), Committed) for each in asked)
    with pytest.raises(Busy):
        store.submit(sign_up("late"), by="x", at=NINE, patient=True)


def test_the_log_is_copied_after_a_commit_and_its_answers(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(store, cap=1000, free=1000)
    statements = Statements(store)
    was_answered: list[bool] = []
    run = Checkpoints.run

    def noted(self: Checkpoints) -> None:
        was_answered.append(last.done())
        run(self)

    monkeypatch.setattr(Checkpoints, "run", noted)
    for n in range(COMMITS_A_CHECKPOINT - 2):  # `given` has committed once
        decide(store, sign_up(f"g{n}"))
    assert CHECKPOINT not in statements.seen
    with held_up(store):  # commits nothing
        last = store.submit(sign_up("last"), by="x", at=NINE)
    statements.wait_for_checkpoint()

    assert was_answered == [True]
    assert statements.seen[-2:] == ["COMMIT", CHECKPOINT]


def test_the_copying_of_the_log_does_not_delay_tasks_that_wait(store: SqliteStore) -> None:
    given(store, cap=2000, free=2000)
    statements = Statements(store)

    with held_up(store):
        for n in range(4 * MOST_TASKS_A_BATCH):
            store.submit(sign_up(f"g{n}"), by="x", at=NINE)
    statements.wait_for_checkpoint()

    assert statements.seen == ["COMMIT"] * 5 + [CHECKPOINT]


def test_the_log_is_copied_between_two_batches_of_patient_tasks(store: SqliteStore) -> None:
    given(store, cap=4000, free=4000)
    statements = Statements(store)

    with held_up(store):
        asked = [
            store.submit(sign_up(f"p{n}"), by="x", at=NINE, patient=True)
            for n in range(COMMITS_A_CHECKPOINT * MOST_PATIENT_TASKS_A_BATCH)
        ]
    for each in asked:
        each.result()

    assert CHECKPOINT in statements.seen[: COMMITS_A_CHECKPOINT - 1]


def test_after_a_checkpoint_the_data_file_alone_has_all_earlier_commits(
    store: SqliteStore, tmp_path: Path
) -> None:
    given(store, cap=1000, free=1000)
    statements = Statements(store)
    for n in range(COMMITS_A_CHECKPOINT - 1):
        decide(store, sign_up(f"g{n}"))
    statements.wait_for_checkpoint()
    store._writer.do(lambda _db: None)  # waits for the end of the checkpoint

    copy = tmp_path / "copy.db"
    copy.write_bytes(store._path.read_bytes())

    with closing(sqlite3.connect(copy)) as db:
        found = db.execute("SELECT count(*) FROM ev_guest").fetchone()[0]
    assert found == COMMITS_A_CHECKPOINT - 1


def test_a_log_that_cannot_be_copied_fails_no_task(store: SqliteStore) -> None:
    given(store, cap=1000, free=1000)
    refused = threading.Event()

    def authorize(action: int, name: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_PRAGMA and name == "wal_checkpoint":
            refused.set()
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    store._writer.do(lambda db: db.set_authorizer(authorize))
    for n in range(COMMITS_A_CHECKPOINT):
        decide(store, sign_up(f"g{n}"))
    assert refused.wait(timeout=60)

    assert isinstance(decide(store, sign_up("next")), Committed)
    assert taken(store) == COMMITS_A_CHECKPOINT + 1


def test_listeners_are_called_once_for_a_batch_with_all_its_facts_in_order(
    store: SqliteStore,
) -> None:
    given(store)
    heard: list[Sequence[Recorded]] = []
    store.on_commit(heard.append)

    with held_up(store):
        asked = [store.submit(sign_up(name), by="x", at=NINE) for name in ("ann", "bob", "cat")]
    facts = [fact for each in asked for fact in committed(each.result()).facts]

    assert heard == [facts]
    assert [each.seq for each in facts] == [1, 2, 3]


def committed(outcome: Outcome) -> Committed:
    assert isinstance(outcome, Committed)
    return outcome


def test_a_listener_that_fails_harms_nobody(store: SqliteStore) -> None:
    given(store)

    def fail(_facts: Sequence[Recorded]) -> None:
        raise ZeroDivisionError

    store.on_commit(fail)

    assert isinstance(decide(store, sign_up("ann")), Committed)


def test_an_event_loop_is_woken_once_for_a_batch(store: SqliteStore) -> None:
    given(store, cap=50, free=50)
    wakes: list[object] = []

    async def all_at_once() -> list[Outcome]:
        loop = asyncio.get_running_loop()
        wake = loop.call_soon_threadsafe

        def counted(callback: Callable[..., object], *args: Any) -> asyncio.Handle:
            wakes.append(callback)
            return wake(callback, *args)

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign,assignment]
        asked = [
            asyncio.ensure_future(store.decide_async(sign_up(f"g{n}"), by="x", at=NINE))
            for n in range(51)
        ]
        with held_up(store):
            await asyncio.sleep(0)
        return await asyncio.gather(*asked)

    answers = asyncio.run(all_at_once())

    assert len(wakes) == 1
    assert [isinstance(each, Refused) for each in answers] == [False] * 50 + [True]


def test_a_cancelled_wait_disturbs_no_other(store: SqliteStore) -> None:
    given(store)

    async def give_up_and_ask_again() -> Outcome:
        with held_up(store):
            first = asyncio.ensure_future(store.decide_async(sign_up("ann"), by="x", at=NINE))
            await asyncio.sleep(0)
            first.cancel()
        return await store.decide_async(sign_up("bob"), by="x", at=NINE)

    assert isinstance(asyncio.run(give_up_and_ask_again()), Committed)
    assert taken(store) == 2


def test_a_task_that_fails_late_does_not_affect_the_others(store: SqliteStore) -> None:
    """The batch is repeated with a savepoint for each task."""
    given(store, cap=3, free=3)
    decide(store, sign_up("ann"))
    seen = commits(store)

    with held_up(store):
        asks = [sign_up("bob"), lambda _reads: seat("ann"), sign_up("cat"), sign_up("dan")]
        asked = [store.submit(ask, by="x", at=NINE) for ask in asks]
    first, stale, third, last = [each.exception() or each.result() for each in asked]

    assert isinstance(stale, Busy)
    assert isinstance(first, Committed)
    assert isinstance(third, Committed)
    assert isinstance(last, Refused)
    assert len(seen) == 2
    assert [each.seq for each in (*first.facts, *third.facts)] == [2, 3]
    assert taken(store) == 3


class BadDisk(sqlite3.Connection):
    """Cannot commit while `broken`."""

    broken = False

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if self.broken and sql == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *values)


@pytest.mark.spec("FD-02")
def test_nobody_in_a_batch_is_answered_as_done_when_its_commit_fails(tmp_path: Path) -> None:
    db = sqlite3.connect(
        tmp_path / "f.db", isolation_level=None, check_same_thread=False, factory=BadDisk
    )
    db.execute("CREATE TABLE t (n INTEGER)")
    writer = Writer(db)
    heard: list[Sequence[Recorded]] = []
    writer.on_commit(heard.append)
    go_on = threading.Event()
    writer.submit(lambda _db: go_on.wait(timeout=60))

    db.broken = True
    asked = [writer.submit(lambda db: db.execute("INSERT INTO t VALUES (1)")) for _ in range(3)]
    go_on.set()

    assert [type(each.exception()) for each in asked] == [Busy, Busy, Busy]
    assert db.execute("SELECT count(*) FROM t").fetchone() == (0,)
    assert heard == []

    db.broken = False
    writer.do(lambda db: db.execute("INSERT INTO t VALUES (1)"))
    assert db.execute("SELECT count(*) FROM t").fetchone() == (1,)
    writer.close()
    db.close()


@pytest.mark.spec("FD-02")
def test_a_full_disk_makes_everyone_wait_and_loses_nothing(store: SqliteStore) -> None:
    given(store, cap=1000, free=1000)
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages + 2}")

    asked = [store.submit(sign_up(f"g{n}"), by="x", at=NINE) for n in range(500)]
    errors = [each.exception() for each in asked]

    assert {str(error) for error in errors if error} == {
        "The data file could not be written: the disk is full; make room and try again."
    }
    assert {type(error) for error in errors if error} == {Busy}
    assert taken(store) == rsvp(store).guest_count(PARTY) == errors.count(None)
    store._db.execute(f"PRAGMA max_page_count = {pages + 1000}")
    assert isinstance(decide(store, sign_up("ann")), Committed)


def test_a_locked_file_is_busy(store: SqliteStore, db: sqlite3.Connection) -> None:
    given(store)
    db.execute("BEGIN IMMEDIATE")

    with pytest.raises(Busy, match="another program is using it"):
        decide(store, sign_up("ann"))

    db.execute("ROLLBACK")
    assert isinstance(decide(store, sign_up("ann")), Committed)


def test_tasks_submitted_before_closing_are_done_and_none_after(
    store: SqliteStore,
) -> None:
    given(store)
    with held_up(store):
        asked = store.submit(sign_up("ann"), by="x", at=NINE)
        closing = threading.Thread(target=store._writer.close)
        closing.start()
    closing.join()

    assert isinstance(asked.result(timeout=0), Committed)
    with pytest.raises(Busy):
        decide(store, sign_up("bob"))


def test_the_writer_does_not_wait_for_itself(store: SqliteStore) -> None:
    given(store)
    errors: list[BaseException] = []

    def listen(_facts: Sequence[Recorded]) -> None:
        try:
            decide(store, sign_up("bob"))
        except RuntimeError as error:
            errors.append(error)

    store.on_commit(listen)
    commit(store, facts=(fact(),))

    assert [str(error) for error in errors] == ["the writer cannot wait for itself: use submit"]


def test_readers_in_any_thread_see_what_is_committed_and_cannot_write(store: SqliteStore) -> None:
    reads = given(store)
    seen: list[Any] = []

    def read() -> None:
        seen.append(reads.event(PARTY))
        try:
            store._readers.mine().execute("DELETE FROM ev_event")
        except sqlite3.OperationalError as error:
            seen.append(str(error))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()

    assert seen[0].seats == Seats(5, 5)
    assert seen[1:] == ["attempt to write a readonly database"]
