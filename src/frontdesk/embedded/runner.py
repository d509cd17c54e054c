"""Runs the workers in threads; commits and due times wake them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from frontdesk.embedded.load_shedding import LoadShedding, rest_seconds
from frontdesk.embedded.worker import Worker
from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Recorded
from frontdesk.engine.runtime import Runtime
from frontdesk.logs import log

STOP_SECONDS: Final = 10.0
#: The maximum number of steps before a worker checks its wait and rest times again.
STEPS_A_ROUND: Final = 20
#: The longest sleep of a worker: the machine may be suspended meanwhile.
LONGEST_WAIT_SECONDS: Final = 3_600.0


class Runner:
    """Wakes the workers after each commit; nothing polls."""

    def __init__(self, runtime: Runtime, clock: Clock, load: LoadShedding | None = None) -> None:
        self._works = runtime
        self._clock = clock
        self._pace = load or LoadShedding()
        runtime.sender.breathe = self._pace.breathe
        store = runtime.engine.store
        share, of_jobs = self._pace.share, self._pace.share_of_jobs
        self.workers = (
            self._worker("followers", runtime.follow, runtime.next_follow_at, share),
            self._worker("timers", runtime.timers.step, runtime.timers.next_at, share),
            self._worker("shipping", runtime.sender.step, store.next_send_at, share),
            self._worker("jobs", runtime.jobs.step, runtime.jobs.next_at, of_jobs),
            self._worker("reading", runtime.slow_jobs.step, runtime.slow_jobs.next_at, of_jobs),
        )

    def start(self) -> None:
        """Starts the workers, which first do everything that is due."""
        self._works.start(self._clock.now())
        store = self._works.engine.store
        store.on_commit(self._pace.heard)
        store.on_commit(self._heard)
        for worker in self.workers:
            worker.start()

    def stop(self) -> bool:
        """Stops each worker after its current step; returns whether all have ended."""
        for worker in self.workers:
            worker.stop()
        left = [worker.name for worker in self.workers if not worker.join(STOP_SECONDS)]
        if left:
            log("runner.left_running", workers=", ".join(left))
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
        def round_() -> bool:
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

        return Worker(name, round_, wait_seconds=wait_seconds, rest_seconds=rest)
