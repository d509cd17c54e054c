"""A job is worked off step by step; one that cannot go on is parked and can be resumed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job, JobId
from tests.engine.bell import BELL, BeginTour, Ring, Visit, Visited
from tests.engine.house import MINUTE, NINE, House

HouseOpener = Callable[..., House]
TOUR = JobId("tour")
SECOND = timedelta(seconds=1)


def stops(house: House) -> list[object]:
    visited = house.store.unfollowed("a test", frozenset({Visited.kind}), 100)
    return [recorded.fact for recorded in visited]


def test_a_job_is_worked_off_step_by_step(open_house: HouseOpener) -> None:
    house = open_house()
    house.do(BeginTour(TOUR, "door", 3))
    house.do(BeginTour(JobId("other"), "gate", 2))

    house.settle()

    job = Job(TOUR, "bl", "tour", "door", cursor="3", done=3, total=3, finished=True)
    assert house.store.reads().engine.job(TOUR) == job
    assert sorted(map(str, stops(house))) == [
        *(str(Visited("door", stop)) for stop in (1, 2, 3)),
        *(str(Visited("gate", stop)) for stop in (1, 2)),
    ]


class Stuck:
    """A tour that gets stuck at its second stop until the way is clear."""

    def __init__(self) -> None:
        self.is_clear = False

    def __call__(self, job: Job) -> Command:
        if job.cursor == "1" and job.id == TOUR and not self.is_clear:
            raise ValueError("the way is blocked")
        return Visit(job.id)


@pytest.mark.spec("FD-07")
def test_a_job_that_fails_is_parked_as_a_dead_letter_and_goes_on_where_it_stopped(
    open_house: HouseOpener,
) -> None:
    stuck = Stuck()
    house = open_house(desk=replace(BELL, jobs={"tour": stuck}))
    house.do(BeginTour(TOUR, "door", 3))
    house.do(BeginTour(JobId("other"), "gate", 2))

    house.wait(MINUTE)
    assert house.complaints() == [("job", "tour", "ValueError: the way is blocked")]
    assert len(stops(house)) == 1 + 2

    stuck.is_clear = True
    house.works.jobs.resume(TOUR)
    house.settle()

    assert len(stops(house)) == 3 + 2
    assert not house.store.open_jobs(10)


@pytest.mark.spec("FD-07")
def test_a_job_that_stands_still_is_parked(open_house: HouseOpener) -> None:
    def ring_instead(_job: Job) -> Command:
        return Ring("door", "ann")

    house = open_house(desk=replace(BELL, jobs={"tour": ring_instead})).people("ann")
    house.do(BeginTour(TOUR, "door", 3))

    house.wait(MINUTE)

    assert house.complaints() == [("job", "tour", "NoProgress: still the same")]


def test_a_job_of_an_unknown_kind_is_parked(open_house: HouseOpener) -> None:
    house = open_house(desk=replace(BELL, jobs={}))
    house.do(BeginTour(TOUR, "door", 3))

    house.wait(MINUTE)

    assert house.complaints() == [("job", "tour", "KeyError: 'tour'")]


@pytest.mark.spec("FD-07")
def test_a_job_that_fails_is_tried_again_after_growing_pauses_and_holds_up_no_other(
    open_house: HouseOpener,
) -> None:
    tried = []

    def sometimes(job: Job) -> Command:
        if job.id == TOUR:
            tried.append((house.clock.now() - NINE).seconds)
            raise ValueError("the way is blocked")
        return Visit(job.id)

    house = open_house(desk=replace(BELL, jobs={"tour": sometimes}))
    house.do(BeginTour(TOUR, "door", 3))
    house.do(BeginTour(JobId("other"), "gate", 2))

    house.settle()
    assert (tried, len(stops(house)), house.works.next_at()) == ([0], 2, NINE + SECOND)
    house.wait(MINUTE)

    assert tried == [0, 1, 3, 7]
    assert house.works.next_at() is None
