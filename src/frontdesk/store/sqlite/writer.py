"""The only thread that writes. It commits many tasks at once and answers them after the fsync."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, Final

from frontdesk.engine.ports import Committed, Recorded
from frontdesk.errors import Busy, Conflict
from frontdesk.store.sqlite.checkpoints import Checkpoints
from frontdesk.store.sqlite.files import sqlite_reason

MOST_TASKS_A_BATCH: Final = 256
#: Few: a request that comes during such a batch waits for its end.
MOST_PATIENT_TASKS_A_BATCH: Final = 20
#: A batch includes so many patient tasks even if others wait, so that they never starve. While
#: requests wait, only every second batch does.
FEWEST_PATIENT_TASKS_A_BATCH: Final = 5
TRIES: Final = 5
#: Errors of the system, not of one task: the disk is full or gone, or the file is locked.
_SYSTEM_ERRORS: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)

Work = Callable[[sqlite3.Connection], Any]
CommitListener = Callable[[Sequence[Recorded]], None]
Waiting = Future[Any] | asyncio.Future[Any]

log = logging.getLogger(__name__)


class Task:
    """One piece of work, and the future for its answer."""

    __slots__ = ("again", "answer", "waiting", "work")

    def __init__(self, work: Work, waiting: Waiting, *, again: bool) -> None:
        self.work = work
        self.waiting = waiting
        self.again = again
        """Whether a conflict is retried: the work decides again each time."""
        self.answer: Any = None
        """The result, or the exception to raise."""

    @property
    def is_of_request(self) -> bool:
        """Requests wait in an event loop, workers in their own threads."""
        return not isinstance(self.waiting, Future)


class _Wake:
    """An entry in the queue that wakes the writer for patient tasks."""


_WAKE: Final = _Wake()


class _SavepointNeeded(Exception):
    """A task failed after it had written, so the batch must be repeated with savepoints."""


class Writer:
    """Owns the connection that writes. Answers a task only after its data is on disk."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._checkpoints = Checkpoints(db)
        self._queue: SimpleQueue[Task | _Wake | None] = SimpleQueue()
        self._patient: deque[Task] = deque()
        """Tasks that let others go first. Each batch includes a few."""
        self._is_woken = False
        self._left_out_patient = False
        """Whether the last batch had a request and no patient tasks."""
        self._listeners: list[CommitListener] = []
        self._closed = False
        self._closing = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="frontdesk-writer", daemon=True)
        self._thread.start()

    def on_commit(self, listener: CommitListener) -> None:
        self._listeners.append(listener)

    def waiting(self) -> int:
        """Returns the number of waiting tasks."""
        return self._queue.qsize() + len(self._patient)

    def submit(self, work: Work, *, again: bool = False, patient: bool = False) -> Future[Any]:
        """Queues a task. A `patient` task lets all other tasks go first."""
        waiting: Future[Any] = Future()
        task = Task(work, waiting, again=again)
        if patient:
            self._put_patient(task)
        else:
            self._put(task)
        return waiting

    def submit_async(self, work: Work) -> asyncio.Future[Any]:
        """Queues a task, which is retried after a conflict. The writer wakes an event loop once for
        all of its tasks in a batch."""
        waiting = asyncio.get_running_loop().create_future()
        self._put(Task(work, waiting, again=True))
        return waiting

    def do(self, work: Work, *, again: bool = False) -> Any:
        if threading.current_thread() is self._thread:
            raise RuntimeError("the writer cannot wait for itself: use submit")
        return self.submit(work, again=again).result()

    def flush(self) -> None:
        """Makes sure that other connections see what is done: here they do at once."""

    def close(self) -> None:
        """Runs all submitted tasks, then stops the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _put(self, task: Task) -> None:
        with self._closing:
            if self._closed:
                raise Busy("Frontdesk is shutting down.")
            self._queue.put(task)

    def _put_patient(self, task: Task) -> None:
        """Adds a patient task, then wakes the writer, which reads patient tasks after it wakes."""
        with self._closing:
            if self._closed:
                raise Busy("Frontdesk is shutting down.")
            self._patient.append(task)
            if not self._is_woken:
                self._is_woken = True
                self._queue.put(_WAKE)

    def _run(self) -> None:
        is_last = False
        while not is_last or self._patient:
            batch, ends = self._next_batch()
            is_last = is_last or ends
            batch += self._some_patient(batch)
            if batch:
                self._commit(batch)
                answer_all(batch)
                self._checkpoint_if_nobody_waits()

    def _next_batch(self) -> tuple[list[Task], bool]:
        """Waits for a task and takes all other queued tasks too. Returns whether it is the last."""
        batch: list[Task] = []
        with contextlib.suppress(Empty):
            task = self._queue.get(block=not self._patient)
            while task is not None:
                if isinstance(task, _Wake):
                    self._is_woken = False
                else:
                    batch.append(task)
                if len(batch) == MOST_TASKS_A_BATCH:
                    return batch, False
                task = self._queue.get_nowait()
            return batch, True
        return batch, False

    def _some_patient(self, others: Sequence[Task]) -> list[Task]:
        """Returns a few patient tasks for the batch; none if the batch has a request, unless the
        last one left them out: so a single request does not wait for an import."""
        has_request = any(task.is_of_request for task in others)
        self._left_out_patient = has_request and not self._left_out_patient
        if self._left_out_patient:
            return []
        room = min(FEWEST_PATIENT_TASKS_A_BATCH, MOST_TASKS_A_BATCH - len(others))
        return [self._patient.popleft() for _ in range(min(room, len(self._patient)))]

    def _with_more_patient(self, batch: list[Task]) -> Iterator[Task]:
        """Yields the tasks of the batch, then adds patient tasks to it until others wait.

        Adds none if a request waits for the batch: it would wait for them too.
        """
        yield from tuple(batch)
        if any(task.is_of_request for task in batch):
            return
        room = min(MOST_PATIENT_TASKS_A_BATCH, MOST_TASKS_A_BATCH - len(batch))
        for _ in range(room - FEWEST_PATIENT_TASKS_A_BATCH):
            if not self._patient or self._others_wait():
                return
            batch.append(self._patient.popleft())
            yield batch[-1]

    def _others_wait(self) -> bool:
        return self._queue.qsize() > int(self._is_woken)

    def _checkpoint_if_nobody_waits(self) -> None:
        """Runs it before patient tasks. Under constant load SQLite runs it in a commit."""
        if self._checkpoints.is_due() and not self._others_wait():
            self._checkpoints.run()

    def _commit(self, batch: list[Task]) -> None:
        """Commits a batch. If COMMIT fails, all of its tasks fail."""
        written = self._db.total_changes
        try:
            self._run_tasks(batch)
            self._db.execute("COMMIT")
        except Exception as error:
            log.exception("a batch of %d could not be committed", len(batch))
            with contextlib.suppress(sqlite3.Error):  # it may have rolled back by itself
                self._db.execute("ROLLBACK")
            why = sqlite_reason(error) if isinstance(error, sqlite3.Error) else "a step failed"
            for task in batch:
                task.answer = Busy(f"The data file could not be written: {why}.")
            return
        if self._db.total_changes != written:
            self._checkpoints.count_commit()
            self._call_listeners(batch)

    def _run_tasks(self, batch: list[Task]) -> None:
        """Runs the tasks without savepoints. In the rare case that one is needed, repeats all tasks
        with savepoints."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for task in self._with_more_patient(batch):
                task.answer = self._try(task)
        except _SavepointNeeded:
            self._db.execute("ROLLBACK")
            self._db.execute("BEGIN IMMEDIATE")
            for task in batch:
                task.answer = self._try_with_savepoint(task)

    def _try(self, task: Task) -> Any:
        db = self._db
        written = db.total_changes
        try:
            return task.work(db)
        except Exception as error:
            if _is_system_error(error):
                raise
            if db.total_changes != written or (task.again and isinstance(error, Conflict)):
                raise _SavepointNeeded from error
            return error

    def _try_with_savepoint(self, task: Task) -> Any:
        for _ in range(TRIES):
            self._db.execute("SAVEPOINT task")
            try:
                answer = task.work(self._db)
            except Exception as error:
                if _is_system_error(error):
                    raise
                self._db.execute("ROLLBACK TO task")
                self._db.execute("RELEASE task")
                if not (task.again and isinstance(error, Conflict)):
                    return error
            else:
                self._db.execute("RELEASE task")
                return answer
        return Busy("Too many people are asking for this at once; please try again.")

    def _call_listeners(self, batch: list[Task]) -> None:
        facts = [
            fact
            for task in batch
            if isinstance(task.answer, Committed) and not task.answer.repeated
            for fact in task.answer.facts
        ]
        for listener in self._listeners:
            try:
                listener(facts)
            except Exception:
                log.exception("a commit listener failed")


def _is_system_error(error: Exception) -> bool:
    if not isinstance(error, sqlite3.Error):
        return False
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    return primary in _SYSTEM_ERRORS


def answer_all(batch: list[Task]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[Task]] = {}
    for task in batch:
        if isinstance(task.waiting, Future):
            if task.waiting.set_running_or_notify_cancel():
                _settle(task)
        else:
            by_loop.setdefault(task.waiting.get_loop(), []).append(task)
    for loop, tasks in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits any more
            loop.call_soon_threadsafe(_settle_all, tasks)


def _settle_all(tasks: list[Task]) -> None:
    for task in tasks:
        if not task.waiting.done():
            _settle(task)


def _settle(task: Task) -> None:
    if isinstance(task.answer, Exception):
        task.waiting.set_exception(task.answer)
    else:
        task.waiting.set_result(task.answer)
