"""Changes to single events in files that others wrote: everything else stays the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.ics_edit import EventAt, left_out, marked, moved
from frontdesk.connect.calendars.ics_in import read_ics
from frontdesk.connect.calendars.port import BadCalendar, CalendarConflict
from tests.support.calendars import calendar, event

HERE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 16, 8, tzinfo=UTC)
SPAN = (NOW, NOW + timedelta(days=30))
AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
LATER = datetime(2026, 11, 21, 13, 30, tzinfo=UTC)
ALARM = ("BEGIN:VALARM", "TRIGGER:-PT15M", "SUMMARY:Soon", "END:VALARM")
ZONED = "DTSTART;TZID=Europe/Berlin:20261120T100000"
WEEK = timedelta(days=7)


def series(*more: str) -> str:
    lines = ("DTEND;TZID=Europe/Berlin:20261120T113000", "RRULE:FREQ=WEEKLY", "SEQUENCE:4", *more)
    return calendar(event("a", "Cut\\, long", ZONED, *lines, *ALARM))


def times(file: bytes) -> list[tuple[datetime | None, datetime | None, datetime | None]]:
    found = read_ics(file.decode(), HERE, SPAN)
    return sorted(
        ((each.occurrence, each.starts_at, each.ends_at) for each in found),
        key=lambda each: str(each[0]),
    )


@pytest.mark.parametrize(
    ("start", "written"),
    [
        (ZONED, "DTSTART;TZID=Europe/Berlin:20261121T143000"),
        ("20261120T090000Z", "DTSTART:20261121T133000Z"),
        ("DTSTART:20261120T100000", "DTSTART:20261121T143000"),
    ],
)
def test_a_single_event_moves_in_its_own_form_and_keeps_its_length(
    start: str, written: str
) -> None:
    text = calendar(event("a", "Cut", start, "DURATION:PT90M", "X-COLOR:red", *ALARM))

    file = moved(text, EventAt("a"), LATER, HERE, NOW)

    [found] = read_ics(file.decode(), HERE)
    assert (found.starts_at, found.ends_at) == (LATER, LATER + timedelta(minutes=90))
    lines = file.decode().splitlines()
    assert written in lines
    assert {"X-COLOR:red", "SEQUENCE:1", *ALARM} <= set(lines)
    assert sum(line.startswith("DTSTART") for line in lines) == 1


def test_one_time_of_a_series_becomes_an_exception() -> None:
    file = moved(series(), EventAt("a", AT + WEEK), LATER + WEEK, HERE, NOW)

    long = timedelta(minutes=90)
    assert times(file)[:3] == [
        (AT, AT, AT + long),
        (AT + WEEK, LATER + WEEK, LATER + WEEK + long),
        (AT + 2 * WEEK, AT + 2 * WEEK, AT + 2 * WEEK + long),
    ]
    text = file.decode()
    assert "RECURRENCE-ID;TZID=Europe/Berlin:20261127T100000" in text
    assert (text.count("RRULE"), text.count("BEGIN:VALARM")) == (1, 2)
    again = moved(text, EventAt("a", AT + WEEK), LATER, HERE, NOW)
    assert times(again)[1][1] == LATER
    assert again.count(b"RECURRENCE-ID") == 1


def test_a_cancelled_time_is_marked_and_takes_no_time() -> None:
    file = marked(series("TRANSP:OPAQUE"), EventAt("a", AT + WEEK), HERE, NOW)

    titles = {each.occurrence: each.title for each in read_ics(file.decode(), HERE, SPAN)}
    assert titles[AT + WEEK] == "Cancelled: Cut, long"
    assert titles[AT] == "Cut, long"
    assert file.count(b"TRANSP:TRANSPARENT") == 1
    assert file.count(b"TRANSP:OPAQUE") == 1


def test_a_deleted_time_is_left_out_of_the_series() -> None:
    file = left_out(
        series("EXDATE;TZID=Europe/Berlin:20261211T100000"), EventAt("a", AT + WEEK), HERE, NOW
    )

    assert [each[0] for each in times(file)] == [AT, AT + 2 * WEEK]
    changed = moved(series(), EventAt("a", AT + WEEK), LATER, HERE, NOW)
    both = left_out(changed.decode(), EventAt("a", AT + WEEK), HERE, NOW)
    assert AT + WEEK not in [each[0] for each in times(both)]
    assert b"RECURRENCE-ID" not in both


def test_the_second_of_two_equal_wall_times_is_written_in_utc() -> None:
    twice = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # 02:30 for the second time

    file = moved(calendar(event("a", "Cut", ZONED)), EventAt("a"), twice, HERE, NOW)

    assert b"DTSTART:20261025T013000Z" in file
    [found] = read_ics(file.decode(), HERE)
    assert found.starts_at == twice


def test_an_event_that_is_gone_or_unclear_is_not_written() -> None:
    with pytest.raises(CalendarConflict):
        moved(calendar(event("b", "Cut")), EventAt("a"), LATER, HERE, NOW)
    with pytest.raises(BadCalendar):
        moved(calendar(event("a", "Cut", "tomorrow")), EventAt("a"), LATER, HERE, NOW)
