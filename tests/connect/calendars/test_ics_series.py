"""Repeating events: one event for each time, with exceptions, moves and clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.ics_in import UNCLEAR_RULE, read_ics
from frontdesk.connect.calendars.model import CalendarEvent
from tests.support.calendars import calendar, event

HERE = ZoneInfo("Europe/Berlin")
SPAN = (datetime(2026, 3, 20, tzinfo=UTC), datetime(2026, 4, 20, tzinfo=UTC))
WEEKLY = ("DURATION:PT1H", "RRULE:FREQ=WEEKLY")
FIRST = "DTSTART;TZID=Europe/Berlin:20260320T100000"


def read(*events: str) -> list[CalendarEvent]:
    return read_ics(calendar(*events), HERE, SPAN)


def starts(found: list[CalendarEvent]) -> list[str]:
    return [f"{each.starts_at:%m-%d %H:%M}" for each in found]


def one_of(start: str, replaced: str, *more: str) -> str:
    lines = (f"RECURRENCE-ID;TZID=Europe/Berlin:{replaced}", "DURATION:PT1H", *more)
    return event("a", "Cut", f"DTSTART;TZID=Europe/Berlin:{start}", *lines)


@pytest.mark.spec("AR-02", "BK-26")
def test_each_time_of_a_series_is_an_event_and_the_clock_may_change() -> None:
    found = read(event("a", "Cut", FIRST, *WEEKLY))

    assert starts(found) == [
        "03-20 09:00",
        "03-27 09:00",
        "04-03 08:00",
        "04-10 08:00",
        "04-17 08:00",
    ]
    assert [each.occurrence for each in found] == [each.starts_at for each in found]
    assert {(each.uid, each.repeats) for each in found} == {("a", False)}
    assert {each.ends_at - each.starts_at for each in found if each.ends_at and each.starts_at} == {
        timedelta(hours=1)
    }


@pytest.mark.spec("AR-02")
def test_a_time_that_is_left_out_moved_or_cancelled_alone() -> None:
    whole = event("a", "Cut", FIRST, *WEEKLY, "EXDATE;TZID=Europe/Berlin:20260327T100000")
    moved = one_of("20260404T150000", "20260403T100000")
    cancelled = one_of("20260410T100000", "20260410T100000", "STATUS:CANCELLED")

    found = sorted(read(whole, moved, cancelled), key=lambda each: str(each.occurrence))

    assert starts(found) == ["03-20 09:00", "04-04 13:00", "04-10 08:00", "04-17 08:00"]
    assert [each.cancelled for each in found] == [False, False, True, False]
    assert found[1].occurrence == datetime(2026, 4, 3, 8, tzinfo=UTC)


def test_a_count_and_further_dates() -> None:
    rule = ("DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20260401T070000Z")

    found = read(event("a", "Cut", "20260320T090000Z", *rule))

    assert starts(found) == ["03-20 09:00", "03-27 09:00", "04-01 07:00"]


@pytest.mark.parametrize(
    "more",
    [
        ("RRULE:FREQ=SECONDLY",),
        ("RRULE:FREQ=YEARLY;BYWEEKNO=13",),
        ("RRULE:FREQ=DAILY", "EXDATE:tomorrow"),
        ("RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"),
    ],
)
def test_a_series_that_is_not_understood_says_so_once_and_others_are_read(
    more: tuple[str, ...],
) -> None:
    found = read(event("a", "Cut", FIRST, *more), event("b", "Perm", "20260401T090000Z"))

    said = {each.uid: (each.why, each.repeats) for each in found}
    assert said == {"a": (UNCLEAR_RULE, True), "b": ("", False)}


def test_a_change_to_this_and_all_later_times_makes_the_series_unclear() -> None:
    part = "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260403T100000"
    later = event("a", "Cut", "DTSTART;TZID=Europe/Berlin:20260403T110000", part)

    [found] = read(event("a", "Cut", FIRST, *WEEKLY), later)

    assert (found.why, found.repeats) == (UNCLEAR_RULE, True)


def test_a_series_without_end_costs_no_more_than_its_span() -> None:
    found = read(event("a", "Cut", "19800101T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"))

    assert len(found) == (SPAN[1] - SPAN[0]).days
