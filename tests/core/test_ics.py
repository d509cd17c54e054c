from datetime import UTC, datetime, time, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.ics import Invitation, Method, mime_type, write
from frontdesk.core.localtime import BadZone
from frontdesk.values import replace
from tests.core.clock_changes import changes, zones_that_differ

GOLDEN = Path(__file__).parent / "golden"
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
EIGHT_IN_BERLIN = datetime(2026, 11, 20, 19, tzinfo=UTC)

DINNER = Invitation(
    uid="01j9z8k3m4n5p6q7r8s9t0v1w2@frontdesk.example",
    sequence=0,
    method=Method.REQUEST,
    summary="Dinner; wine, cheese & friends",
    starts_at=EIGHT_IN_BERLIN,
    ends_at=EIGHT_IN_BERLIN + 3 * HOUR,
    tz_name="Europe/Berlin",
    location="Café Größenwahn, Lenaustraße 97",
    description="Bring your appetite.\nThe kitchen opens at eight; coats go left \\ right.",
    organizer_name='Jo "the Host" Müller',
    organizer_email="jo@example.org",
    attendee_name="Ann Lee",
    attendee_email="ann+dinner@example.org",
    stamped_at=datetime(2026, 11, 1, 9, 30, tzinfo=UTC),
    url="https://frontdesk.example/e/dinner",
)


@pytest.mark.spec("FD-14")
@pytest.mark.parametrize(
    ("name", "invitation"),
    [
        ("request", DINNER),
        ("cancel", replace(DINNER, method=Method.CANCEL, sequence=2)),
        ("publish", replace(DINNER, method=Method.PUBLISH, url=None, location="")),
        ("utc", replace(DINNER, tz_name="UTC")),
        ("no_clock_changes", replace(DINNER, tz_name="Asia/Singapore", description="")),
        ("changes_without_a_rule", replace(DINNER, tz_name="Africa/Casablanca")),
        (
            "second_of_two_equal_times",
            replace(
                DINNER,
                starts_at=datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
                ends_at=datetime(2026, 10, 25, 4, 0, tzinfo=UTC),
            ),
        ),
    ],
)
def test_a_calendar_file_is_written_to_the_letter(name: str, invitation: Invitation) -> None:
    golden = (GOLDEN / f"{name}.ics").read_bytes()

    assert write(invitation).replace(b"\r\n", b"\n") == golden


@pytest.mark.spec("FD-14")
def test_another_library_reads_the_same_event() -> None:
    calendar, event = parsed(DINNER)

    assert calendar["METHOD"] == "REQUEST"
    assert event["UID"] == DINNER.uid
    assert event["SEQUENCE"] == 0
    assert event["STATUS"] == "CONFIRMED"
    assert event["SUMMARY"] == DINNER.summary
    assert event["LOCATION"] == DINNER.location
    assert event["DESCRIPTION"] == DINNER.description
    assert event["URL"] == DINNER.url
    assert event["DTSTAMP"].dt == DINNER.stamped_at
    assert event["DTSTART"].dt == DINNER.starts_at
    assert event["DTEND"].dt == DINNER.ends_at
    assert event["ORGANIZER"] == "mailto:jo@example.org"
    assert event["ORGANIZER"].params["CN"] == "Jo 'the Host' Müller"
    assert event["ATTENDEE"] == "mailto:ann+dinner@example.org"
    assert event["ATTENDEE"].params["PARTSTAT"] == "ACCEPTED"
    assert event["ATTENDEE"].params["RSVP"] == "FALSE"


@pytest.mark.spec("FD-14")
def test_a_cancellation_has_the_same_uid_and_a_higher_sequence() -> None:
    calendar, event = parsed(replace(DINNER, method=Method.CANCEL, sequence=3))

    assert (calendar["METHOD"], event["STATUS"]) == ("CANCEL", "CANCELLED")
    assert (event["UID"], event["SEQUENCE"]) == (DINNER.uid, 3)


@pytest.mark.spec("FD-14")
def test_the_mime_type_names_the_method_too() -> None:
    assert mime_type(Method.REQUEST) == "text/calendar; charset=utf-8; method=REQUEST"
    assert mime_type(Method.CANCEL) == "text/calendar; charset=utf-8; method=CANCEL"


def test_around_clock_changes_of_every_zone_the_instants_are_right() -> None:
    """Reads the zone from the file itself and does not look it up by its name. Tests every ninth
    change, and so spring, autumn, and all kinds of zones."""
    hours = cycle((-50, -26, -14, -9, -2, 5, 30))
    for tz, day in changes()[::9]:
        starts_at = day + next(hours) * HOUR
        invitation = replace(
            DINNER, tz_name=tz.key, starts_at=starts_at, ends_at=starts_at + 26 * HOUR
        )
        assert_instants_are_right(invitation, tz)


@pytest.mark.parametrize(
    ("name", "on"),
    [
        ("Europe/Berlin", "1996-10-10"),  # summer time ended in September
        ("America/New_York", "2007-03-20"),  # summer time began in April
        ("Africa/Cairo", "2024-10-28"),  # the night after the last Thursday in October
        ("America/Santiago", "2019-04-06"),  # the first Sunday from day 2 on
        ("Asia/Tehran", "2022-09-30"),  # the last year with summer time
        ("Europe/Volgograd", "2020-12-28"),  # another zone from the previous day on
    ],
)
def test_a_zone_whose_rules_have_changed_is_right_on_the_day(name: str, on: str) -> None:
    tz = ZoneInfo(name)
    starts_at = datetime.fromisoformat(on).replace(hour=18, tzinfo=tz).astimezone(UTC)

    assert_instants_are_right(
        replace(DINNER, tz_name=name, starts_at=starts_at, ends_at=starts_at + 3 * HOUR), tz
    )


