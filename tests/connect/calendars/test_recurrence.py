"""Repeating events: the examples of RFC 5545, and a comparison of random rules with another
library."""

# ruff: noqa: DTZ001 - rules are about wall times

import datetime as stdlib_datetime
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from dateutil import rrule as dateutil  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.calendars.recurrence import (
    BadRule,
    Budget,
    TooManyRepeats,
    occurrences,
    parse_rule,
)

NINE = datetime(1997, 9, 2, 9)
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def dates(
    rule: str,
    starts: datetime = NINE,
    after: datetime = datetime(1990, 1, 1),
    before: datetime = datetime(2000, 1, 1),
    steps: int = 1_000_000,
) -> list[datetime]:
    read = parse_rule(rule, lambda utc: utc)
    return list(occurrences(read, starts, after=after, before=before, budget=Budget(steps)))


def on(*days: str) -> list[datetime]:
    return [datetime.fromisoformat(day) + timedelta(hours=9) for day in days]


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    ("rule", "starts", "expected"),
    [
        ("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02",
         "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09-02",
         "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05",
         "1997-08-05 1997-08-10 1997-08-19 1997-08-24"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05",
         "1997-08-05 1997-08-17 1997-08-19 1997-08-31"),
        ("FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU", "1997-09-07",
         "1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25"),
        ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22",
         "1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16"),
        ("FREQ=MONTHLY;COUNT=4;BYMONTHDAY=-3", "1997-09-28",
         "1997-09-28 1997-10-29 1997-11-28 1997-12-29"),
        ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04",
         "1997-09-04 1997-10-07 1997-11-06"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4", "1997-09-29",
         "1997-09-29 1997-10-30 1997-11-27 1997-12-30"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "1997-09-02",
         "1998-02-13 1998-03-13 1998-11-13"),
        ("FREQ=YEARLY;COUNT=4;BYMONTH=6,7", "1997-06-10",
         "1997-06-10 1997-07-10 1998-06-10 1998-07-10"),
        ("FREQ=YEARLY;BYDAY=20MO;COUNT=2", "1997-05-19", "1997-05-19 1998-05-18"),
        ("FREQ=YEARLY;COUNT=3;INTERVAL=1;BYYEARDAY=1,100", "1997-01-01",
         "1997-01-01 1997-04-10 1998-01-01"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=3", "1999-01-15", "1999-01-15 1999-01-30 1999-02-15"),
        ("FREQ=DAILY;UNTIL=19970904T090000", "1997-09-02", "1997-09-02 1997-09-03 1997-09-04"),
        ("FREQ=DAILY;UNTIL=19970904", "1997-09-02", "1997-09-02 1997-09-03 1997-09-04"),
    ],
)  # fmt: skip
def test_the_examples_of_the_standard_give_its_dates(rule: str, starts: str, expected: str) -> None:
    assert dates(rule, on(starts)[0]) == on(*expected.split())


def test_a_time_of_day_in_the_rule_replaces_that_of_the_first_event() -> None:
    assert dates("FREQ=DAILY;COUNT=4;BYHOUR=9,14;BYMINUTE=0,30") == [
        datetime(1997, 9, 2, *at) for at in ((9, 0), (9, 30), (14, 0), (14, 30))
    ]


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    "rule",
    [
        "", "FREQ", "FREQ=", "FREQ=HOURLY", "FREQ=SECONDLY;COUNT=999999999", "INTERVAL=2",
        "FREQ=DAILY;FREQ=WEEKLY", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=-1", "FREQ=DAILY;COUNT=many", "FREQ=DAILY;UNTIL=soon",
        "FREQ=DAILY;UNTIL=20261399", "FREQ=YEARLY;BYMONTH=13", "FREQ=YEARLY;BYMONTH=-1",
        "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=1MO", "FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=DAILY;BYYEARDAY=1",
        "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYEASTER=0", "FREQ=MONTHLY;BYDAY=54MO",
        "FREQ=DAILY;WKST=1", "RSCALE=CHINESE;FREQ=YEARLY", "FREQ=YEARLY;SKIP=FORWARD",
        "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYHOUR=" + "1," * 500 + "1", "FREQ=DAILY;" + "X" * 3000,
    ],
)  # fmt: skip
def test_a_rule_that_is_not_understood_completely_is_refused(rule: str) -> None:
    with pytest.raises(BadRule):
        parse_rule(rule, lambda utc: utc)


