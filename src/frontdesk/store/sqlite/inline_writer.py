"""A writer without a thread of its own: for simulations, which have only one thread."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any, Final

from frontdesk.errors import Busy
from frontdesk.store.sqlite.writer import Task, Work, Writer, answer_all

#: Tasks in one transaction. Other connections see them afterwards, or after `flush`.
MOST_TASKS_A_TRANSACTION: Final = 500


class InlineWriter(Writer):
    """Does each task at once, in the caller's thread, and commits only after many tasks: thread
    switches and a commit for each task would take a third of a simulation. A task that fails leaves
    nothing behind, as with `Writer`.
    """

    def _start(self) -> None:
        self._thread = threading.current_thread()
        self._is_at_work = False
        self._tasks = 0

    def do(self, work: Work, *, again: bool = False) -> Any:
        if self._is_at_work:
            raise RuntimeError("the writer cannot wait for itself: use submit")
        self._check_open()
        task = Task(work, _UNUSED_FUTURE, again=again)
        self._work_on(task)
        self._work_on_queued()
        if isinstance(task.answer, Exception):
            raise task.answer
        return task.answer

    def flush(self) -> None:
        self._tasks = 0
        if not self._closed and self._db.in_transaction:
            self._db.execute("COMMIT")

    def close(self) -> None:
        self.flush()
        self._closed = True

    def _put(self, task: Task) -> None:
        """Does the task now, or after the current task if a commit listener submits it."""
        self._check_open()
        self._patient.append(task)
        if not self._is_at_work:
            self._work_on_queued()

    _put_patient = _put

    def _check_open(self) -> None:
        if self._closed:
            raise Busy("Frontdesk is shutting down.")
        if threading.current_thread() is not self._thread:
            raise RuntimeError("a simulation has only one thread")

    def _work_on_queued(self) -> None:
        while self._patient:
            task = self._patient.popleft()
            self._work_on(task)
            answer_all([task])

    def _work_on(self, task: Task) -> None:
        written = self._db.total_changes
        self._is_at_work = True
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            task.answer = self._try_with_savepoint(task)
            if self._db.total_changes != written:
                self._call_listeners([task])
        finally:
            self._is_at_work = False
        self._tasks += 1
        if self._tasks >= MOST_TASKS_A_TRANSACTION:
            self.flush()


_UNUSED_FUTURE: Final[Future[Any]] = Future()
"""Stands in for the future of a task whose caller reads the answer directly."""
