"""Busy times in calendar files: repeats, exceptions, zones, whole days, and hostile files."""

import time
import tracemalloc
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.calendars import ics_busy
from frontdesk.connect.calendars.ics_busy import BusyWindow, busy_in_files
from frontdesk.connect.calendars.port import AllDayEvents, BadCalendar, BusySpan
from tests.support.calendars import calendar, event

BERLIN = ZoneInfo("Europe/Berlin")
#: Clocks go back on 25 October 2026.
MONDAY, NEXT_MONDAY = (datetime(2026, 10, day, tzinfo=UTC) for day in (19, 26))
WEEKS = BusyWindow(MONDAY, MONDAY + timedelta(days=14), BERLIN)
NINE = "DTSTART;TZID=Europe/Berlin:20261020T090000"
#: Outlook writes a zone name that only the file defines.
OUTLOOK = """BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
""".replace("\n", "\r\n")


def spans(*events: str, window: BusyWindow = WEEKS) -> list[tuple[str, str]]:
    found = busy_in_files([calendar(*events)], window)
    return [(f"{each.starts_at:%m-%d %H:%M}", f"{each.ends_at:%m-%d %H:%M}") for each in found]


def starts(*events: str, window: BusyWindow = WEEKS) -> list[str]:
    return [start for start, _ in spans(*events, window=window)]


# --- single events ----------------------------------------------------------------------------


def test_an_event_is_busy_with_its_id_and_instants() -> None:
    one = event("Abc@example.org", "Dentist", NINE, "DTEND;TZID=Europe/Berlin:20261020T103000")

    assert busy_in_files([calendar(one)], WEEKS) == [
        BusySpan(
            datetime(2026, 10, 20, 7, tzinfo=UTC),
            datetime(2026, 10, 20, 8, 30, tzinfo=UTC),
            event_id="Abc@example.org",
        )
    ]


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    "more",
    [
        ("TRANSP:TRANSPARENT",),
        ("STATUS:CANCELLED",),
        ("X-MICROSOFT-CDO-BUSYSTATUS:FREE",),
        ("X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE",),
    ],
)
def test_free_and_cancelled_events_do_not_block(more: tuple[str, ...]) -> None:
    assert spans(event("a", "x", NINE, "DURATION:PT1H", *more)) == []


def test_the_end_is_exclusive_and_an_event_without_length_blocks_nothing() -> None:
    window = BusyWindow(MONDAY + timedelta(hours=8), MONDAY + timedelta(hours=9), BERLIN)
    before, after = "20261019T070000Z", "20261019T090000Z"

    assert spans(event("a", "x", before), event("b", "x", after), window=window) == []
    assert spans(event("a", "x", "20261019T080000Z", "TRANSP:OPAQUE"), window=window) == []


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (AllDayEvents.BLOCK, ["10-20 22:00", "10-24 22:00"]),
        (AllDayEvents.AS_MARKED, ["10-24 22:00"]),
        (AllDayEvents.IGNORE, []),
    ],
)
def test_whole_days_count_as_the_calendar_is_set(mode: AllDayEvents, expected: list[str]) -> None:
    window = BusyWindow(MONDAY, NEXT_MONDAY, BERLIN, mode)
    holiday = event("a", "Birthday", "DTSTART;VALUE=DATE:20261021", "TRANSP:TRANSPARENT")
    off = event("b", "Off", "DTSTART;VALUE=DATE:20261025", "TRANSP:OPAQUE")

    assert starts(holiday, off, window=window) == expected


def test_a_day_on_which_clocks_go_back_has_25_hours() -> None:
    off = event("b", "Off", "DTSTART;VALUE=DATE:20261025", "DTEND;VALUE=DATE:20261026")

    assert spans(off) == [("10-24 22:00", "10-25 23:00")]


# --- repeats ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-26")
def test_a_weekly_event_keeps_its_wall_time_when_clocks_change() -> None:
    weekly = event("a", "Team", NINE, "DURATION:PT1H", "RRULE:FREQ=WEEKLY")

    assert starts(weekly) == ["10-20 07:00", "10-27 08:00"]


@pytest.mark.spec("BK-26")
def test_a_zone_that_the_file_explains_keeps_its_wall_time_too() -> None:
    zoned = "DTSTART;TZID=W. Europe Standard Time:20200107T090000"
    weekly = event("a", "Team", zoned, "DURATION:PT1H", "RRULE:FREQ=WEEKLY")

    assert starts(OUTLOOK, weekly) == starts(weekly, OUTLOOK) == ["10-20 07:00", "10-27 08:00"]


