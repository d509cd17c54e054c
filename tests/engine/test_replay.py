"""A dead letter is tried again on demand, and removed once that succeeds."""

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
from tests.engine.driver import HOUR, MINUTE, EngineDriver
from tests.support.flaky_channel import FlakyChannel

DriverOpener = Callable[..., EngineDriver]
PRIZE = "bl/door/1/prize"


class Repairs:
    """Parts of the desk that fail until they are repaired."""

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


def replay_only(driver: EngineDriver) -> Replay:
    (letter,) = (each for each in driver.letters() if each.replayed_at is None)
    diagnostics = driver.diagnostics()
    outcome = replay(
        driver.runtime, diagnostics, letter.id, by="member:eve", now=driver.clock.now()
    )
    driver.settle()
    return outcome


@pytest.mark.spec("FD-07")
def test_replaying_a_fact_follows_it(open_driver: DriverOpener) -> None:
    repairs = Repairs()
    driver = open_driver(desk=replace(BELL, notes={BellRung: repairs.note})).people("ann")
    driver.do(Ring("door", "ann"))
    driver.wait(MINUTE)

    assert replay_only(driver) is Replay.FAILED
    assert driver.states() == {}
    repairs.is_mended = True
    assert replay_only(driver) is Replay.DONE

    assert driver.states() == {PRIZE: "sent"}
    assert [letter.replayed_at for letter in driver.letters()] == [driver.clock.now()]


@pytest.mark.spec("FD-07")
def test_replaying_a_timer_runs_its_command(open_driver: DriverOpener) -> None:
    repairs = Repairs()
    timers = {**BELL.timers, "echo": repairs.timer}
    driver = open_driver(desk=replace(BELL, timers=timers)).people("ann")
    driver.do(Ring("door", "ann"))
    driver.wait(HOUR + MINUTE)

    repairs.is_mended = True
    assert replay_only(driver) is Replay.DONE

    assert driver.states() == {PRIZE: "sent", "bl/door/1/echo": "sent"}


@pytest.mark.spec("FD-07")
def test_replaying_a_job_continues_it(open_driver: DriverOpener) -> None:
    repairs = Repairs()
    driver = open_driver(desk=replace(BELL, jobs={"tour": repairs.job}))
    driver.do(BeginTour(JobId("tour"), "door", 3))
    driver.wait(MINUTE)

    repairs.is_mended = True
    assert replay_only(driver) is Replay.QUEUED

    assert not driver.store.open_jobs(1)


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize(
    ("failure", "mobile"),
    [(SendRefused("554 no"), ""), (SendUnknown("time-out"), "+6591234567")],
    ids=["refused mail", "text of unknown outcome"],
)
def test_replaying_a_send_sends_it(
    open_driver: DriverOpener, failure: SendFailed, mobile: str
) -> None:
    post = FlakyChannel(failures=[failure])
    delivery = replace(BELL.delivery, undeliverable=lambda _send: None)
    driver = open_driver(channel=post, texts=post, desk=replace(BELL, delivery=delivery))
    driver.people("ann", mobile=mobile)
    driver.do(Ring("door", "ann"))
    driver.settle()

    assert replay_only(driver) is Replay.QUEUED

    assert driver.states() == {PRIZE: "sent"}
    assert len(post.delivered) == 1


def test_a_replayed_dead_letter_is_not_replayed_again(open_driver: DriverOpener) -> None:
    post = FlakyChannel(failures=[SendRefused("554 no")])
    driver = open_driver(channel=post).people("ann")
    driver.do(Ring("door", "ann"))
    driver.settle()
    diagnostics = driver.diagnostics()
    (letter,) = driver.letters()

    replay_only(driver)

    for letter_id in (letter.id, 999):
        again = replay(
            driver.runtime, diagnostics, letter_id, by="member:eve", now=driver.clock.now()
        )
        assert again is Replay.NOTHING
