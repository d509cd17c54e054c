"""The workers of one process: commits and due instants wake them; they never poll."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.decision import Accepted, Command
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.core.sends import Via
from frontdesk.embedded.runner import (
    BUSY_FACTS,
    LONGEST_REST_SECONDS,
    REST_SECONDS,
    SHARE,
    SHARE_BESIDE_PEOPLE,
    SOME_FACTS,
    LoadShedding,
    Runner,
    Worker,
    rest_seconds,
)
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Recorded
from frontdesk.engine.runtime import Runtime
from frontdesk.values import replace
from tests.engine.bell import BELL, BeginTour, Bell, BellEchoed, Ring, Visit, Visited
from tests.engine.driver import NINE, EngineDriver

PATIENCE_SECONDS = 60.0


class Commits:
    """Waits for the result of commits."""

    def __init__(self, driver: EngineDriver) -> None:
        self._heard = threading.Event()
        driver.store.on_commit(lambda _facts: self._heard.set())

    def until(self, is_true: Callable[[], bool]) -> None:
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while not is_true():
            assert self._heard.wait(give_up_at - time.monotonic()), "it never came true"
            self._heard.clear()


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[EngineDriver]:
    driver = EngineDriver(tmp_path / "bell.db").people("ann")
    driver.clock = SystemClock()  # type: ignore[assignment]
    driver.engine = Engine(driver.store, [BELL], new_id=lambda: "unused")
    driver.runtime = Runtime(driver.engine, {Via.MAIL: MailboxChannel()}, chance=lambda: 0.5)
    yield driver
    driver.close()


@pytest.fixture
def runner(driver: EngineDriver) -> Iterator[Runner]:
    runner = Runner(driver.runtime, SystemClock())
    yield runner
    assert runner.stop()


def test_the_work_after_a_commit_is_done_without_a_request(
    driver: EngineDriver, runner: Runner
) -> None:
    commits = Commits(driver)
    runner.start()

    driver.do(Ring("door", "ann"))
    driver.do(BeginTour(JobId("tour"), "door", 3))

    commits.until(lambda: driver.states() == {"bl/door/1/prize": "sent"})
    commits.until(lambda: driver.bell() == Bell(1, 1))
    commits.until(lambda: not driver.store.open_jobs(1))


@pytest.mark.parametrize("blocked", ["reading", "outside"])
def test_a_job_that_takes_long_holds_up_no_job_of_another_worker(
    driver: EngineDriver, blocked: str
) -> None:
    """Jobs that read what a stranger sent and jobs that wait for outside systems have separate
    workers: a scan delays no calendar, and a calendar that is down delays no mail."""
    go_on = threading.Event()

    def slow(job: Job) -> Command:
        assert job.kind != blocked or go_on.wait(PATIENCE_SECONDS)
        return Visit(job.id)

    desk = replace(
        BELL,
        jobs={**BELL.jobs, "reading": slow, "outside": slow},
        reading_jobs=frozenset({"reading"}),
        outside_jobs=frozenset({"outside"}),
    )
    driver.engine = Engine(driver.store, [desk], new_id=lambda: "unused")
    driver.runtime = Runtime(driver.engine, {Via.MAIL: MailboxChannel()}, chance=lambda: 0.5)
    commits, runner = Commits(driver), Runner(driver.runtime, SystemClock())
    jobs = {
        kind: Job(JobId(f"a {kind} one"), "bl", kind, "gate", cursor="0", total=1)
        for kind in ("reading", "outside")
    }
    added = Accepted(tuple(AddJob(job) for job in jobs.values()))
    driver.store.commit(added, by="cli", at=SystemClock().now())
    runner.start()

    driver.do(BeginTour(JobId("tour"), "door", 3))
    commits.until(lambda: list(driver.store.open_jobs(9)) == [jobs[blocked]])
    go_on.set()
    commits.until(lambda: not driver.store.open_jobs(1))

    assert runner.stop()


@pytest.mark.spec("FD-02")
def test_work_left_by_the_last_process_is_done_at_the_start(
    driver: EngineDriver, runner: Runner
) -> None:
    at = SystemClock().now() - timedelta(hours=2)
    driver.engine.run(Ring("door", "ann"), by="guest:ann", now=at)
    commits = Commits(driver)

    runner.start()

    told = {"bl/door/1/prize": "sent", "bl/door/1/echo": "sent"}
    commits.until(lambda: driver.states() == told)


class Hurried:
    """A clock on which an hour passes in half a second."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def _now(self) -> datetime:
        return NINE + timedelta(seconds=(time.monotonic() - self._began) * 7200)

    def now(self) -> datetime:
        return self._now().replace(microsecond=0)

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, (instant - self._now()).total_seconds() / 7200)