@st.composite
def rules(draw: Any) -> str:
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    long = frequency in ("MONTHLY", "YEARLY")
    days = st.sampled_from(DAYS)
    numbered = st.builds("{}{}".format, st.sampled_from([1, 2, 3, 4, 5, -1, -2]), days)
    month_days = st.sampled_from([1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -31])
    parts = {
        "INTERVAL": st.integers(1, 9),
        "BYMONTH": _few(st.integers(1, 12)),
        "BYDAY": _few(numbered if long and draw(st.booleans()) else days),
        "WKST": days,
        "BYHOUR": _few(st.integers(0, 23)),
    }
    if frequency != "WEEKLY":  # dateutil counts positions in the first week from the first event
        parts["BYMONTHDAY"] = _few(month_days)
        parts["BYSETPOS"] = _few(st.sampled_from([1, 2, 3, -1, -2]))
    chosen = draw(st.sets(st.sampled_from(sorted(parts)), max_size=4))
    end = draw(st.sampled_from(["", "COUNT=1", "COUNT=7", "COUNT=60", "UNTIL=20230517T120000"]))
    written = [f"{name}={draw(parts[name])}" for name in sorted(chosen)]
    return ";".join([f"FREQ={frequency}", *written, *filter(None, [end])])


def _few(each: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    return st.lists(each, min_size=1, max_size=3).map(lambda some: ",".join(map(str, some)))


@pytest.fixture(autouse=True, scope="module")
def _dateutil_stops_early() -> Iterator[None]:
    """Stops dateutil early: a rule without dates would keep it busy up to the year 9999."""
    with pytest.MonkeyPatch.context() as patch:
        short = SimpleNamespace(**{**vars(stdlib_datetime), "MAXYEAR": 2032})
        patch.setattr(dateutil, "datetime", short)
        yield


@pytest.mark.spec("BK-26")
@settings(max_examples=300, deadline=None)
@given(rules(), st.integers(0, 1_500), st.integers(0, 2_500), st.integers(1, 700))
def test_another_library_gives_the_same_dates(
    rule: str, first_day: int, after_days: int, days: int
) -> None:
    starts = datetime(2019, 1, 1, 9, 30) + timedelta(days=first_day)
    after = datetime(2020, 1, 1) + timedelta(days=after_days)
    before = after + timedelta(days=days)

    expected = dateutil.rrulestr(rule, dtstart=starts).between(after, before, inc=True)

    assert dates(rule, starts, after, before) == [each for each in expected if each < before]


@pytest.mark.spec("BK-26")
@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("FREQ=DAILY", 90),
        ("FREQ=DAILY;COUNT=1000000000", 90),
        ("FREQ=WEEKLY;COUNT=999999999;BYDAY=MO,TU,WE,TH,FR", 64),
        ("FREQ=DAILY;INTERVAL=1000000000", 0),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 0),
        ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4", 0),
    ],
)
def test_a_rule_of_centuries_costs_no_more_than_its_window(rule: str, found: int) -> None:
    span = {"after": datetime(2026, 1, 1), "before": datetime(2026, 4, 1)}

    assert len(dates(rule, datetime(1604, 1, 1), **span, steps=900)) == found


def test_work_beyond_the_budget_stops() -> None:
    began = time.process_time()
    with pytest.raises(TooManyRepeats):
        dates("FREQ=DAILY;COUNT=3000", steps=1_000)
    assert time.process_time() - began < 1