@pytest.mark.spec("BK-26")
def test_dates_left_out_added_and_changed_are_as_staff_made_them() -> None:
    daily = event(
        "a",
        "Shift",
        NINE,
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=5",
        "EXDATE;TZID=Europe/Berlin:20261021T090000,20261022T090000",
        "RDATE:20261101T120000Z",
        "RDATE;VALUE=PERIOD:20261031T120000Z/PT30M,20261031T140000Z/20261031T150000Z",
    )
    moved = event("a", "Shift", "20261028T150000Z", "RECURRENCE-ID:20261023T070000Z")
    moved = moved.replace("END:VEVENT", "DURATION:PT2H\r\nEND:VEVENT")
    gone = event("a", "Shift", NINE, "RECURRENCE-ID:20261024T070000Z", "STATUS:CANCELLED")

    assert spans(daily, moved, gone) == [
        ("10-20 07:00", "10-20 08:00"),
        ("10-28 15:00", "10-28 17:00"),
        ("10-31 12:00", "10-31 12:30"),
        ("10-31 14:00", "10-31 15:00"),
        ("11-01 12:00", "11-01 13:00"),
    ]


def test_of_two_changes_of_one_repetition_the_later_counts() -> None:
    daily = event("a", "x", "20261020T070000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=1")
    change = ("DURATION:PT1H", "RECURRENCE-ID:20261020T070000Z")
    first = event("a", "x", "20261020T100000Z", *change, "SEQUENCE:1")
    second = event("a", "x", "20261020T150000Z", *change, "SEQUENCE:2")

    assert starts(daily, second, first) == ["10-20 15:00"]


def test_a_change_whose_series_is_not_in_the_file_counts_by_itself() -> None:
    change = ("DURATION:PT1H", "RECURRENCE-ID:20261020T070000Z")

    assert starts(event("a", "x", "20261020T100000Z", *change)) == ["10-20 10:00"]


def test_a_night_event_that_began_before_the_window_is_seen() -> None:
    night = event("a", "x", "20200101T220000Z", "DURATION:P3D", "RRULE:FREQ=WEEKLY")

    assert starts(night, window=BusyWindow(MONDAY - timedelta(2), NEXT_MONDAY, BERLIN)) == [
        "10-14 22:00",
        "10-21 22:00",
    ]


def test_birthdays_of_other_centuries_repeat() -> None:
    born = event("a", "x", "DTSTART;VALUE=DATE:16041022", "RRULE:FREQ=YEARLY", "TRANSP:OPAQUE")

    assert starts(born) == ["10-21 22:00"]


@pytest.mark.spec("BK-25")
def test_our_own_event_is_not_busy_but_a_copy_or_a_series_of_it_is() -> None:
    key = "0123456789abcdef0123456789abcdef"
    own, mark = ics_busy.own_uid(key), f"X-FRONTDESK-KEY:{key}"
    ours = event(own, "Cut", NINE, "DURATION:PT1H", mark)
    copy = event("copy@example.org", "Cut", NINE, "DURATION:PT1H", mark)
    series = event(own, "Cut", NINE, "DURATION:PT1H", mark, "RRULE:FREQ=WEEKLY")

    assert starts(ours) == []
    assert starts(copy) == ["10-20 07:00"]
    assert starts(series) == ["10-20 07:00", "10-27 08:00"]


def test_a_published_free_busy_list_is_read_as_well() -> None:
    listed = (
        "BEGIN:VFREEBUSY\r\nFREEBUSY;FBTYPE=BUSY:20261020T070000Z/PT1H,"
        "20261021T070000Z/20261021T080000Z\r\nFREEBUSY;FBTYPE=FREE:20261022T070000Z/PT1H\r\n"
        "FREEBUSY:20261023T070000Z/PT1H\r\nEND:VFREEBUSY\r\n"
    )

    assert starts(listed) == ["10-20 07:00", "10-21 07:00", "10-23 07:00"]


# --- what cannot be read ----------------------------------------------------------------------


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    "bad",
    [
        event("a", "x", NINE, "RRULE:FREQ=HOURLY"),
        event("a", "x", "20100101T090000Z", "RRULE:FREQ=YEARLY;BYWEEKNO=40"),
        event("a", "x", NINE, "RRULE:nonsense"),
        event("a", "x", NINE, "RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"),
        event("a", "x", NINE, "RRULE:FREQ=DAILY", "EXDATE:tomorrow", "DURATION:PT1H"),
        event("a", "x", NINE, "RDATE:20261399"),
        event("a", "x", NINE, "RECURRENCE-ID;RANGE=THISANDFUTURE:20261020T070000Z"),
        event("a", "x", "DTSTART;TZID=Mars/Base:20261020T090000", "DURATION:PT1H"),
        event("a", "x", "tomorrow"),
        event("a", "x", NINE, "DURATION:-PT1H"),
        event("a", "x", NINE, "DTEND;TZID=Europe/Berlin:20261020T080000"),
        "BEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\n",
        "BEGIN:VEVENT\r\n" + event("a", "x", NINE) + "END:VEVENT\r\n",
        "BEGIN:VEVENT\r\nUID:a\r\n",
        "END:VEVENT\r\n",
    ],
)
def test_an_event_that_is_not_understood_makes_the_calendar_unreadable_not_free(bad: str) -> None:
    with pytest.raises(BadCalendar):
        spans(event("b", "Fine"), bad)


