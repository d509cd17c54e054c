"""A thread that works while there is something to do, and otherwise sleeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from frontdesk.logs import failure, log

FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 5.0


class Worker:
    """Runs `step` in a thread; `step` returns whether there was work.

    `wait_seconds` returns the time until there is work (`None`: until woken), `rest_seconds` the
    rest after so many seconds of work.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], bool],
        *,
        wait_seconds: Callable[[], float | None] = lambda: None,
        rest_seconds: Callable[[float], float] = lambda _worked: 0.0,
    ) -> None:
        self.name = name
        self._step = step
        self._wait_seconds = wait_seconds
        self._rest_seconds = rest_seconds
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name=f"frontdesk-{name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Wakes the worker from any thread; returns at once."""
        self._woken.set()

    def stop(self) -> None:
        """Lets it finish its current step; see `join`."""
        self._stopping.set()
        self._woken.set()

    def join(self, timeout_seconds: float) -> bool:
        """Returns whether it has ended."""
        if self._thread.ident is not None:
            self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        """Logs an unexpected error, and goes on after a pause."""
        while not self._stopping.is_set():
            try:
                self._turn()
            except BaseException as error:
                self._failures += 1
                log("worker.failed", worker=self.name, why=failure(error), failures=self._failures)
                self._stopping.wait(self._pause())
            else:
                self._failures = 0

    def _turn(self) -> None:
        self._woken.clear()
        began = time.monotonic()
        worked = self._step()
        seconds = time.monotonic() - began
        if not worked:
            self._woken.wait(self._wait_seconds())
        if (rest := self._rest_seconds(seconds)) > 0:
            self._stopping.wait(rest)

    def _pause(self) -> float:
        return min(FIRST_PAUSE_SECONDS * 2.0 ** (self._failures - 1), LONGEST_PAUSE_SECONDS)
