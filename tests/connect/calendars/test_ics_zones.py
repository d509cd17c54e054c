"""Zones that a file describes, compared with the same zones of the tz database."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.calendars.ics_lines import FileZone, Zone, file_zones, instant_of, wall_of
from frontdesk.core.ics import vtimezone
from frontdesk.core.localtime import to_instant
from tests.support.calendars import calendar

NAMES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def described(name: str) -> Zone:
    lines = vtimezone(ZoneInfo(name), FIRST, FIRST + timedelta(days=365))
    text = "".join(f"{line}\r\n" for line in lines).replace(f"TZID:{name}", "TZID:Salon Time")
    return file_zones(calendar(text), 100_000)["Salon Time"]


@pytest.mark.spec("BK-26")
@settings(max_examples=200, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 365 * 48))
def test_every_wall_time_is_the_same_instant(name: str, half_hours: int) -> None:
    wall = datetime(2026, 1, 1) + half_hours * timedelta(minutes=30)  # noqa: DTZ001 - wall time

    assert instant_of(wall, described(name)) == to_instant(wall, ZoneInfo(name))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 365 * 48))
def test_every_instant_is_the_same_wall_time(name: str, half_hours: int) -> None:
    at = FIRST + half_hours * timedelta(minutes=30)

    assert wall_of(at, described(name)) == at.astimezone(ZoneInfo(name)).replace(tzinfo=None)


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize("name", NAMES)
def test_times_that_are_left_out_or_occur_twice_are_as_in_the_database(name: str) -> None:
    zone, tz = described(name), ZoneInfo(name)
    assert isinstance(zone, FileZone)
    for onset in (each for each in zone.onsets if 2026 <= each.year < 2029):
        for minutes in range(-90, 91, 5):
            wall = onset + timedelta(minutes=minutes)
            assert instant_of(wall, zone) == to_instant(wall, tz), (name, wall)


@pytest.mark.parametrize(
    "broken",
    ["DTSTART:soon", "RRULE:FREQ=HOURLY", "TZOFFSETFROM:+9900", "RDATE:x", "TZOFFSETTO:1"],
)
def test_a_zone_that_is_not_understood_is_unknown(broken: str) -> None:
    name = broken.partition(":")[0]
    text = (
        "BEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\n"
        "DTSTART:19700601T000000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0300\r\n"
        "END:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
    )
    assert "Z" in file_zones(calendar(text), 100_000)
    lines = [line for line in text.splitlines() if not line.startswith(f"{name}:")]
    lines.insert(lines.index("BEGIN:DAYLIGHT") + 1, broken)

    assert file_zones(calendar("\r\n".join([*lines, ""])), 100_000) == {}
