"""Runs the workers in threads: commits and due times wake them, many requests slow them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Recorded
from frontdesk.engine.runtime import Runtime
from frontdesk.logs import failure, log

FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 5.0


class Worker:
    """Runs `step` in a thread; `step` returns whether there was work.

    `wait_seconds` returns the time until there is work (`None`: until woken), `rest_seconds` the
    rest after that many seconds of work.
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
        if not self._woken.is_set():  # under load it is, and setting it again takes locks
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


#: From this many facts by people in a second on, the server is busy.
BUSY_FACTS: Final = 100
#: The share of its time that each worker may use then. Messages are delayed meanwhile, and sent
#: soon after.
SHARE: Final = 0.15
#: From this many facts on, people are signing up. (Starting an import causes a fact, too.)
SOME_FACTS: Final = 5
#: The share of its time that a large job may use then.
SHARE_BESIDE_PEOPLE: Final = 0.4
#: The minimum rest of a worker between two steps under load: more facts then share a commit.
REST_SECONDS: Final = 0.2
#: The maximum rest: the load may end at any moment.
LONGEST_REST_SECONDS: Final = 2.0
#: The pause of a worker between two messages then, so that requests get the interpreter.
BREATH_SECONDS: Final = 0.0002

_OURS: Final = ("follower:", "timer", "shipping", "job:")
_JOBS: Final = "job:"


class LoadShedding:
    """Counts facts by people and by jobs in each second of a monotonic clock.

    Jobs yield to people. All other workers yield to both: a large import is faster and cheaper if
    its messages are handled in large batches.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._second = 0
        self._by_people = _Count()
        self._by_jobs = _Count()

    def on_commit(self, facts: Sequence[Recorded]) -> None:
        """Listens to `Store.on_commit`."""
        if facts:
            self._turn()
            self._by_people.now += sum(not each.by.startswith(_OURS) for each in facts)
            self._by_jobs.now += sum(each.by.startswith(_JOBS) for each in facts)

    def is_busy(self) -> bool:
        """Counts facts by people only."""
        self._turn()
        return self._by_people.highest >= BUSY_FACTS

    def is_busy_with_jobs(self) -> bool:
        """Counts facts by people and jobs."""
        self._turn()
        return self._by_people.highest + self._by_jobs.highest >= BUSY_FACTS

    def share(self) -> float:
        """Returns the share of its time that a worker may use now."""
        return SHARE if self.is_busy_with_jobs() else 1.0

    def share_of_jobs(self) -> float:
        """The same for workers that do jobs: people who sign up meanwhile should hardly notice."""
        if self.is_busy():
            return SHARE
        return SHARE_BESIDE_PEOPLE if self._by_people.highest >= SOME_FACTS else 1.0

    def yield_briefly(self) -> None:
        if self.is_busy_with_jobs():
            time.sleep(BREATH_SECONDS)

    def _turn(self) -> None:
        second = int(self._seconds())
        if second != self._second:
            for count in (self._by_people, self._by_jobs):
                count.turn(follows=second == self._second + 1)
            self._second = second


class _Count:
    """Counts the facts of this second and the one before."""

    def __init__(self) -> None:
        self.now = 0
        self._before = 0

    @property
    def highest(self) -> int:
        return max(self.now, self._before)

    def turn(self, *, follows: bool) -> None:
        self._before = self.now if follows else 0
        self.now = 0


def rest_seconds(worked_seconds: float, share: float) -> float:
    """Returns the rest that is needed after this work, so that it takes this share of the time."""
    if share >= 1.0:
        return 0.0
    fair = worked_seconds * (1 - share) / share
    least = REST_SECONDS if share <= SHARE else 0.0
    return min(max(least, fair), LONGEST_REST_SECONDS)


STOP_SECONDS: Final = 10.0
#: The maximum number of steps before a worker checks its wait and rest times again.
STEPS_A_ROUND: Final = 20
#: The longest sleep of a worker: the machine may be suspended meanwhile.
LONGEST_WAIT_SECONDS: Final = 3_600.0


class Runner:
    """Wakes the workers after each commit; nothing polls."""

    def __init__(self, runtime: Runtime, clock: Clock, load: LoadShedding | None = None) -> None:
        self._runtime = runtime
        self._clock = clock
        self._load = load or LoadShedding()
        runtime.sender.yield_briefly = self._load.yield_briefly
        store = runtime.engine.store
        share, of_jobs = self._load.share, self._load.share_of_jobs
        reading, outside = runtime.reading_jobs, runtime.outside_jobs
        self.workers = (
            self._worker("followers", runtime.follow, runtime.next_follow_at, share),
            self._worker("timers", runtime.timers.step, runtime.timers.next_at, share),
            self._worker("shipping", runtime.sender.step, store.next_send_at, share),
            self._worker("jobs", runtime.jobs.step, runtime.jobs.next_at, of_jobs),
            self._worker("reading", reading.step, reading.next_at, of_jobs),
            self._worker("outside", outside.step, outside.next_at, of_jobs),
        )

    def start(self) -> None:
        """Starts the workers, which first do everything that is due."""
        self._runtime.start(self._clock.now())
        store = self._runtime.engine.store
        store.on_commit(self._load.on_commit)
        store.on_commit(self._heard)
        for worker in self.workers:
            worker.start()

    def stop(self) -> bool:
        """Stops each worker after its current step; returns whether all have ended."""
        for worker in self.workers:
            worker.stop()
        left = [worker.name for worker in self.workers if not worker.join(STOP_SECONDS)]
        if left:
            log("runner.workers_still_running", workers=", ".join(left))
        return not left

    def _heard(self, _facts: Sequence[Recorded]) -> None:
        for worker in self.workers:
            worker.wake()

    def _worker(
        self,
        name: str,
        step: Callable[[datetime], bool],
        next_at: Callable[[], datetime | None],
        share: Callable[[], float],
    ) -> Worker:
        def run_steps() -> bool:
            """Does steps until there is no work, up to a limit; under load a single step."""
            for steps in range(STEPS_A_ROUND):
                if not step(self._clock.now()):
                    return steps > 0
                if share() < 1.0:
                    break
            return True

        def wait_seconds() -> float | None:
            due_at = next_at()
            if due_at is None:
                return None
            return min(self._clock.seconds_until(due_at), LONGEST_WAIT_SECONDS)

        def rest(worked_seconds: float) -> float:
            return rest_seconds(worked_seconds, share())

        return Worker(name, run_steps, wait_seconds=wait_seconds, rest_seconds=rest)
