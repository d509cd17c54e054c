"""A job runs step by step; a job that fails is parked and can be resumed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from frontdesk.core.decision import Command, Decision
from frontdesk.core.jobs import Job, JobId
from frontdesk.engine.desk import Rule
from frontdesk.engine.jobs import STEPS_IN_A_BATCH
from frontdesk.values import replace
from tests.engine.bell import (
    BELL,
    BeginTour,
    BellRung,
    Ring,
    Visit,
    Visited,
    the_job,
    visit,
)
from tests.engine.driver import MINUTE, NINE, EngineDriver

DriverOpener = Callable[..., EngineDriver]
TOUR = JobId("tour")
SECOND = timedelta(seconds=1)


def stops(driver: EngineDriver) -> list[object]:
    visited = driver.store.unfollowed("a test", frozenset({Visited.kind}), 100)
    return [recorded.fact for recorded in visited]


def test_a_job_is_worked_off_step_by_step(open_driver: DriverOpener) -> None:
    driver = open_driver()
    driver.do(BeginTour(TOUR, "door", 3))
    driver.do(BeginTour(JobId("other"), "gate", 2))

    driver.settle()

    job = Job(TOUR, "bl", "tour", "door", cursor="3", done=3, total=3, finished=True)
    assert driver.store.reads().engine.job(TOUR) == job
    assert sorted(map(str, stops(driver))) == [
        *(str(Visited("door", stop)) for stop in (1, 2, 3)),
        *(str(Visited("gate", stop)) for stop in (1, 2)),
    ]


class Stuck:
    """A tour that fails at its second stop until the way is clear."""

    def __init__(self) -> None:
        self.is_clear = False

    def __call__(self, job: Job) -> Command:
        if job.cursor == "1" and job.id == TOUR and not self.is_clear:
            raise ValueError("the way is blocked")
        return Visit(job.id)


@pytest.mark.spec("FD-07")
def test_a_job_that_fails_is_parked_as_a_dead_letter_and_goes_on_where_it_stopped(
    open_driver: DriverOpener,
) -> None:
    stuck = Stuck()
    driver = open_driver(desk=replace(BELL, jobs={"tour": stuck}))
    driver.do(BeginTour(TOUR, "door", 3))
    driver.do(BeginTour(JobId("other"), "gate", 2))

    driver.wait(MINUTE)
    assert driver.complaints() == [("job", "tour", "ValueError: the way is blocked")]
    assert len(stops(driver)) == 1 + 2

    stuck.is_clear = True
    driver.runtime.jobs.resume(TOUR)
    driver.settle()

    assert len(stops(driver)) == 3 + 2
    assert not driver.store.open_jobs(10)


@pytest.mark.spec("FD-07")
def test_a_job_without_progress_is_parked(open_driver: DriverOpener) -> None:
    def ring_instead(_job: Job) -> Command:
        return Ring("door", "ann")

    driver = open_driver(desk=replace(BELL, jobs={"tour": ring_instead})).people("ann")
    driver.do(BeginTour(TOUR, "door", 3))

    driver.wait(MINUTE)

    assert driver.complaints() == [("job", "tour", "NoProgress: still the same")]


def test_a_job_of_an_unknown_kind_is_parked(open_driver: DriverOpener) -> None:
    driver = open_driver(desk=replace(BELL, jobs={}))
    driver.do(BeginTour(TOUR, "door", 3))

    driver.wait(MINUTE)

    assert driver.complaints() == [("job", "tour", "KeyError: 'tour'")]


@pytest.mark.spec("FD-07")
def test_a_job_that_fails_is_tried_again_after_growing_pauses_and_holds_up_no_other(
    open_driver: DriverOpener,
) -> None:
    tried = []

    def sometimes(job: Job) -> Command:
        if job.id == TOUR:
            tried.append((driver.clock.now() - NINE).seconds)
            raise ValueError("the way is blocked")
        return Visit(job.id)

    driver = open_driver(desk=replace(BELL, jobs={"tour": sometimes}))
    driver.do(BeginTour(TOUR, "door", 3))
    driver.do(BeginTour(JobId("other"), "gate", 2))

    driver.settle()
    assert (tried, len(stops(driver)), driver.runtime.next_at()) == ([0], 2, NINE + SECOND)
    driver.wait(MINUTE)

    assert tried == [0, 1, 3, 7]
    assert driver.runtime.next_at() is None


BATCHED = replace(BELL, batched_jobs=frozenset({"tour"}))


def test_steps_of_a_batched_job_are_submitted_together_up_to_a_bound(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver(desk=BATCHED)
    driver.do(BeginTour(TOUR, "door", STEPS_IN_A_BATCH + 10))

    driver.runtime.jobs.step(NINE)
    first = driver.store.reads().engine.job(TOUR)
    driver.runtime.jobs.step(NINE)
    second = driver.store.reads().engine.job(TOUR)

    assert first is not None
    assert second is not None
    assert (first.done, first.finished) == (STEPS_IN_A_BATCH, False)
    assert (second.done, second.finished) == (STEPS_IN_A_BATCH + 10, True)
    everything = driver.store.unfollowed("a test", frozenset({Visited.kind}), 1_000)
    assert [each.fact for each in everything] == [
        Visited("door", stop) for stop in range(1, STEPS_IN_A_BATCH + 11)
    ]


def test_a_command_given_during_a_batched_job_waits_for_one_batch_at_most(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver(desk=BATCHED).people("ann")
    driver.do(BeginTour(TOUR, "door", 5 * STEPS_IN_A_BATCH))

    driver.runtime.jobs.step(NINE)
    driver.do(Ring("gate", "ann"))
    driver.settle()

    kinds = frozenset({Visited.kind, BellRung.kind})
    facts = [each.fact for each in driver.store.unfollowed("a test", kinds, 1_000)]
    assert facts.index(next(fact for fact in facts if isinstance(fact, BellRung))) == (
        STEPS_IN_A_BATCH
    )
    assert len(facts) == 5 * STEPS_IN_A_BATCH + 1


@pytest.mark.spec("FD-07")
def test_a_step_that_fails_in_a_batch_undoes_no_other_and_is_tried_alone_until_it_works(
    open_driver: DriverOpener,
) -> None:
    blocked, tried = [True], []

    def visit_unless_blocked(view: Job | None, command: Visit, now: datetime) -> Decision:
        if view is not None and view.cursor == "3" and blocked[0]:
            tried.append((now - NINE).seconds)
            raise ValueError("the way is blocked")
        return visit(view, command, now)

    rules: dict[type[Command], Rule] = {**BELL.rules, Visit: Rule(the_job, visit_unless_blocked)}
    driver = open_driver(desk=replace(BATCHED, rules=rules))
    driver.do(BeginTour(TOUR, "door", 20))

    driver.settle()
    job = driver.store.reads().engine.job(TOUR)
    assert job is not None
    assert (job.done, len(stops(driver)), driver.complaints()) == (3, 3, [])

    tried.clear()
    driver.wait(4 * SECOND)
    assert tried == [1, 3]

    blocked[0] = False
    driver.wait(MINUTE)
    assert len(stops(driver)) == 20
    assert not driver.store.open_jobs(10)


def test_steps_of_a_job_let_others_go_first(
    open_driver: DriverOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_driver().people("ann")
    driver.do(BeginTour(TOUR, "door", 2))
    submit, asked = driver.engine.store.submit, []

    def noted(*args: Any, patient: bool = False, **named: Any) -> Any:
        asked.append(patient)
        return submit(*args, patient=patient, **named)

    monkeypatch.setattr(driver.engine.store, "submit", noted, raising=False)
    driver.runtime.jobs.step(NINE)

    assert asked == [True]
