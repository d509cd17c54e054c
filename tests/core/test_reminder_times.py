from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import cycle
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.localtime import to_instant, to_wall
from frontdesk.core.quiet_hours import NO_QUIET_HOURS, QuietHours
from frontdesk.core.reminder_times import (
    DEFAULT_RULES,
    BadReminderTimes,
    DaysBefore,
    HoursBefore,
    MorningOf,
    ReminderRule,
    due_at,
    parse_rule,
)
from tests.core.clock_changes import changes

BERLIN, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Apia")
NIGHT = QuietHours(time(21), time(8))
LONG_BEFORE = datetime(2000, 1, 1, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
MORNING = MorningOf(time(9))

rules: st.SearchStrategy[ReminderRule] = st.one_of(
    st.builds(DaysBefore, st.integers(1, 365)),
    st.builds(HoursBefore, st.integers(1, 999)),
    st.builds(MorningOf, st.builds(time, st.integers(0, 23), st.integers(0, 59))),
)


def local(text: str, tz: ZoneInfo = BERLIN) -> datetime:
    return to_instant(datetime.fromisoformat(text), tz)


def due(rule: ReminderRule, start: str, quiet: QuietHours = NIGHT) -> str | None:
    at = due_at(rule, local(start), BERLIN, quiet, LONG_BEFORE)
    return None if at is None else f"{to_wall(at, BERLIN):%Y-%m-%d %H:%M}"


def test_there_are_three_reminders_by_default() -> None:
    assert [str(rule) for rule in DEFAULT_RULES] == ["7d", "1d", "morning 09:00"]
    assert [rule.name for rule in DEFAULT_RULES] == ["7d", "1d", "morning"]


@given(rules)
def test_a_rule_is_read_back_as_it_was_written(rule: ReminderRule) -> None:
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("7d", DaysBefore(7)),
        (" 1D ", DaysBefore(1)),
        ("36 h", HoursBefore(36)),
        ("morning 9:30", MorningOf(time(9, 30))),
        ("Morning  09:00", MORNING),
    ],
)
def test_small_differences_in_writing_do_not_matter(text: str, rule: ReminderRule) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write it like 7d, 2h or morning 09:00"),
        ("7", "write it like"),
        ("d", "write it like"),
        ("-1d", "write it like"),
        ("1.5h", "write it like"),
        ("٧d", "write it like"),
        ("7w", "write it like"),
        ("morning", "write it like"),
        ("evening 18:00", "write it like"),
        ("7d; DROP", "write it like"),
        ("7d" * 9999, "write it like"),
        ("0d", "1 to 365 days"),
        ("366d", "1 to 365 days"),
        ("0h", "1 to 999 hours"),
        ("1000h", "1 to 999 hours"),
        ("morning 24:00", "no time 24:00"),
        ("morning 09:60", "no time 09:60"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(BadReminderTimes, match=why) as refused:
        parse_rule(text)
    assert len(str(refused.value)) < 200


def test_a_morning_has_whole_minutes_and_no_zone_of_its_own() -> None:
    for wrong in (time(9, 0, 1), time(9, tzinfo=UTC)):
        with pytest.raises(BadReminderTimes, match="whole minutes"):
            MorningOf(wrong)


@pytest.mark.spec("EV-15")
@pytest.mark.parametrize(
    ("rule", "start", "expected"),
    [
        (DaysBefore(7), "2026-11-20 18:00", "2026-11-13 18:00"),
        (DaysBefore(1), "2026-11-20 18:00", "2026-11-19 18:00"),
        (HoursBefore(2), "2026-11-20 18:00", "2026-11-20 16:00"),
        (HoursBefore(36), "2026-11-20 21:00", "2026-11-19 09:00"),
        (MORNING, "2026-11-20 18:00", "2026-11-20 09:00"),
        # Days follow the wall clock; hours are hours.
        (DaysBefore(1), "2026-10-25 18:00", "2026-10-24 18:00"),
        (DaysBefore(7), "2026-03-30 18:00", "2026-03-23 18:00"),
        (HoursBefore(24), "2026-10-25 18:00", "2026-10-24 19:00"),
        # A day before is in a gap: the clock shows an hour later.
        (DaysBefore(1), "2026-03-30 02:30", "2026-03-29 08:00"),
    ],
)
def test_a_reminder_is_due_by_the_clock_of_the_place(
    rule: ReminderRule, start: str, expected: str
) -> None:
    assert due(rule, start) == expected


def test_a_time_that_does_not_exist_moves_forward() -> None:
    assert due(DaysBefore(1), "2026-03-30 02:30", NO_QUIET_HOURS) == "2026-03-29 03:30"


@pytest.mark.spec("EV-15")
def test_a_time_in_quiet_hours_moves_to_their_end() -> None:
    assert due(DaysBefore(1), "2026-11-20 22:30") == "2026-11-20 08:00"
    assert due(DaysBefore(1), "2026-11-20 07:00") == "2026-11-19 08:00"
    assert due(MorningOf(time(7)), "2026-11-20 18:00") == "2026-11-20 08:00"


@pytest.mark.spec("EV-15")
def test_a_time_already_past_is_skipped() -> None:
    start_at, due_time = local("2026-11-20 18:00"), local("2026-11-19 18:00")

    assert due_at(DaysBefore(1), start_at, BERLIN, NIGHT, due_time - MINUTE) == due_time
    assert due_at(DaysBefore(1), start_at, BERLIN, NIGHT, due_time) is None
    assert due_at(DaysBefore(1), start_at, BERLIN, NIGHT, start_at) is None


@pytest.mark.spec("EV-15")
def test_a_time_moved_out_of_quiet_hours_is_checked_against_now() -> None:
    """A guest who signs up at night still gets the reminder that waits until the morning."""
    start_at, at_night = local("2026-11-20 22:30"), local("2026-11-20 01:00")

    assert due_at(DaysBefore(1), start_at, BERLIN, NIGHT, at_night) == local("2026-11-20 08:00")


@pytest.mark.spec("EV-15")
@pytest.mark.parametrize(
    ("rule", "start"),
    [
        (MORNING, "2026-11-20 09:00"),
        (MORNING, "2026-11-20 08:30"),
        (HoursBefore(2), "2026-11-20 08:00"),
        (HoursBefore(2), "2026-11-20 07:00"),
    ],
)
def test_a_time_moved_to_or_past_the_start_is_skipped(rule: ReminderRule, start: str) -> None:
    assert due(rule, start) is None


@pytest.mark.spec("EV-15")
def test_a_day_before_that_was_left_out_is_the_start_itself_and_is_skipped() -> None:
    start_at = local("2011-12-31 18:00", APIA)

    assert due_at(DaysBefore(2), start_at, APIA, NIGHT, LONG_BEFORE) == local(
        "2011-12-29 18:00", APIA
    )
    assert due_at(DaysBefore(1), start_at, APIA, NIGHT, LONG_BEFORE) is None


@pytest.mark.spec("EV-15")
def test_in_every_zone_around_every_clock_change_a_reminder_comes_in_time_or_not_at_all() -> None:
    kinds: Iterator[ReminderRule] = cycle(
        (DaysBefore(1), HoursBefore(3), MORNING, DaysBefore(2), HoursBefore(30))
    )
    for tz, day in changes():
        for step in range(-20, 30):
            assert_right(next(kinds), day + 97 * step * MINUTE, tz, NIGHT)


@pytest.mark.spec("EV-15")
@given(rules, st.sampled_from(changes()), st.integers(-2000, 8000))
def test_any_rule_keeps_its_wall_time_unless_the_clocks_or_the_night_are_in_the_way(
    rule: ReminderRule, change: tuple[ZoneInfo, datetime], minutes: int
) -> None:
    tz, day = change
    assert_right(rule, day + minutes * MINUTE, tz, NIGHT)


def assert_right(rule: ReminderRule, start_at: datetime, tz: ZoneInfo, quiet: QuietHours) -> None:
    now = start_at - timedelta(days=400)
    at = due_at(rule, start_at, tz, quiet, now)
    wished = wished_wall_time(rule, start_at, tz)
    if at is None:
        assert wished >= to_wall(start_at, tz) - 13 * HOUR, (rule, start_at, tz)
        return
    assert now < at < start_at, (rule, start_at, tz)
    assert not quiet.is_quiet(at, tz), (rule, start_at, tz)
    late = to_wall(at, tz) - wished
    assert -HOUR <= late <= 12 * HOUR, (rule, start_at, tz)
    if not night(wished) and late:
        assert at.astimezone(tz).utcoffset() != (at - 3 * HOUR).astimezone(tz).utcoffset()


def wished_wall_time(rule: ReminderRule, start_at: datetime, tz: ZoneInfo) -> datetime:
    start = to_wall(start_at, tz)
    match rule:
        case DaysBefore(days):
            return start - timedelta(days=days)
        case HoursBefore(hours):
            return to_wall(start_at - timedelta(hours=hours), tz)
        case MorningOf(at):
            return datetime.combine(start.date(), at)


def night(wall: datetime) -> bool:
    return wall.hour >= 21 or wall.hour < 8