def test_an_unreadable_event_that_is_free_or_long_past_does_no_harm() -> None:
    free = event("a", "x", NINE, "RRULE:FREQ=HOURLY", "TRANSP:TRANSPARENT")
    past = event("b", "x", "DTSTART;TZID=Mars/Base:20200101T090000", "DURATION:PT1H")

    assert spans(free, past) == []


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "hostile",
    [
        event("a", "x", "16000101T000000Z", "DURATION:P9999W", "RRULE:FREQ=DAILY") * 40,
        event("a", "x", "19700101T000000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=20000") * 999,
        event("a", "x", "20260101T000000Z", "RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE;BYHOUR=0,1,2,3,4,5"
              ";BYMINUTE=" + ",".join(map(str, range(60))) + ";BYSECOND=" + ",".join(
                  map(str, range(60)))),
        event("a", "x", NINE, *["RDATE:20261020T070000Z"] * 30_000, "DURATION:PT1H"),
        "BEGIN:X\r\n" * 10_000,
    ],
)  # fmt: skip
def test_hostile_repeats_are_refused_within_seconds(hostile: str) -> None:
    began = time.process_time()
    with pytest.raises(BadCalendar):
        spans(hostile)
    assert time.process_time() - began < 10


@pytest.mark.spec("FD-27")
def test_an_event_of_a_hundred_years_is_one_span() -> None:
    assert len(spans(event("a", "x", "19700101T000000Z", "DTEND:20700101T000000Z"))) == 1
    assert len(spans(event("a", "x", "19700101T000000Z", "DTEND:99991231T235959Z"))) == 1


@pytest.mark.spec("FD-27")
def test_a_hundred_thousand_events_are_read_in_time() -> None:
    old = [event(str(n), "x", f"{2000 + n % 20}0101T090000Z") for n in range(99_999)]
    text = calendar(*old, event("now", "x", NINE, "DURATION:PT1H"))
    began = time.process_time()

    assert [span.event_id for span in busy_in_files([text], WEEKS)] == ["now"]

    assert time.process_time() - began < 20


@pytest.mark.spec("FD-27")
def test_more_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ics_busy, "MOST_EVENTS", 10)
    with pytest.raises(BadCalendar, match="more than 10 events"):
        busy_in_files([calendar(event("a", "x") * 6)] * 2, WEEKS)


@pytest.mark.spec("FD-27")
def test_past_events_take_no_memory_beyond_the_text() -> None:
    text = calendar(*(event(str(n), "x", "20000101T090000Z") for n in range(10_000)))
    tracemalloc.start()

    assert busy_in_files([text], WEEKS) == []

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * len(text)


def test_files_that_are_too_large_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ics_busy, "MOST_CHARACTERS", 1_000)
    with pytest.raises(BadCalendar, match="too large"):
        busy_in_files([calendar(event("a", "x"))] * 10, WEEKS)


LINES = st.sampled_from(
    [
        *("BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE", "END:VTIMEZONE", "BEGIN:STANDARD"),
        *("END:STANDARD", "UID:1", "DTSTART:20261020T070000Z", "DTSTART;TZID=Z:20261020T070000"),
        *("DTSTART;VALUE=DATE:20261020", "DTEND:20261021", "DURATION:P1D", "RRULE:FREQ=DAILY"),
        *("RRULE:FREQ=YEARLY;BYMONTH=2", "EXDATE:20261020", "RDATE:20261020T070000Z/PT1H"),
        *("RECURRENCE-ID:20261020T070000Z", "TZID:Z", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"),
        *("TZOFFSETTO:+9999", "DTSTART:16010101T020000", "DTSTART:99991231T235959", "\x0b"),
    ]
)


@pytest.mark.spec("FD-27")
@settings(max_examples=300, deadline=None)
@given(st.lists(LINES | st.text(max_size=20), max_size=30))
def test_any_file_is_read_or_refused(lines: list[str]) -> None:
    with suppress(BadCalendar):
        busy_in_files([calendar(*(f"{line}\r\n" for line in lines))], WEEKS)