def test_a_timer_fires_at_its_instant_with_nobody_looking(driver: EngineDriver) -> None:
    commits = Commits(driver)
    clock = Hurried()
    runner = Runner(driver.runtime, clock)
    runner.start()

    driver.engine.run(Ring("door", "ann"), by="guest:ann", now=clock.now())

    commits.until(lambda: driver.states().get("bl/door/1/echo") == "sent")
    assert runner.stop()
    echoed = driver.store.unfollowed("a test", frozenset({BellEchoed.kind}), 10)
    rung_at = driver.store.unfollowed("a test", frozenset({"bl.rung"}), 10)[0].at
    assert echoed[0].at >= rung_at + timedelta(hours=1)


def test_failed_work_is_retried_after_its_pause_without_a_wake_up(
    driver: EngineDriver,
) -> None:
    tried: list[str] = []
    clock = Hurried()
    commits = Commits(driver)

    def stuck(job: Job) -> Command:
        tried.append(job.id)
        raise ValueError("the way is blocked")

    driver.engine = Engine(driver.store, [replace(BELL, jobs={"tour": stuck})], new_id=lambda: "")
    runtime = Runtime(driver.engine, {Via.MAIL: MailboxChannel()}, chance=lambda: 0.5)
    runner = Runner(runtime, clock)
    runner.start()

    driver.engine.run(BeginTour(JobId("tour"), "door", 3), by="cli", now=clock.now())

    commits.until(lambda: bool(driver.letters()))
    assert runner.stop()
    assert len(tried) == 4


@pytest.mark.parametrize("failure", [ValueError("oops"), SystemExit(1)])
def test_a_worker_that_fails_is_logged_and_goes_on(
    failure: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    failures = [failure, failure]
    done = threading.Event()

    def step() -> bool:
        if failures:
            raise failures.pop()
        done.set()
        return False

    worker = Worker("clerk", step)
    worker.start()

    assert done.wait(PATIENCE_SECONDS)
    worker.stop()
    assert worker.join(PATIENCE_SECONDS)
    lines = capsys.readouterr().err.splitlines()
    assert [line.count('"worker": "clerk"') for line in lines] == [1, 1]


def test_a_worker_with_nothing_to_do_sleeps_until_it_is_woken() -> None:
    steps: list[int] = []
    stepped = threading.Semaphore(0)

    def step() -> bool:
        steps.append(1)
        stepped.release()
        return False

    worker = Worker("clerk", step)
    worker.start()
    assert stepped.acquire(timeout=PATIENCE_SECONDS)
    worker.wake()
    assert stepped.acquire(timeout=PATIENCE_SECONDS)
    worker.stop()

    assert worker.join(PATIENCE_SECONDS)
    assert len(steps) == 2


def test_a_worker_that_was_never_started_can_be_stopped() -> None:
    worker = Worker("clerk", lambda: False)
    worker.stop()

    assert worker.join(PATIENCE_SECONDS)


def recorded(by: str, number: int) -> Sequence[Recorded]:
    return [Recorded(1, NINE, by, Visited("door", 1))] * number


def test_many_requests_in_a_second_are_load_and_the_engines_own_work_is_not() -> None:
    seconds = [100.0]
    load = LoadShedding(lambda: seconds[0])

    load.on_commit(recorded("follower:bl.react", 10 * BUSY_FACTS))
    assert not load.is_busy()
    load.on_commit(recorded("guest:ann", BUSY_FACTS - 1))
    assert not load.is_busy()
    load.on_commit(recorded("guest:ann", 1))
    assert load.is_busy()

    seconds[0] = 101.5
    assert load.is_busy()
    seconds[0] = 102.5
    assert not load.is_busy()


def test_jobs_give_way_to_people_and_all_other_work_to_both() -> None:
    load = LoadShedding(lambda: 100.0)
    assert (load.share(), load.share_of_jobs()) == (1.0, 1.0)

    load.on_commit(recorded("job:import", BUSY_FACTS))
    assert (load.share(), load.share_of_jobs()) == (SHARE, 1.0)

    load.on_commit(recorded("member:mia", SOME_FACTS - 1))
    assert (load.share(), load.share_of_jobs()) == (SHARE, 1.0)

    load.on_commit(recorded("guest:ann", 1))
    assert (load.share(), load.share_of_jobs()) == (SHARE, SHARE_BESIDE_PEOPLE)

    load.on_commit(recorded("guest:ann", BUSY_FACTS))
    assert (load.share(), load.share_of_jobs()) == (SHARE, SHARE)


def test_under_load_a_worker_steps_back_but_never_for_long() -> None:
    assert rest_seconds(60.0, 1.0) == 0.0
    assert rest_seconds(0.0, SHARE) == REST_SECONDS
    assert REST_SECONDS < rest_seconds(0.1, SHARE) < LONGEST_REST_SECONDS
    assert rest_seconds(60.0, SHARE) == LONGEST_REST_SECONDS
    assert rest_seconds(0.2, SHARE_BESIDE_PEOPLE) == pytest.approx(0.3)
