"""One contract for every kind of calendar: a real CalDAV server, and stand-ins for Google and Graph
that accept only documented requests."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.connect.calendars.port import (
    AllDayEvents,
    BadCalendar,
    BuiltInCalendar,
    BusySpan,
    CalendarDown,
    CalendarEntry,
    CalendarPort,
    CalendarRefused,
    CalendarUnknown,
    Changes,
    WrittenEvent,
)
from frontdesk.values import replace
from tests.connect.calendars.harness import Server, WritableServer, running

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
#: Shortly before clocks go back in Berlin on the 25th.
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
START, END = NINE - 2 * DAY, NINE + 20 * DAY
KEY = "0123456789abcdef0123456789abcdef"
OTHER = "f" * 32
CUT = CalendarEntry(
    key=KEY,
    starts_at=NINE,
    ends_at=NINE + HOUR,
    zone="Europe/Berlin",
    title="Cut: Anna",
    description="Booked by Frontdesk",
    location="Lenaustraße 97, Berlin",
)
WRITABLE = ["caldav", "google", "microsoft"]


@pytest.fixture(params=[*WRITABLE, "ics"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    with running(request.param, tmp_path) as one:
        yield one


@pytest.fixture(params=WRITABLE)
def writable(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WritableServer]:
    with running(request.param, tmp_path) as one:
        yield one


def times(found: object) -> list[tuple[datetime, datetime]]:
    assert isinstance(found, list | tuple)
    return [(span.starts_at, span.ends_at) for span in found]


# --- reading ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-10")
def test_busy_times_are_those_that_touch_the_time_asked_for(server: Server) -> None:
    server.add("before", START - 2 * HOUR, START)
    server.add("across", START - HOUR, START + HOUR)
    server.add("lunch", NINE, NINE + HOUR)
    server.add("free", NINE + 3 * HOUR, NINE + 4 * HOUR, free=True)
    server.add("after", END, END + HOUR)

    assert times(server.reader().busy(START, END)) == [
        (START - HOUR, START + HOUR),
        (NINE, NINE + HOUR),
    ]


@pytest.mark.spec("BK-26")
def test_each_repetition_is_busy(server: Server) -> None:
    server.add("weekly", NINE - 21 * DAY, NINE - 21 * DAY + HOUR, weeks=5)

    assert times(server.reader().busy(START, END)) == [
        (NINE, NINE + HOUR),
        (NINE + 7 * DAY, NINE + 7 * DAY + HOUR),
    ]


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (AllDayEvents.BLOCK, ["2026-10-21T22", "2026-10-24T22"]),
        (AllDayEvents.AS_MARKED, ["2026-10-24T22"]),
        (AllDayEvents.IGNORE, []),
    ],
)
def test_whole_days_are_days_here_and_count_as_set(
    server: Server, mode: AllDayEvents, expected: list[str]
) -> None:
    server.add_days("birthday", "2026-10-22", "2026-10-23", free=True)
    server.add_days("off", "2026-10-25", "2026-10-26")

    found = server.reader(mode).busy(START, END)

    assert [f"{span.starts_at:%Y-%m-%dT%H}" for span in found] == expected
    assert all(span.all_day for span in found)
    assert sum((span.ends_at - span.starts_at for span in found[-1:]), timedelta()) == (
        25 * HOUR if expected else timedelta()
    )


def test_many_events_come_from_several_pages(server: Server) -> None:
    for number in range(8):
        server.add(f"event{number}", NINE + number * DAY, NINE + number * DAY + HOUR)

    assert len(server.reader().busy(START, END)) == 8


@pytest.mark.spec("BK-30")
@pytest.mark.parametrize("how", ["busy", "page", "gone"])
def test_a_calendar_that_cannot_be_read_is_never_free(server: Server, how: str) -> None:
    reader = server.reader()
    server.break_reading(how)

    with pytest.raises(BadCalendar):
        reader.busy(START, END)


# --- writing ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-12", "BK-37")
def test_an_event_that_is_written_can_be_found_and_shows_what_the_caller_gave(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    assert calendar.find(KEY) is None

    written = calendar.put(CUT)

    assert replace(written, event_id="", etag="") == WrittenEvent(KEY, "", NINE, NINE + HOUR)
    for found in (calendar.find(KEY), calendar.find(KEY, written.event_id)):
        assert found is not None
        assert replace(found, etag="") == replace(written, etag="")
    assert writable.texts(written.event_id) == (CUT.title, CUT.description, CUT.location)


@pytest.mark.spec("BK-12")
def test_writing_again_is_the_same_event(writable: WritableServer) -> None:
    calendar = writable.calendar()
    first = calendar.put(CUT)

    assert calendar.put(CUT).event_id == first.event_id
    assert calendar.put(CUT, first.event_id).event_id == first.event_id
    assert writable.count() == 1


@pytest.mark.spec("BK-25")
def test_our_own_events_are_not_busy_but_a_copy_is(writable: WritableServer) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)
    writable.add("lunch", NINE + HOUR, NINE + 2 * HOUR)
    assert times(calendar.busy(START, END)) == [(NINE + HOUR, NINE + 2 * HOUR)]

    writable.copy(written.event_id)

    assert times(calendar.busy(START, END)) == [
        (NINE, NINE + HOUR),
        (NINE + HOUR, NINE + 2 * HOUR),
    ]


@pytest.mark.spec("BK-25")
def test_where_staff_and_we_have_an_event_at_one_time_it_is_busy(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    calendar.put(CUT)
    writable.add("dentist", NINE, NINE + HOUR)

    assert times(calendar.busy(START, END)) == [(NINE, NINE + HOUR)]


def test_a_move_changes_the_same_event(writable: WritableServer) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)
    later = replace(CUT, starts_at=NINE + DAY, ends_at=NINE + DAY + HOUR, sequence=1, title="Cut")

    moved = calendar.put(later, written.event_id)

    assert (moved.event_id, moved.starts_at) == (written.event_id, NINE + DAY)
    found = calendar.find(KEY, written.event_id)
    assert found is not None
    assert (found.starts_at, found.ends_at) == (NINE + DAY, NINE + DAY + HOUR)
    assert writable.texts(written.event_id)[0] == "Cut"
    assert writable.count() == 1


def test_an_event_that_is_removed_is_gone_and_removing_it_again_does_no_harm(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)

    calendar.remove(KEY, written.event_id)
    calendar.remove(KEY, written.event_id)
    calendar.remove(KEY)
    calendar.remove(OTHER)

    found = calendar.find(KEY, written.event_id)
    assert found is None or found.cancelled
    assert writable.count() == 0


def test_an_event_can_be_removed_by_its_key_alone(writable: WritableServer) -> None:
    calendar = writable.calendar()
    calendar.put(CUT)
    calendar.put(replace(CUT, key=OTHER))

    calendar.remove(KEY)

    assert writable.count() == 1
    assert calendar.find(OTHER) is not None


@pytest.mark.spec("BK-12")
def test_an_event_that_staff_deleted_is_written_anew(writable: WritableServer) -> None:
    """Google never frees the id of a deleted event, and Graph remembers its transaction id."""
    calendar = writable.calendar()
    event_id = ""
    for _ in range(3):
        event_id = calendar.put(CUT, event_id).event_id
        writable.delete(event_id)
    again = calendar.put(CUT)

    assert writable.count() == 1
    found = calendar.find(KEY)
    assert found is not None
    assert (found.event_id, found.cancelled) == (again.event_id, False)


# --- failures ---------------------------------------------------------------------------------


@pytest.mark.spec("BK-12")
def test_a_write_whose_answer_is_lost_is_found_by_its_key_and_not_repeated(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    calendar.find(KEY)
    writable.fail_next_write("lost")

    with pytest.raises(CalendarUnknown):
        calendar.put(CUT)

    found = calendar.find(KEY)
    assert found is not None
    assert (found.starts_at, found.cancelled) == (NINE, False)
    assert calendar.put(CUT).event_id == found.event_id
    assert writable.count() == 1


@pytest.mark.spec("BK-12")
@pytest.mark.parametrize(
    ("how", "error"),
    [("unknown", CalendarUnknown), ("refused", CalendarRefused), ("down", CalendarDown)],
)
def test_a_failed_write_says_whether_to_repeat_it(
    writable: WritableServer, how: str, error: type[Exception]
) -> None:
    calendar = writable.calendar()
    calendar.find(KEY)
    writable.fail_next_write(how)

    with pytest.raises(error) as raised:
        calendar.put(CUT)

    assert writable.count() == 0
    if isinstance(raised.value, CalendarDown):
        assert raised.value.wait == timedelta(seconds=120)
    assert calendar.put(CUT).starts_at == NINE


def test_a_lost_removal_can_be_repeated(writable: WritableServer) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)
    writable.fail_next_write("lost")

    with pytest.raises(CalendarUnknown):
        calendar.remove(KEY, written.event_id)
    calendar.remove(KEY, written.event_id)

    assert writable.count() == 0


# --- changes by staff -------------------------------------------------------------------------


@pytest.mark.spec("BK-31")
def test_events_that_staff_move_or_delete_are_noticed(writable: WritableServer) -> None:
    calendar = writable.calendar()
    first, second = calendar.put(CUT), calendar.put(replace(CUT, key=OTHER))
    writable.add("lunch", NINE, NINE + HOUR)
    before = calendar.changes("", START, END)
    assert sorted(event.key for event in before.events) == [KEY, OTHER]

    writable.move(first.event_id, NINE + 3 * HOUR, NINE + 4 * HOUR)
    writable.delete(second.event_id)

    after = calendar.changes(before.known, START, END)
    assert [(event.key, event.starts_at, event.cancelled) for event in after.events] == [
        (KEY, NINE + 3 * HOUR, False)
    ]
    assert {event.etag for event in after.events}.isdisjoint(event.etag for event in before.events)
    gone = calendar.find(OTHER, second.event_id)
    assert gone is None or gone.cancelled


@pytest.mark.spec("BK-31")
def test_an_event_that_staff_move_far_away_is_missing_and_can_be_found(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)
    writable.move(written.event_id, END + DAY, END + DAY + HOUR)

    assert calendar.changes("", START, END).events == ()
    found = calendar.find(KEY, written.event_id)
    assert found is not None
    assert (found.starts_at, found.cancelled) == (END + DAY, False)


def test_without_a_change_nothing_is_read_again_unless_the_time_differs(
    writable: WritableServer,
) -> None:
    calendar = writable.calendar()
    written = calendar.put(CUT)
    known = calendar.changes("", START, END)

    again = calendar.changes(known.known, START, END)
    assert again.unchanged or again == known
    assert [each.event_id for each in calendar.changes(known.known, START, END + DAY).events] == [
        written.event_id
    ]


# --- without another calendar -----------------------------------------------------------------


@pytest.mark.spec("BK-10")
def test_the_built_in_calendar_has_no_busy_times_and_writes_nothing() -> None:
    calendar: CalendarPort = BuiltInCalendar()

    written = calendar.put(CUT)

    assert (written.key, written.starts_at) == (KEY, NINE)
    assert (calendar.busy(START, END), calendar.find(KEY)) == ((), None)
    assert calendar.changes("", START, END) == Changes((), "", unchanged=True)
    calendar.remove(KEY, written.event_id)


def test_a_span_says_which_event_it_is(server: Server) -> None:
    server.add("lunch", NINE, NINE + HOUR)

    [span] = server.reader().busy(START, END)

    assert span == BusySpan(NINE, NINE + HOUR, event_id=span.event_id)
    assert span.event_id
