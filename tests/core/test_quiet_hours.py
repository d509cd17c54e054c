from datetime import UTC, datetime, time, timedelta
from itertools import cycle
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.localtime import to_instant
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, NO_QUIET_HOURS, QuietHours
from tests.core.clock_changes import changes

BERLIN, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Apia")
KWAJALEIN, LORD_HOWE = ZoneInfo("Pacific/Kwajalein"), ZoneInfo("Australia/Lord_Howe")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

NIGHT = QuietHours(time(21), time(8))
#: Hours that begin, end, or lie within a clock change.
TRICKY = (
    NIGHT,
    QuietHours(time(22), time(2, 30)),
    QuietHours(time(2, 15), time(2, 45)),
    QuietHours(time(3), time(2)),
    QuietHours(time(0, 30), time(0)),
    QuietHours(time(23, 45), time(1, 45)),
)
TO_QUARTER_PAST, TO_QUARTER_TO = (QuietHours(time(22), end) for end in (time(2, 15), time(1, 45)))

quiet_hours = st.builds(
    QuietHours,
    st.times().map(lambda t: t.replace(second=0, microsecond=0)),
    st.times().map(lambda t: t.replace(second=0, microsecond=0)),
)


def local(text: str, tz: ZoneInfo) -> datetime:
    return to_instant(datetime.fromisoformat(text), tz)


def test_nights_are_quiet_by_default() -> None:
    assert QuietHours(time(21), time(8)) == DEFAULT_QUIET_HOURS


@pytest.mark.spec("FD-12")
@pytest.mark.parametrize(
    ("clock", "quiet"),
    [
        ("20:59:59", False),
        ("21:00", True),
        ("23:59:59", True),
        ("00:00", True),
        ("07:59:59", True),
        ("08:00", False),
        ("12:00", False),
    ],
)
def test_quiet_hours_wrap_midnight_and_their_end_is_no_longer_quiet(
    clock: str, quiet: bool
) -> None:
    assert NIGHT.is_quiet(local(f"2026-11-20 {clock}", BERLIN), BERLIN) is quiet


def test_quiet_hours_may_lie_within_one_day() -> None:
    siesta = QuietHours(time(13), time(15))

    assert not siesta.is_quiet(local("2026-11-20 12:59", BERLIN), BERLIN)
    assert siesta.next_allowed(local("2026-11-20 13:00", BERLIN), BERLIN) == local(
        "2026-11-20 15:00", BERLIN
    )


@given(st.integers(0, 2**31).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)))
def test_equal_start_and_end_mean_no_quiet_hours(at: datetime) -> None:
    for quiet in (NO_QUIET_HOURS, QuietHours(time(8), time(8))):
        assert not quiet.is_quiet(at, BERLIN)
        assert quiet.next_allowed(at, BERLIN) == at


def test_quiet_hours_have_no_zone_of_their_own() -> None:
    with pytest.raises(ValueError, match="local"):
        QuietHours(time(21, tzinfo=UTC), time(8))


@pytest.mark.spec("FD-12")
@pytest.mark.parametrize(
    ("tz", "quiet", "asked", "allowed"),
    [
        # An ordinary night, asked about before and after midnight.
        (BERLIN, NIGHT, "2026-11-20T22:00+01:00", "2026-11-21T08:00+01:00"),
        (BERLIN, NIGHT, "2026-11-21T03:00+01:00", "2026-11-21T08:00+01:00"),
        # Nights with a clock change are an hour shorter or longer.
        (BERLIN, NIGHT, "2026-03-28T22:00+01:00", "2026-03-29T08:00+02:00"),
        (BERLIN, NIGHT, "2026-10-24T22:00+02:00", "2026-10-25T08:00+01:00"),
        # The end is in the gap: quiet hours end when the clock jumps over it.
        (BERLIN, TRICKY[1], "2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00"),
        # The end occurs twice: quiet hours end at the first, and are quiet again in the repeated
        # part.
        (BERLIN, TRICKY[1], "2026-10-25T01:00+02:00", "2026-10-25T02:30+02:00"),
        (BERLIN, TRICKY[1], "2026-10-25T02:10+01:00", "2026-10-25T02:30+01:00"),
        # The only time that is not quiet is in the gap: a day later.
        (BERLIN, TRICKY[3], "2026-03-28T12:00+01:00", "2026-03-30T02:00+02:00"),
        # Summer time of half an hour.
        (LORD_HOWE, TO_QUARTER_PAST, "2026-10-04T01:00+10:30", "2026-10-04T02:30+11:00"),
        (LORD_HOWE, TO_QUARTER_TO, "2026-04-05T01:35+10:30", "2026-04-05T01:45+10:30"),
        # Skipped days.
        (APIA, NIGHT, "2011-12-29T22:00-10:00", "2011-12-31T08:00+14:00"),
        (KWAJALEIN, NIGHT, "1993-08-20T22:00-12:00", "1993-08-22T08:00+12:00"),
    ],
)
def test_a_held_message_may_go_when_quiet_hours_end(
    tz: ZoneInfo, quiet: QuietHours, asked: str, allowed: str
) -> None:
    assert quiet.next_allowed(datetime.fromisoformat(asked), tz) == datetime.fromisoformat(allowed)


@pytest.mark.spec("FD-12")
def test_around_every_clock_change_of_every_zone_nothing_is_sent_too_early_or_too_late() -> None:
    """Uses steps of 53 minutes, so that all quiet hours meet all parts of the day."""
    tricky = cycle(TRICKY)
    for tz, day in changes():
        for step in range(-42, 28):
            assert_just_right(next(tricky), day + 53 * step * MINUTE, tz)


@pytest.mark.spec("FD-12")
@given(quiet_hours, st.sampled_from(changes()), st.integers(-4320, 2880))
def test_any_quiet_hours_hold_for_their_whole_stretch_and_no_longer(
    quiet: QuietHours, change: tuple[ZoneInfo, datetime], minutes: int
) -> None:
    tz, day = change
    at = day + minutes * MINUTE

    allowed = assert_just_right(quiet, at, tz)

    held = range(0, int((allowed - at) / MINUTE), 13)
    assert all(quiet.is_quiet(at + step * MINUTE, tz) for step in held)


def assert_just_right(quiet: QuietHours, at: datetime, tz: ZoneInfo) -> datetime:
    allowed = quiet.next_allowed(at, tz)
    assert allowed >= at, (quiet, at, tz)
    assert not quiet.is_quiet(allowed, tz), (quiet, at, tz)
    assert allowed == at or quiet.is_quiet(allowed - MINUTE, tz), (quiet, at, tz)
    assert quiet.next_allowed(allowed, tz) == allowed, (quiet, at, tz)
    return allowed
