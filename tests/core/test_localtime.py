from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.localtime import (
    BadZone,
    is_month_first,
    next_clock_change,
    parse_day,
    parse_instant,
    parse_wall,
    same_wall_time,
    spoken,
    spoken_date,
    spoken_deadline,
    spoken_span,
    spoken_time,
    to_instant,
    to_local_date,
    to_wall,
    wall_days_before,
    zone,
    zone_name,
)
from tests.core.clock_changes import DAY, changes

BERLIN, SINGAPORE = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Singapore")
APIA, LORD_HOWE = ZoneInfo("Pacific/Apia"), ZoneInfo("Australia/Lord_Howe")
KATHMANDU, NEW_YORK = ZoneInfo("Asia/Kathmandu"), ZoneInfo("America/New_York")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def wall(text: str) -> datetime:
    return datetime.fromisoformat(text)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_every_zone_is_found_by_its_name() -> None:
    names = {name for name in available_timezones() if name[0].isupper()}

    assert len(names) > 400
    assert {zone(name).key for name in names} == names


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Mars/Olympus",
        "europe/berlin",
        "America",
        "../Europe/Berlin",
        "/etc/localtime",
        "Europe/../Europe/Berlin",
        "Europe//Berlin",
        "Europe/Berlin\n",
        "Europe/Berlin\0",
        "localtime",
        "posixrules",
        "right/Europe/Berlin",
        "tzdata.zi",
        "Bérlin",
        "A" * 5000,
        "A/" * 2000,
    ],
)
def test_a_name_that_is_no_zone_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(BadZone, match="write it like 'Asia/Singapore'") as refused:
        zone(name)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("tz", "on_the_wall", "instant"),
    [
        (SINGAPORE, "2026-11-20 18:00", "2026-11-20 10:00"),
        (KATHMANDU, "2026-11-20 18:00", "2026-11-20 12:15"),
        (BERLIN, "2026-03-29 02:30", "2026-03-29 01:30"),  # does not exist: becomes 03:30
        (BERLIN, "2026-10-25 02:30", "2026-10-25 00:30"),  # occurs twice: the first one
        (LORD_HOWE, "2026-10-04 02:15", "2026-10-03 15:45"),  # in a gap: becomes 02:45
        (LORD_HOWE, "2026-04-05 01:45", "2026-04-04 14:45"),
        (APIA, "2011-12-30 10:00", "2011-12-30 20:00"),  # on a skipped day: becomes the 31st
    ],
)
def test_a_wall_time_is_one_instant(tz: ZoneInfo, on_the_wall: str, instant: str) -> None:
    assert to_instant(wall(on_the_wall), tz) == utc(instant)
    assert same_wall_time(wall(on_the_wall).date(), wall(on_the_wall).time(), tz) == utc(instant)


def test_a_wall_time_in_a_gap_moves_forward_by_the_gap() -> None:
    assert to_wall(to_instant(wall("2026-03-29 02:30"), BERLIN), BERLIN) == wall("2026-03-29 03:30")
    assert to_wall(to_instant(wall("2011-12-30 10:00"), APIA), APIA) == wall("2011-12-31 10:00")


def test_a_fold_does_not_choose_the_later_of_two_equal_wall_times() -> None:
    twice = wall("2026-10-25 02:30")

    assert to_instant(twice.replace(fold=1), BERLIN) == to_instant(twice, BERLIN)


def test_instants_have_whole_seconds() -> None:
    assert to_instant(wall("2026-11-20 18:00:30.999999"), SINGAPORE) == utc("2026-11-20 10:00:30")


def test_the_same_wall_time_some_days_before_is_right_across_a_clock_change() -> None:
    start_at = to_instant(wall("2026-10-26 18:00"), BERLIN)

    assert wall_days_before(start_at, 1, BERLIN) == utc("2026-10-25 17:00")
    assert wall_days_before(start_at, 7, BERLIN) == utc("2026-10-19 16:00")


@given(st.sampled_from(changes()), st.integers(-3000, 3000))
def test_around_every_clock_change_an_instant_is_its_wall_time_or_the_second_with_it(
    change: tuple[ZoneInfo, datetime], minutes: int
) -> None:
    tz, day = change
    at = day + minutes * MINUTE

    first = to_instant(to_wall(at, tz), tz)

    assert to_wall(first, tz) == to_wall(at, tz)
    assert first == at or at.astimezone(tz).fold == 1


@given(st.sampled_from(changes()), st.integers(0, 3000))
def test_the_next_clock_change_is_found_to_the_second(
    change: tuple[ZoneInfo, datetime], minutes: int
) -> None:
    tz, day = change
    after, until = day - 3 * DAY + minutes * MINUTE, day + DAY

    found = next_clock_change(after, until, tz)

    offset = after.astimezone(tz).utcoffset()
    if found is None:
        assert until.astimezone(tz).utcoffset() == offset
    else:
        assert after < found <= until
        assert (found - timedelta(seconds=1)).astimezone(tz).utcoffset() == offset
        assert found.astimezone(tz).utcoffset() != offset


def test_a_clock_change_counts_up_to_and_with_the_last_instant() -> None:
    change_at = utc("2026-10-25 01:00")

    assert next_clock_change(change_at - HOUR, change_at, BERLIN) == change_at
    assert next_clock_change(change_at, change_at + 9 * HOUR, BERLIN) is None
    assert next_clock_change(change_at - HOUR, change_at - MINUTE, BERLIN) is None


