"""The format of times in the console."""

from datetime import UTC, date, datetime

from frontdesk.core.localtime import zone
from frontdesk.web.console.formatting import exact_time, relative_time, short_date, short_time

SINGAPORE = zone("Asia/Singapore")
AT = datetime(2026, 11, 16, 16, 4, 9, tzinfo=UTC)


def test_days_and_times_are_short_and_local() -> None:
    assert short_date(date(2026, 3, 5)) == "Thu 5 Mar"
    assert short_time(AT, SINGAPORE) == "Tue 17 Nov, 00:04"
    assert exact_time(AT, SINGAPORE) == "Tue 17 Nov, 00:04:09"
    assert short_time(None, SINGAPORE) == ""


def test_a_time_is_named_relative_to_today() -> None:
    assert relative_time(AT, AT, SINGAPORE) == "today, 00:04"
    assert relative_time(AT, AT.replace(day=20), SINGAPORE) == "Tue 17 Nov, 00:04"
    assert relative_time(AT, AT.replace(year=2027), SINGAPORE) == "Tue 17 Nov 2026, 00:04"
