"""Runs jobs: work that touches many people, in small steps that each survive a crash."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from concurrent.futures import Future, wait
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import Final

from frontdesk.core.decision import Command, Refused
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.core.people import ErasePerson
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Outcome
from frontdesk.engine.retries import BRIEF, LONG, RetryTracker
from frontdesk.logs import failure, log

JOBS_AT_ONCE: Final = 16
#: How many steps of a batched job the engine submits at once. They share commits with each other
#: and with other queued writes, which go first.
STEPS_IN_A_BATCH: Final = 100

#: The changes that add jobs: erasing a person adds those that clear Slack.
ADDS_JOBS: Final = (AddJob, ErasePerson)


class SystemUnavailable(Exception):
    """Raised by a job when an outside system is not available. It has more retries than others."""


class NoProgress(Exception):
    """A step of a job did not move its cursor."""


class JobWorker(Enum):
    """The worker that runs a kind of job: one that takes long delays no job of another worker."""

    QUICK = "quick"
    READING = "reading"
    """Reads input from strangers."""
    OUTSIDE = "outside"
    """Waits for outside systems."""


class Jobs:
    """Runs the open jobs of one worker in turn. A job that fails after its retries is parked: it
    waits until it is resumed or the process starts again."""

    def __init__(self, engine: Engine, worker: JobWorker = JobWorker.QUICK) -> None:
        """Quick jobs run several at once, others one at a time."""
        self._engine = engine
        self._worker = worker
        self._at_once = JOBS_AT_ONCE if worker is JobWorker.QUICK else 1
        self._tries = RetryTracker()
        self._parked: set[JobId] = set()
        self._none_open_at: Hashable = None
        """The store's revision of jobs when none was open: until the next one it is not asked."""
        self._stepped_at: datetime | None = None

    def step(self, now: datetime) -> bool:
        """Runs a step or a batch of steps of several open jobs; returns whether there were any."""
        self._stepped_at = now
        idle = len(self._parked) + self._tries.count_paused(now)
        kinds, is_quick = self._slow_kinds, self._worker is JobWorker.QUICK
        if not kinds and not is_quick:
            return False
        added = self._engine.store.revision(ADDS_JOBS)
        if added is not None and added == self._none_open_at:
            return False
        jobs = self._engine.store.open_jobs(self._at_once + idle, kinds=kinds, others=is_quick)
        self._none_open_at = None if jobs else added
        working = [job for job in jobs if self._is_ready(job, now)][: self._at_once]
        asked = [(job, self._submit_steps(job, now)) for job in working]
        for job, outcomes in asked:
            self._settle(job, outcomes, now)
        return bool(working)

    @cached_property
    def _slow_kinds(self) -> frozenset[str]:
        """The kinds of this worker; for quick jobs, the kinds of all other workers."""
        found: set[str] = set()
        for desk in self._engine.desks.values():
            if self._worker is not JobWorker.OUTSIDE:
                found |= {f"{desk.code}/{kind}" for kind in desk.reading_jobs}
            if self._worker is not JobWorker.READING:
                found |= {f"{desk.code}/{kind}" for kind in desk.outside_jobs}
        return frozenset(found)

    def work(self, job_id: JobId, now: datetime) -> bool:
        """Runs one step of this job; returns False if it is finished, parked or paused."""
        job = self._engine.reads().engine.job(job_id)
        if job is None or job.finished or not self._is_ready(job, now):
            return False
        self._settle(job, [self._submit(job, now)], now)
        return True

    def next_at(self) -> datetime | None:
        """Returns when a failed job is retried. The last `step` ran all other jobs."""
        return self._tries.next_at(self._stepped_at)

    def is_parked(self, job_id: JobId) -> bool:
        """Whether this process has given up the job. It is a dead letter then."""
        return job_id in self._parked

    def paused_until(self, job_id: JobId) -> datetime | None:
        """Returns when a failed job may be retried."""
        return self._tries.paused_until(job_id)

    def resume(self, job_id: JobId) -> None:
        """Unparks a job. It continues from its cursor."""
        self._parked.discard(job_id)

    def _is_ready(self, job: Job, now: datetime) -> bool:
        return job.id not in self._parked and not self._tries.is_paused(job.id, now)

    def _submit_steps(self, job: Job, now: datetime) -> list[Future[Outcome]]:
        return [self._submit(job, now) for _ in range(self._batch_size(job))]

    def _batch_size(self, job: Job) -> int:
        """Returns 1 after a failure, until a step works again."""
        desk = self._engine.desks.get(job.desk)
        failed_before = self._tries.paused_until(job.id) is not None
        if desk is None or job.kind not in desk.batched_jobs or failed_before:
            return 1
        return max(1, min(STEPS_IN_A_BATCH, job.total - job.done + 1))

    def _submit(self, job: Job, now: datetime) -> Future[Outcome]:
        try:
            command = self._command(job)
            return self._engine.submit(command, by=f"job:{job.id}", now=now, patient=True)
        except Exception as error:
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return failed

    def _command(self, job: Job) -> Command:
        return self._engine.desks[job.desk].jobs[job.kind](job)

    def _settle(self, job: Job, outcomes: Sequence[Future[Outcome]], now: datetime) -> None:
        """Waits for the steps and records a failure. Each step has its own commit, so the steps
        before a failed one stay done."""
        wait(outcomes)
        try:
            answers = [outcome.result() for outcome in outcomes]
            self._check_progress(job, answers[0])
        except Exception as error:
            why = failure(error)
            log("job.failed", job=job.id, kind=job.kind, why=why)
            policy = LONG if isinstance(error, SystemUnavailable) else BRIEF
            if self._tries.count_failure(job.id, now, policy) is None:
                self._park(job, why, now)
        else:
            self._tries.worked(job.id)

    def _check_progress(self, before: Job, outcome: Outcome) -> None:
        """Raises `NoProgress` if the cursor did not move: such a job would run for ever."""
        after = self._engine.reads().engine.job(before.id)
        if after is not None and not after.finished and after.cursor == before.cursor:
            raise NoProgress(outcome.reason if isinstance(outcome, Refused) else "still the same")

    def _park(self, job: Job, why: str, now: datetime) -> None:
        self._parked.add(job.id)
        self._engine.store.add_dead_letter("job", job.id, why, at=now, cause=None)
