"""All due work is done; virtual time jumps from one due instant to the next."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, Command
from frontdesk.engine import runtime
from frontdesk.engine.clock import SystemClock, VirtualClock
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import replace
from tests.engine.bell import BELL, BellEchoed, BellRung, Ring, Visited
from tests.engine.driver import HOUR, NINE, EngineDriver

DriverOpener = Callable[..., EngineDriver]


def test_time_jumps_from_one_due_instant_to_the_next(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    driver.wait(HOUR / 2)
    driver.do(Ring("door", "ann"))

    driver.wait(timedelta(days=1))

    echoed = driver.store.unfollowed("a test", frozenset({BellEchoed.kind}), 10)
    assert [recorded.at for recorded in echoed] == [NINE + HOUR, NINE + 1.5 * HOUR]
    assert driver.clock.now() == NINE + HOUR / 2 + timedelta(days=1)
    assert driver.prizes() == {("door", 1): "gone", ("door", 2): "gone"}


def test_work_that_never_settles_is_an_error_and_not_a_hang(
    open_driver: DriverOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ring_again(_reads: Reads, _recorded: Recorded) -> Iterable[Command]:
        return [Ring("door", "ann")]

    monkeypatch.setattr(runtime, "MOST_ROUNDS", 5)
    driver = open_driver(desk=replace(BELL, reactions={BellRung: ring_again})).people("ann")
    driver.do(Ring("door", "ann"))

    with pytest.raises(runtime.DoesNotSettle, match="after 5 rounds"):
        driver.settle()


def test_the_next_instant_is_that_of_a_timer_or_of_a_send(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    assert driver.runtime.next_at() is None

    driver.do(Ring("door", "ann"))
    assert driver.runtime.next_at() == NINE + HOUR

    driver.runtime.follow(NINE)
    assert driver.runtime.next_at() == NINE


def test_a_follower_looks_again_only_once_something_that_concerns_it_is_committed(
    open_driver: DriverOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_driver().people("ann")
    driver.settle()
    looked: list[str] = []
    unfollowed = driver.store.unfollowed

    def look(follower: str, kinds: frozenset[str], limit: int) -> Sequence[Recorded]:
        looked.append(follower)
        return unfollowed(follower, kinds, limit)

    monkeypatch.setattr(driver.store, "unfollowed", look)
    driver.settle()
    driver.store.commit(Accepted(facts=(Visited("door", 1),)), by="cli", at=NINE)
    driver.settle()
    assert looked == []

    driver.do(Ring("door", "ann"))
    driver.settle()
    assert {"bl.react", "bl.tell"} <= set(looked)
    assert driver.states() == {"bl/door/1/prize": "sent"}


def test_virtual_time_has_whole_seconds_and_never_runs_backwards() -> None:
    clock = VirtualClock(NINE)

    with pytest.raises(ValueError, match="backwards"):
        clock.move_to(NINE - HOUR)
    with pytest.raises(ValueError, match="whole seconds"):
        clock.move_to(NINE + timedelta(microseconds=1))
    with pytest.raises(ValueError, match="has a zone"):
        VirtualClock(datetime(2026, 3, 2, 9))  # noqa: DTZ001
    assert (clock.now(), clock.seconds_until(NINE + HOUR)) == (NINE, 3600.0)
    assert clock.seconds_until(NINE - HOUR) == 0.0


def test_the_clock_of_the_machine_says_whole_seconds_in_utc() -> None:
    now = SystemClock().now()

    assert (now.microsecond, now.utcoffset()) == (0, timedelta(0))
    assert 3598 < SystemClock().seconds_until(now + HOUR) <= 3600
    assert SystemClock().seconds_until(now - HOUR) == 0.0