def test_a_yearly_rule_is_written_only_where_it_goes_on_to_hold() -> None:
    ruled = 0
    for name in zones_that_differ():
        calendar, _ = parsed(replace(DINNER, tz_name=name))
        if b"RRULE" in calendar.timezones[0].to_ical():
            ruled += 1
            read_zone, tz = calendar.timezones[0].to_tz(lookup_tzid=False), ZoneInfo(name)
            for days in range(0, 5 * 365, 6):
                noon = datetime.combine(DINNER.starts_at + timedelta(days), time(12))
                assert (
                    noon.replace(tzinfo=read_zone).utcoffset()
                    == noon.replace(tzinfo=tz).utcoffset()
                ), (name, noon)
    assert ruled > 20


@given(
    st.sampled_from([tz for tz, _ in changes()]),
    st.integers(0, 30 * 365 * 24 * 4),
    st.integers(1, 400),
)
def test_at_any_time_in_any_zone_the_instants_are_right(
    tz: ZoneInfo, quarter: int, length: int
) -> None:
    starts_at = datetime(2005, 1, 1, tzinfo=UTC) + quarter * 15 * MINUTE
    ends_at = starts_at + length * 15 * MINUTE

    assert_instants_are_right(
        replace(DINNER, tz_name=tz.key, starts_at=starts_at, ends_at=ends_at), tz
    )


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Europe/Berlin", {"STANDARD", "DAYLIGHT"}),
        ("Europe/Dublin", {"STANDARD", "DAYLIGHT"}),
        ("Africa/Casablanca", {"STANDARD", "DAYLIGHT"}),
        ("America/Santiago", {"STANDARD", "DAYLIGHT"}),
        ("Australia/Lord_Howe", {"STANDARD", "DAYLIGHT"}),
        ("Asia/Kathmandu", {"STANDARD"}),
        ("America/Sao_Paulo", {"STANDARD"}),
    ],
)
def test_a_zone_has_summer_time_in_the_file_if_it_has_it(name: str, kinds: set[str]) -> None:
    calendar, _ = parsed(replace(DINNER, tz_name=name))

    assert {part.name for part in calendar.timezones[0].subcomponents} == kinds


TEXT_FIELDS = ("uid", "summary", "location", "description", "organizer_name", "attendee_name")
ADDRESS_FIELDS = ("organizer_email", "attendee_email", "url")
HOSTILE = (
    "x\r\nBEGIN:VEVENT\r\nSUMMARY:evil\r\nEND:VEVENT",
    "x\nATTENDEE:mailto:eve@example.org",
    "x\rSTATUS:CANCELLED",
    "x\u2028METHOD:CANCEL\u2029METHOD:CANCEL\x85METHOD:CANCEL\x0bMETHOD:CANCEL\x0cMETHOD:CANCEL",
    'x";PARTSTAT=DECLINED;X="',
    "x\\nEND:VEVENT\\",
    "x\0\x1b\x7f\ud800",
    "x:mailto:eve@example.org,;=",
)


@pytest.mark.parametrize("field", TEXT_FIELDS + ADDRESS_FIELDS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_text_can_break_out_of_its_field(field: str, hostile: str) -> None:
    attacked = replace(DINNER, **{field: hostile})  # type: ignore[arg-type]

    assert shape(attacked) == shape(DINNER)
    assert parsed(attacked)[1]["ATTENDEE"].params["PARTSTAT"] == "ACCEPTED"


@given(st.sampled_from(TEXT_FIELDS + ADDRESS_FIELDS), st.text(min_size=1, max_size=200))
def test_any_text_makes_a_well_formed_file(field: str, text: str) -> None:
    file = write(replace(DINNER, **{field: text}))  # type: ignore[arg-type]

    assert shape(replace(DINNER, **{field: text})) == shape(DINNER)  # type: ignore[arg-type]
    for line in file.removesuffix(b"\r\n").split(b"\r\n"):
        assert 1 <= len(line) <= 75
        assert line.decode(), "no character is cut apart"
        assert not set(line) & {*range(9), *range(10, 32), 127}


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=300))
def test_folded_and_escaped_text_is_read_back_as_it_was(text: str) -> None:
    described = f"{text}."

    assert parsed(replace(DINNER, description=described))[1]["DESCRIPTION"] == described


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(BadZone):
        write(replace(DINNER, tz_name="Mars/Olympus\r\nX:y"))


def parsed(invitation: Invitation) -> tuple[Any, Any]:
    calendar: Any = icalendar.Calendar.from_ical(write(invitation))
    assert calendar.errors == []
    (event,) = calendar.events
    assert event.errors == []
    return calendar, event


def shape(invitation: Invitation) -> list[str]:
    """Returns the names of all properties, in order, as a reader sees them after unfolding."""
    unfolded = write(invitation).decode().replace("\r\n ", "")
    return [line.partition(":")[0].partition(";")[0] for line in unfolded.split("\r\n")]


def assert_instants_are_right(invitation: Invitation, tz: ZoneInfo) -> None:
    calendar, event = parsed(invitation)
    for name, at in (("DTSTART", invitation.starts_at), ("DTEND", invitation.ends_at)):
        moment = event[name].dt
        if "TZID" in event[name].params:
            read_zone = calendar.timezones[0].to_tz(lookup_tzid=False)
            moment = moment.replace(tzinfo=read_zone)
        assert moment.astimezone(UTC) == at, (tz, name, at)
