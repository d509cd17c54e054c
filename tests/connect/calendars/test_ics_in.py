"""Reading calendar files that others wrote."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.calendars import ics_in
from frontdesk.connect.calendars.ics_in import BAD_TIME, NO_TIME, NO_ZONE, REPEATS, read_ics
from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.connect.calendars.port import BadCalendar
from tests.support.calendars import calendar, event

HERE = ZoneInfo("Asia/Singapore")
THREE = datetime(2026, 11, 16, 7, 0, tzinfo=UTC)
FOUR = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)


def read(*events: str) -> list[CalendarEvent]:
    return read_ics(calendar(*events), HERE)


@pytest.mark.parametrize(
    "start",
    [
        "20261116T070000Z",
        "20261116T150000",
        "DTSTART;TZID=Asia/Singapore:20261116T150000",
        'DTSTART;TZID="Asia/Singapore":20261116T150000',
        "DTSTART;TZID=/freeassociation.sourceforge.net/Asia/Singapore:20261116T150000",
        "DTSTART;TZID=Europe/Berlin:20261116T080000",
        "DTSTART;VALUE=DATE-TIME:20261116T070000Z",
    ],
)
def test_a_time_is_the_same_however_it_is_written(start: str) -> None:
    assert read(event("1", "Free: Cut", start)) == [CalendarEvent("1", "Free: Cut", THREE, FOUR)]


@pytest.mark.parametrize(
    "more",
    [("DTEND:20261116T080000Z",), ("DURATION:PT1H",), ("DURATION:P0DT0H60M0S",)],
)
def test_it_ends_at_its_end_or_after_its_length(more: tuple[str, ...]) -> None:
    assert read(event("1", "Cut", "20261116T070000Z", *more))[0].ends_at == FOUR


def test_long_lines_escapes_categories_and_alarms_are_read_as_they_are_meant() -> None:
    text = event(
        "1",
        "Free: Cut\\, \r\n colour\\; all\\nwith Mia",
        "20261116T070000Z",
        "CATEGORIES:Opening,Salon",
        "BEGIN:VALARM",
        "SUMMARY:Not this",
        "DURATION:PT5M",
        "END:VALARM",
    )
    assert read(text) == [
        CalendarEvent("1", "Free: Cut, colour; all with Mia", THREE, None, ("Opening", "Salon"))
    ]


@pytest.mark.parametrize(
    ("status", "cancelled"), [("CANCELLED", True), ("cancelled", True), ("CONFIRMED", False)]
)
def test_a_cancelled_event_is_marked_as_cancelled(status: str, cancelled: bool) -> None:
    [found] = read(event("1", "Cut", "20261116T070000Z", f"STATUS:{status}"))

    assert found.cancelled is cancelled


@pytest.mark.parametrize(
    ("start", "more", "why"),
    [
        ("DTSTART;VALUE=DATE:20261116", (), NO_TIME),
        ("20261116T070000Z", ("RRULE:FREQ=WEEKLY",), REPEATS),
        ("20261116T070000Z", ("RRULE:FREQ=SECONDLY;COUNT=999999999",), REPEATS),
        ("20261116T070000Z", ("RDATE:20261117T070000Z",), REPEATS),
        ("DTSTART;TZID=Salon Time:20261116T150000", (), NO_ZONE),
        ("DTSTART;TZID=../../etc/passwd:20261116T150000", (), NO_ZONE),
        ("20261399T070000Z", (), BAD_TIME),
        ("00010101T000000", (), BAD_TIME),
        ("tomorrow", (), BAD_TIME),
        ("20261116T070000Z", ("DURATION:P9999W",), ""),
        ("20261116T070000Z", ("DURATION:-PT1H",), BAD_TIME),
        ("99991231T235959Z", ("DURATION:P9D",), BAD_TIME),
    ],
)
def test_an_unusable_event_says_why(start: str, more: tuple[str, ...], why: str) -> None:
    assert [each.why for each in read(event("1", "Free: Cut", start, *more))] == [why]


def test_a_zone_of_its_own_is_taken_if_its_clocks_never_change() -> None:
    zone = (
        "BEGIN:VTIMEZONE\r\nTZID:Salon Time\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:+0800\r\n"
        "TZOFFSETTO:+0800\r\nDTSTART:16010101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    )
    one = event("1", "Cut", "DTSTART;TZID=Salon Time:20261116T150000")
    changing = zone.replace(
        "END:VTIMEZONE", "BEGIN:DAYLIGHT\r\nTZOFFSETTO:+0900\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE"
    )

    assert read(zone, one)[0].starts_at == THREE
    assert read(changing, one)[0].why == NO_ZONE


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>Sign in</html>",
        calendar(event("1", "Cut"))[:-20],
        "BEGIN:VCALENDAR",
        "BEGIN:VCALENDAR\r\n" + event("1", "Cut"),
    ],
)
def test_an_incomplete_calendar_is_not_read_at_all(text: str) -> None:
    with pytest.raises(BadCalendar):
        read_ics(text, HERE)


@pytest.mark.spec("FD-27")
def test_a_calendar_with_too_many_events_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadCalendar, match="5,000 events"):
        read(*(event(str(n), "Cut") for n in range(5_001)))
    with pytest.raises(BadCalendar, match="too large"):
        read_ics("x" * (ics_in.MOST_CHARACTERS + 1), HERE)


LINES = st.sampled_from(
    [
        *("BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE", "END:VTIMEZONE", "BEGIN:X", "END:X"),
        *("UID:1", "SUMMARY:Free: Cut", "DTSTART:20261116T070000Z", "DTSTART;:", "DTEND", "END:"),
        *('DTSTART;TZID="a:20261116T070000', "TZOFFSETTO:+9999", "TZID:Z", "DURATION:P", "\x0b"),
    ]
)


@pytest.mark.spec("FD-27")
@settings(max_examples=150, deadline=None)
@given(st.lists(LINES | st.text(max_size=30), max_size=30))
def test_any_calendar_is_read_or_refused(lines: list[str]) -> None:
    with suppress(BadCalendar):
        read_ics(calendar(*(f"{line}\r\n" for line in lines)), HERE)


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), max_size=120),
    st.integers(0, 20 * 365 * 24 * 60),
    st.sampled_from(["Asia/Singapore", "UTC", "Asia/Kolkata"]),
    st.integers(1, 1_440),
)
def test_a_file_of_another_library_is_read_correctly(
    title: str, later: int, zone: str, minutes: int
) -> None:
    start = (THREE + timedelta(minutes=later)).astimezone(ZoneInfo(zone))
    written = icalendar.Event()
    written.add("uid", "1@example.org")
    written.add("summary", title)
    written.add("dtstart", start)
    written.add("dtend", start + timedelta(minutes=minutes))
    whole = icalendar.Calendar()
    whole.add_component(written)

    [found] = read_ics(whole.to_ical().decode(), HERE)

    length = timedelta(minutes=minutes)
    assert found == CalendarEvent("1@example.org", title, start, start + length)
