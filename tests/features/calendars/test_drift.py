"""Bookings' events that staff moved or deleted, on a real CalDAV server."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.connect.calendars.port import BadCalendar, CalendarEntry
from frontdesk.features.calendars.drift import Deleted, Drift, Expected, Moved, find_drift
from frontdesk.values import replace
from tests.connect.calendars.harness import RadicaleServer, running

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NINE = datetime(2026, 10, 20, 7, tzinfo=UTC)
SPAN = (NINE - DAY, NINE + 10 * DAY)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RadicaleServer]:
    with running("caldav", tmp_path) as one:
        yield one


def written(server: RadicaleServer, number: int) -> list[Expected]:
    found = []
    for each in range(number):
        start = NINE + each * HOUR
        entry = CalendarEntry(
            key=f"{each:032x}", starts_at=start, ends_at=start + HOUR, zone="UTC", title="Cut"
        )
        event = server.calendar().put(entry)
        found.append(Expected(entry.key, event.event_id, entry.starts_at, entry.ends_at))
    return found


def drift(server: RadicaleServer, expected: list[Expected], known: str = "") -> Drift:
    return find_drift(server.calendar(), expected, known, *SPAN)


@pytest.mark.spec("BK-31")
def test_an_event_that_is_moved_or_deleted_is_a_difference(server: RadicaleServer) -> None:
    expected = written(server, 12)
    before = drift(server, expected)
    assert before.differences == ()
    assert drift(server, expected, before.known) == replace(before, unchanged=True)

    server.move(expected[0].event_id, NINE + DAY, NINE + DAY + HOUR)
    server.move(expected[1].event_id, NINE + 99 * DAY, NINE + 99 * DAY + HOUR)
    server.delete(expected[2].event_id)

    after = drift(server, expected, before.known)
    assert after.differences == (
        Moved(expected[0].key, NINE + DAY, NINE + DAY + HOUR),
        Moved(expected[1].key, NINE + 99 * DAY, NINE + 99 * DAY + HOUR),
        Deleted(expected[2].key),
    )
    assert not after.many


@pytest.mark.spec("BK-31")
def test_many_at_once_are_marked(server: RadicaleServer) -> None:
    expected = written(server, 6)
    for each in expected[:3]:
        server.delete(each.event_id)

    assert drift(server, expected).many


@pytest.mark.spec("BK-31")
def test_a_calendar_that_cannot_be_read_has_no_differences(server: RadicaleServer) -> None:
    expected = written(server, 1)
    server.break_reading("busy")

    with pytest.raises(BadCalendar):
        drift(server, expected)
