"""A timer only asks: it does no harm if it fires twice, early, late, or after it was deleted."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, Command, SetTimer, TimerName
from frontdesk.engine.ports import Recorded
from frontdesk.engine.timers import TIMERS_AT_ONCE
from frontdesk.values import replace
from tests.engine.bell import BELL, BellEchoed, Ring
from tests.engine.driver import HOUR, MINUTE, NINE, EngineDriver

DriverOpener = Callable[..., EngineDriver]
ECHO = TimerName("bl/echo/door/1/ann")


def echoes(driver: EngineDriver) -> list[Recorded]:
    return list(driver.store.unfollowed("a test", frozenset({BellEchoed.kind}), 1000))


def set_timer(driver: EngineDriver, name: str, due_at: datetime) -> None:
    timers = (SetTimer(TimerName(name), due_at),)
    driver.store.commit(Accepted(timers=timers), by="cli", at=driver.clock.now())


@pytest.mark.spec("FD-02")
def test_a_timer_fires_at_its_instant_and_is_gone(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))

    driver.wait(HOUR - timedelta(seconds=1))
    assert echoes(driver) == []
    driver.wait(timedelta(seconds=1))

    assert [(each.at, each.by, each.fact) for each in echoes(driver)] == [
        (NINE + HOUR, "timer", BellEchoed("door", 1, "ann"))
    ]
    assert ECHO not in [name for name, _ in driver.store.due_timers(NINE + 9 * HOUR, 10)]


@pytest.mark.spec("FD-03")
def test_a_timer_that_fires_twice_or_after_it_is_gone_has_one_effect(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    driver.wait(HOUR)

    for _ in range(3):
        driver.runtime.timers.fire(ECHO, NINE + HOUR, driver.clock.now())
    driver.runtime.timers.fire(TimerName("bl/echo/door/7/ann"), NINE, driver.clock.now())
    driver.settle()

    assert len(echoes(driver)) == 1
    assert driver.letters() == []


@pytest.mark.spec("FD-03")
def test_a_timer_that_fires_early_waits_for_its_instant(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))

    driver.runtime.timers.fire(ECHO, NINE + HOUR, NINE + HOUR / 2)
    assert echoes(driver) == []

    driver.wait(HOUR)
    assert len(echoes(driver)) == 1


@pytest.mark.spec("FD-03")
def test_a_timer_that_was_moved_does_not_fire_at_its_old_instant(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    set_timer(driver, ECHO, NINE + 2 * HOUR)

    driver.runtime.timers.fire(ECHO, NINE + HOUR, NINE + HOUR)
    assert echoes(driver) == []
    driver.wait(2 * HOUR)

    assert [each.at for each in echoes(driver)] == [NINE + 2 * HOUR]


@pytest.mark.spec("FD-02")
def test_timers_that_fell_due_while_nothing_ran_fire_at_the_start(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    for _ in range(130):
        driver.do(Ring("door", "ann"))
    driver.close()

    later = open_driver(now=NINE + 3 * HOUR)
    later.runtime.start(later.clock.now())
    later.settle()

    assert len(echoes(later)) == 130
    assert set(later.states().values()) == {"sent"}


@pytest.mark.spec("FD-07")
@pytest.mark.parametrize("name", ["bl/unheard-of/x", "xx/echo/y", "nonsense"])
def test_a_timer_that_no_desk_knows_becomes_a_dead_letter(
    open_driver: DriverOpener, name: str
) -> None:
    driver = open_driver().people("ann")
    set_timer(driver, name, NINE)
    set_timer(driver, ECHO, NINE)

    driver.wait(MINUTE)

    ref = f"{name} 2026-03-02T09:00:00+00:00"
    assert driver.complaints() == [("timer", ref, f"UnknownTimer: {name}")]
    assert len(echoes(driver)) == 1
    assert driver.store.next_timer_at() is None


@pytest.mark.spec("FD-07")
def test_a_timer_whose_command_fails_is_retried_and_then_becomes_a_dead_letter(
    open_driver: DriverOpener,
) -> None:
    asked = []

    def broken(name: TimerName, _due_at: datetime) -> Command:
        asked.append((driver.clock.now() - NINE).seconds)
        raise ValueError("out of order")

    driver = open_driver(desk=replace(BELL, timers={"echo": broken})).people("ann")
    set_timer(driver, ECHO, NINE)

    driver.settle()
    assert asked == [0]
    driver.wait(MINUTE)

    assert asked == [0, 1, 3, 7]
    assert [letter.why for letter in driver.letters()] == ["ValueError: out of order"]
    assert driver.store.next_timer_at() is None


def test_a_paused_timer_delays_no_other_and_causes_no_needless_wake_up(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver().people("ann")
    for number in range(TIMERS_AT_ONCE + 6):
        set_timer(driver, f"bl/unheard-of/{number}", NINE - HOUR)
    set_timer(driver, ECHO, NINE + timedelta(seconds=1))
    assert driver.runtime.next_at() == NINE - HOUR

    driver.settle()
    assert driver.letters() == []
    assert driver.runtime.next_at() == NINE + timedelta(seconds=1)
    driver.wait(timedelta(seconds=1))

    assert len(echoes(driver)) == 1
    assert driver.runtime.next_at() == NINE + timedelta(seconds=3)