@pytest.mark.parametrize(
    ("tz", "at", "said"),
    [
        (SINGAPORE, "2026-11-20 10:00", "Friday 20 November 2026 at 18:00 (SGT)"),
        (BERLIN, "2026-07-05 06:05", "Sunday 5 July 2026 at 08:05 (CEST)"),
        (BERLIN, "2026-12-31 23:30", "Friday 1 January 2027 at 00:30 (CET)"),
        (
            KATHMANDU,
            "2026-11-20 12:15",
            "Friday 20 November 2026 at 18:00 (Kathmandu time, UTC+05:45)",
        ),
        (
            ZoneInfo("America/Argentina/Buenos_Aires"),
            "2026-11-20 12:15",
            "Friday 20 November 2026 at 09:15 (Buenos Aires time, UTC-03:00)",
        ),
        (ZoneInfo("Etc/GMT+5"), "2026-11-20 12:15", "Friday 20 November 2026 at 07:15 (UTC-05:00)"),
        (ZoneInfo("UTC"), "2026-11-20 12:15", "Friday 20 November 2026 at 12:15 (UTC)"),
    ],
)
def test_an_instant_is_said_with_its_zone(tz: ZoneInfo, at: str, said: str) -> None:
    assert spoken(utc(at), tz) == said


def test_every_zone_has_a_name_that_says_something() -> None:
    names = {
        name: zone_name(utc("2026-11-20 10:00"), ZoneInfo(name)) for name in available_timezones()
    }

    assert [name for name, said in names.items() if len(said) < 3 or said[0] in "+-"] == []


def test_date_and_time_are_written_separately() -> None:
    at = utc("2026-11-20 10:00")

    assert spoken_date(at, SINGAPORE) == "Friday 20 November 2026"
    assert spoken_time(at, SINGAPORE) == "18:00 (SGT)"


@pytest.mark.parametrize(
    ("deadline", "said"),
    [
        ("2026-11-20 16:00", "until 16:00 today (SGT)"),
        ("2026-11-20 16:00:59", "until 16:00 today (SGT)"),
        ("2026-11-21 08:30", "until 08:30 tomorrow (SGT)"),
        ("2026-11-22 16:00", "until Sunday 22 November, 16:00 (SGT)"),
        ("2027-01-01 16:00", "until Friday 1 January 2027, 16:00 (SGT)"),
        ("2026-11-19 16:00", "until Thursday 19 November, 16:00 (SGT)"),
    ],
)
def test_a_deadline_is_said_as_one_would_from_today(deadline: str, said: str) -> None:
    now = same_wall_time(date(2026, 11, 20), time(0, 5), SINGAPORE)

    assert spoken_deadline(to_instant(wall(deadline), SINGAPORE), now, SINGAPORE) == said


def test_today_is_the_day_on_the_wall_and_not_in_utc() -> None:
    late_evening, after_midnight = utc("2026-11-20 15:30"), utc("2026-11-20 16:30")

    assert spoken_deadline(after_midnight, late_evening, SINGAPORE) == "until 00:30 tomorrow (SGT)"


def test_of_two_equal_times_the_zone_says_which_is_meant() -> None:
    now, first = utc("2026-10-24 23:00"), utc("2026-10-25 00:30")

    assert spoken_deadline(first, now, BERLIN) == "until 02:30 today (CEST)"
    assert spoken_deadline(first + HOUR, now, BERLIN) == "until 02:30 today (CET)"


@pytest.mark.parametrize(
    ("tz", "start", "end", "said"),
    [
        (
            SINGAPORE,
            "2026-11-20 10:00",
            "2026-11-20 13:00",
            "Friday 20 November 2026, 18:00 to 21:00 (SGT)",
        ),
        (
            NEW_YORK,
            "2026-11-21 03:00",
            "2026-11-21 07:00",
            "Friday 20 November 2026, 22:00 to Saturday 21 November 2026, 02:00 (EST)",
        ),
        (
            BERLIN,
            "2026-10-25 00:30",
            "2026-10-25 01:15",
            "Sunday 25 October 2026, 02:30 (CEST) to Sunday 25 October 2026, 02:15 (CET)",
        ),
    ],
)
def test_a_span_names_its_day_and_both_times(tz: ZoneInfo, start: str, end: str, said: str) -> None:
    assert spoken_span(utc(start), utc(end), tz) == said


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1969-12-31T00:00:00Z",
        "2201-01-01T00:00:00Z", "2026-11-20T15:00:00", "2026-11-20", "soon", "",
    ],
)  # fmt: skip
def test_an_instant_that_somebody_sends_is_in_our_years_and_has_its_offset(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_instant(text)


def test_times_and_days_that_somebody_sends_are_read() -> None:
    at = datetime(2026, 11, 20, 7, 0, 9, tzinfo=UTC)
    assert parse_instant("2026-11-20T15:00:09.5+08:00") == at
    assert parse_wall("2026-11-20T15:00") == datetime(2026, 11, 20, 15)  # noqa: DTZ001
    assert parse_day("2026-11-20") == date(2026, 11, 20)
    for read, text in ((parse_wall, "2026-11-20T15:00Z"), (parse_day, "9999-12-31")):
        with pytest.raises(ValueError, match=r".*"):
            read(text)


def test_the_local_day_is_that_of_the_wall_time_beside_every_clock_change() -> None:
    for tz in (BERLIN, SINGAPORE, APIA, LORD_HOWE, NEW_YORK):
        for hour in range(0, 366 * 24, 5):
            at = utc("2011-06-01") + hour * HOUR
            assert to_local_date(at, tz) == to_wall(at, tz).date()


def test_the_first_of_two_equal_wall_times_is_meant_and_fractions_do_not_count() -> None:
    second = time(2, 30, 0, 999, fold=1)
    assert same_wall_time(date(2026, 10, 25), second, BERLIN) == utc("2026-10-25T00:30")


def test_some_countries_write_the_month_first() -> None:
    assert [is_month_first(country) for country in ("US", "ph", "GB", "")] == [
        True,
        True,
        False,
        False,
    ]
