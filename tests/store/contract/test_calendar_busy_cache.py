"""Stored busy times of calendars: how often calendars are read, and how long the times are used."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.connect.calendars.port import BadCalendar, BusySpan
from frontdesk.desks.waitlist.facts import CalendarHalted
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Store
from frontdesk.features.calendars.busy_cache import BusyCache
from frontdesk.features.calendars.busy_times import (
    NOT_READ,
    TOO_FAR,
    TOO_OLD,
    CalendarStatus,
    SavedBusyTimes,
    UnreadableCalendar,
    merged,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NINE = datetime(2026, 11, 16, 9, tzinfo=UTC)
SAVED = SavedBusyTimes("bk")
DOWN = "The calendar cannot be reached."


class Diary:
    """A calendar in memory that counts how often it is read."""

    def __init__(self) -> None:
        self.spans: list[BusySpan] = []
        self.asked: list[tuple[datetime, datetime]] = []
        self.trouble = ""

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        self.asked.append((start, end))
        if self.trouble:
            raise BadCalendar(self.trouble)
        return [span for span in self.spans if span.starts_at < end and span.ends_at > start]


class Desk:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = VirtualClock(NINE)
        self.diary = Diary()
        self.told: list[tuple[str, str]] = []
        self.cache = self.another_process()

    def another_process(self) -> BusyCache:
        engine = Engine(self.store, (), lambda: "id")
        return BusyCache(engine, self.clock, "bk", lambda: {"mia": self.diary}, self._unusable)

    def _unusable(self, calendar: str, why: str, _at: datetime) -> CalendarHalted:
        self.told.append((calendar, why))
        return CalendarHalted(1, _at)

    def wait(self, time: timedelta) -> None:
        self.clock.move_to(self.clock.now() + time)

    def busy(self, start: datetime = NINE, end: datetime = NINE + DAY) -> object:
        return SAVED.busy(self.store.reads(), "mia", start, end, self.clock.now())


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


@pytest.mark.spec("BK-30")
def test_a_calendar_is_asked_at_most_once_in_five_minutes_by_all_processes(desk: Desk) -> None:
    desk.diary.spans = [BusySpan(NINE, NINE + HOUR)]
    assert desk.busy() == UnreadableCalendar(NOT_READ)

    assert [desk.cache.turn(), desk.another_process().turn()] == [True, False]
    desk.wait(4 * MINUTE)
    assert not desk.cache.turn()
    assert len(desk.diary.asked) == 1
    assert desk.busy() == ((NINE, NINE + HOUR),)

    desk.diary.spans = []
    desk.wait(MINUTE)
    assert desk.another_process().turn()
    assert desk.busy() == ()


def test_staff_can_have_a_calendar_read_at_once(desk: Desk) -> None:
    desk.cache.turn()

    assert desk.cache.refresh("mia", at_once=True)
    assert len(desk.diary.asked) == 2


@pytest.mark.spec("BK-30")
def test_an_unreadable_calendar_is_used_until_the_limit_and_staff_are_told_once(
    desk: Desk,
) -> None:
    desk.cache.turn()
    desk.diary.trouble = DOWN
    for _ in range(6):
        desk.wait(5 * MINUTE)
        desk.cache.turn()
    assert (desk.busy(), desk.told) == ((), [])

    for _ in range(3):
        desk.wait(5 * MINUTE)
        desk.cache.turn()
        assert (desk.busy(), desk.told) == (UnreadableCalendar(DOWN), [("mia", DOWN)])

    desk.diary.trouble = ""
    desk.wait(5 * MINUTE)
    desk.cache.turn()
    assert desk.busy() == ()

    desk.diary.trouble = DOWN
    desk.wait(HOUR)
    desk.cache.turn()
    assert desk.told == [("mia", DOWN)] * 2


@pytest.mark.spec("BK-30")
def test_a_calendar_that_was_not_read_for_long_or_at_all_offers_nothing(desk: Desk) -> None:
    desk.cache.turn()
    assert desk.busy(end=NINE + 90 * DAY) == ()
    assert desk.busy(end=NINE + 92 * DAY) == UnreadableCalendar(TOO_FAR)
    assert desk.busy(start=NINE - 4 * DAY) == UnreadableCalendar(TOO_FAR)

    desk.wait(31 * MINUTE)
    assert desk.busy() == UnreadableCalendar(TOO_OLD)


def test_the_time_that_was_read_moves_on_with_the_days(desk: Desk) -> None:
    for _ in range(3):
        desk.cache.turn()
        desk.wait(23 * HOUR)
        desk.cache.turn()
        now = desk.clock.now()
        assert desk.busy(now, now + 90 * DAY) == ()


@pytest.mark.spec("BK-30")
def test_staff_see_when_it_was_read_what_it_blocks_today_and_its_trouble(desk: Desk) -> None:
    desk.diary.spans = [BusySpan(NINE, NINE + HOUR), BusySpan(NINE + DAY, NINE + DAY + HOUR)]
    desk.cache.turn()
    desk.diary.trouble = DOWN
    desk.wait(10 * MINUTE)
    desk.cache.turn()

    today = (NINE - 9 * HOUR, NINE + 15 * HOUR)
    status = SAVED.status(desk.store.reads(), "mia", today, desk.clock.now())

    assert status == CalendarStatus(NINE, DOWN, "", ((NINE, NINE + HOUR),))


def test_a_slow_reading_does_not_replace_a_later_one(desk: Desk) -> None:
    later = desk.another_process()
    old, new = [BusySpan(NINE, NINE + HOUR)], [BusySpan(NINE + HOUR, NINE + 2 * HOUR)]

    class Slow(Diary):
        def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
            if not self.asked:
                self.asked.append((start, end))
                desk.wait(MINUTE)
                self.spans = new
                later.refresh("mia", at_once=True)
                return old
            return super().busy(start, end)

    desk.diary = Slow()
    desk.cache.turn()

    assert desk.busy() == ((NINE + HOUR, NINE + 2 * HOUR),)


def test_too_many_busy_times_are_trouble(desk: Desk) -> None:
    desk.diary.spans = [
        BusySpan(NINE + 2 * n * MINUTE, NINE + (2 * n + 1) * MINUTE) for n in range(5_001)
    ]
    desk.cache.turn()

    assert desk.busy() == UnreadableCalendar("This calendar has too many events in this time.")


def test_spans_that_overlap_or_touch_are_joined() -> None:
    second = timedelta(seconds=1)
    spans = [
        (NINE + HOUR, NINE + 2 * HOUR),
        (NINE, NINE + HOUR),
        (NINE + 3 * HOUR, NINE + 4 * HOUR),
        (NINE + 3 * HOUR, NINE + 3 * HOUR + second / 2),
    ]
    first = int(NINE.timestamp())

    assert merged(spans) == ((first, first + 7200), (first + 10800, first + 14400))
