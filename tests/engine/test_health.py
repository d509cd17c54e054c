"""Health reports problems in plain sentences and as metrics."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from frontdesk.core.messages import SendRefused
from frontdesk.core.sends import SendState
from frontdesk.engine.health import Health, HourlyCount, StoreStats, health, metrics
from frontdesk.values import replace
from tests.engine.bell import Ring
from tests.engine.driver import HOUR, NINE, EngineDriver
from tests.support.flaky_channel import FlakyChannel

DriverOpener = Callable[..., EngineDriver]


def looked_at(
    driver: EngineDriver, bad: HourlyCount | None = None, broken: HourlyCount | None = None
) -> Health:
    return health(
        driver.diagnostics(),
        driver.runtime.followers,
        bad or HourlyCount(),
        broken or HourlyCount(),
        driver.clock.now(),
    )


@pytest.mark.spec("FD-30")
def test_a_healthy_system_has_no_alarms(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    before = looked_at(driver)
    driver.settle()
    after = looked_at(driver)

    assert (before.lag, before.alarms) == ({"bl.react": 1, "bl.tell": 1}, ())
    assert (after.lag, after.is_well) == ({"bl.react": 0, "bl.tell": 0}, True)
    assert after.numbers.sends == {SendState.SENT: 1}


@pytest.mark.spec("FD-07", "FD-30")
def test_failed_messages_and_dead_letters_raise_alarms(open_driver: DriverOpener) -> None:
    driver = open_driver(channel=FlakyChannel(failures=[SendRefused("554 no")])).people("ann")
    driver.do(Ring("door", "ann"))
    driver.do(Ring("gate", "ann"))

    driver.settle()

    assert looked_at(driver).alarms == (
        "1 of 2 messages of the last 24 hours could not be sent.",
        "One thing could not be processed and waits for you.",
    )


@pytest.mark.spec("FD-30")
def test_overdue_work_raises_alarms(open_driver: DriverOpener) -> None:
    driver = open_driver().people("ann")
    driver.do(Ring("door", "ann"))
    driver.runtime.follow(NINE)
    driver.clock.move_to(NINE + HOUR + timedelta(minutes=6))

    assert looked_at(driver).alarms == (
        "A timer has been due since 2026-03-02 10:00 UTC.",
        "A message has been due since 2026-03-02 09:00 UTC.",
    )


class Counted:
    """Diagnostics with given numbers."""

    def __init__(self, sent: int, failed: int) -> None:
        ended = {SendState.SENT: sent, SendState.FAILED: failed}
        self._numbers = StoreStats(0, {}, {}, ended, None, None, 0, 0, 0)

    def numbers(self, _now: object) -> StoreStats:
        return self._numbers

    recorded = dead_letter = mark_replayed = None


@pytest.mark.spec("FD-30")
@pytest.mark.parametrize(("sent", "failed", "is_well"), [(99, 1, True), (98, 1, False)])
def test_more_than_one_failed_message_in_a_hundred_is_an_alarm(
    sent: int, failed: int, is_well: bool
) -> None:
    counted = Counted(sent, failed)

    assert health(counted, (), HourlyCount(), HourlyCount(), NINE).is_well is is_well  # type: ignore[arg-type]


@pytest.mark.spec("FD-30")
@pytest.mark.parametrize(("texts", "failed", "is_well"), [(20, 1, True), (19, 1, False)])
def test_more_than_one_failed_text_in_twenty_is_an_alarm(
    texts: int, failed: int, is_well: bool
) -> None:
    counted = Counted(sent=1_000, failed=0)
    numbers = replace(counted.numbers(NINE), texts_last_day=texts, failed_texts_last_day=failed)
    counted.numbers = lambda _now: numbers  # type: ignore[method-assign]

    found = health(counted, (), HourlyCount(), HourlyCount(), NINE)  # type: ignore[arg-type]

    assert found.is_well is is_well


@pytest.mark.spec("FD-30")
def test_more_than_five_bad_signatures_within_an_hour_are_an_alarm(
    open_driver: DriverOpener,
) -> None:
    driver = open_driver()
    bad = HourlyCount()
    for _ in range(5):
        bad.seen(NINE)
    assert looked_at(driver, bad).is_well

    bad.seen(NINE)
    assert looked_at(driver, bad).alarms == (
        "6 links with a wrong signature were opened within an hour.",
    )
    driver.clock.move_to(NINE + HOUR)
    assert looked_at(driver, bad).is_well


@pytest.mark.spec("FD-30")
def test_the_first_page_that_breaks_is_an_alarm_for_an_hour(open_driver: DriverOpener) -> None:
    driver, broken = open_driver(), HourlyCount()
    broken.seen(NINE)

    assert looked_at(driver, broken=broken).alarms == (
        "1 page broke within an hour. The log says where and why.",
    )
    driver.clock.move_to(NINE + HOUR)
    assert looked_at(driver, broken=broken).is_well


@pytest.mark.spec("FD-30")
def test_the_numbers_can_be_read_by_machines() -> None:
    numbers = replace(Counted(3, 0).numbers(NINE), facts=7, sends={SendState.SENT: 3})
    lines = metrics(Health(numbers, {"bl.tell": 2}, 1, 4, ())).splitlines()

    assert lines[:2] == ["frontdesk_facts_total 7", 'frontdesk_follower_lag{follower="bl.tell"} 2']
    assert 'frontdesk_sends{state="sent"} 3' in lines
    assert 'frontdesk_sends{state="failed"} 0' in lines
    assert lines[-4:] == [
        "frontdesk_bad_signatures_last_hour 1",
        "frontdesk_broken_pages_last_hour 4",
        "frontdesk_troubles 0",
        "frontdesk_alarms 0",
    ]
