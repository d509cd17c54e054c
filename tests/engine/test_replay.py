"""A dead letter is tried once more when somebody asks, and is out of the way once it worked."""

from collections.abc import Callable
from datetime import datetime

import pytest

from frontdesk.core.decision import Command, TimerName
from frontdesk.core.jobs import Job, JobId
from frontdesk.core.messages import SendFailed, SendRefused, SendUnknown
from frontdesk.core.notes import Note
from frontdesk.engine.replay import Replay, replay
from frontdesk.values import replace
from tests.engine.bell import BELL, BeginTour, BellRung, Ring, Visit, echo_timer, prize_note
from tests.engine.house import HOUR, MINUTE, House, Post

HouseOpener = Callable[..., House]
PRIZE = "bl/door/1/prize"


class Repairs:
    """Parts of the desk that are broken until they are mended."""

    def __init__(self) -> None:
        self.is_mended = False

    def _check(self) -> None:
        if not self.is_mended:
            raise ValueError("broken")

    def note(self, fact: BellRung) -> Note:
        self._check()
        return prize_note(fact)

    def timer(self, name: TimerName, due_at: datetime) -> Command:
        self._check()
        return echo_timer(name, due_at)

    def job(self, job: Job) -> Command:
        self._check()
        return Visit(job.id)


def replay_only(house: House) -> Replay:
    (letter,) = (each for each in house.letters() if each.replayed_at is None)
    diagnostics = house.diagnostics()
    outcome = replay(house.runtime, diagnostics, letter.id, by="member:eve", now=house.clock.now())
    house.settle()
    return outcome


@pytest.mark.spec("FD-07")
def test_replaying_a_fact_follows_it(open_house: HouseOpener) -> None:
    repairs = Repairs()
    house = open_house(desk=replace(BELL, notes={BellRung: repairs.note})).people("ann")
    house.do(Ring("door", "ann"))
    house.wait(MINUTE)

    assert replay_only(house) is Replay.FAILED
    assert house.states() == {}
    repairs.is_mended = True
    assert replay_only(house) is Replay.DONE

    assert house.states() == {PRIZE: "sent"}
    assert [letter.replayed_at for letter in house.letters()] == [house.clock.now()]


@pytest.mark.spec("FD-07")
def test_replaying_a_timer_runs_its_command(open_house: HouseOpener) -> None:
    repairs = Repairs()
    timers = {**BELL.timers, "echo": repairs.timer}
    house = open_house(desk=replace(BELL, timers=timers)).people("ann")
    house.do(Ring("door", "ann"))
    house.wait(HOUR + MINUTE)

    repairs.is_mended = True
    assert replay_only(house) is Replay.DONE

    assert house.states() == {PRIZE: "sent", "bl/door/1/echo": "sent"}


@pytest.mark.spec("FD-07")
def test_replaying_a_job_continues_it(open_house: HouseOpener) -> None:
    repairs = Repairs()
    house = open_house(desk=replace(BELL, jobs={"tour": repairs.job}))
    house.do(BeginTour(JobId("tour"), "door", 3))
    house.wait(MINUTE)

    repairs.is_mended = True
    assert replay_only(house) is Replay.QUEUED

    assert not house.store.open_jobs(1)


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize(
    ("failure", "mobile"),
    [(SendRefused("554 no"), ""), (SendUnknown("time-out"), "+6591234567")],
    ids=["refused mail", "text of unknown outcome"],
)
def test_replaying_a_send_sends_it(
    open_house: HouseOpener, failure: SendFailed, mobile: str
) -> None:
    post = Post(failures=[failure])
    delivery = replace(BELL.delivery, undeliverable=lambda _send: None)
    house = open_house(channel=post, texts=post, desk=replace(BELL, delivery=delivery))
    house.people("ann", mobile=mobile)
    house.do(Ring("door", "ann"))
    house.settle()

    assert replay_only(house) is Replay.QUEUED

    assert house.states() == {PRIZE: "sent"}
    assert len(post.delivered) == 1


def test_a_replayed_dead_letter_is_not_replayed_again(open_house: HouseOpener) -> None:
    post = Post(failures=[SendRefused("554 no")])
    house = open_house(channel=post).people("ann")
    house.do(Ring("door", "ann"))
    house.settle()
    diagnostics = house.diagnostics()
    (letter,) = house.letters()

    replay_only(house)

    for letter_id in (letter.id, 999):
        again = replay(
            house.runtime, diagnostics, letter_id, by="member:eve", now=house.clock.now()
        )
        assert again is Replay.NOTHING
