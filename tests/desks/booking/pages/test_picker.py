"""The view models of times: the parts of a day, a month, a week, and labels in other zones."""

from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.pages.addresses import Address
from frontdesk.desks.booking.pages.picker import (
    TimeChoice,
    TimeGroup,
    Zones,
    day_view,
    instant_text,
    month_view,
    next_month,
    time_choice,
    time_text,
    week_start,
    week_view,
)
from frontdesk.desks.booking.rules import BookingRules, PartOfDay, Period

SINGAPORE = Zones(zone("Asia/Singapore"), zone("Asia/Singapore"))
#: Tuesday 17 November 2026, 09:00 in Singapore.
NOW = datetime(2026, 11, 17, 1, tzinfo=UTC)
TODAY = date(2026, 11, 17)
PAGE = Address("/book/cut")
LAST = date(2027, 1, 16)


def at(hour: int, minute: int = 0, *, on: date = date(2026, 11, 24)) -> datetime:
    """Returns the instant of a wall time in Singapore."""
    local = datetime(on.year, on.month, on.day, hour, minute, tzinfo=zone("Asia/Singapore"))
    return local.astimezone(UTC)


# --- labels -----------------------------------------------------------------------------------


def test_a_time_is_written_with_weekday_and_zone() -> None:
    assert time_text(at(10, 15), SINGAPORE, NOW) == "Tuesday 24 November, 10:15 (SGT)"
    next_year = at(10, 15, on=date(2027, 1, 5))
    assert time_text(next_year, SINGAPORE, NOW) == "Tuesday 5 January 2027, 10:15 (SGT)"


def test_a_button_carries_the_instant() -> None:
    assert time_choice(at(10, 15), SINGAPORE, NOW) == TimeChoice(
        value="2026-11-24T02:15Z", clock="10:15", day="Tue 24 Nov"
    )


@pytest.mark.spec("BK-09")
def test_the_visitors_zone_changes_labels_only() -> None:
    from_new_york = Zones(zone("Asia/Singapore"), zone("America/New_York"))
    early = at(9, 0)

    here, there = (time_choice(early, zones, NOW) for zones in (SINGAPORE, from_new_york))

    assert (here.value, here.clock, here.note) == ("2026-11-24T01:00Z", "09:00", "")
    assert (there.value, there.clock, there.note) == ("2026-11-24T01:00Z", "20:00", "Mon")
    assert from_new_york.on(early) == SINGAPORE.on(early) == date(2026, 11, 24)


@pytest.mark.spec("BK-09")
def test_both_hours_of_a_clock_change_stay_two_instants_and_name_their_zone() -> None:
    berlin = Zones(zone("Europe/Berlin"), zone("Europe/Berlin"))
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    second = first + timedelta(hours=1)

    choices = [time_choice(each, berlin, NOW) for each in (first, second)]
    later = time_choice(first + timedelta(hours=2), berlin, NOW)

    assert [one.clock for one in choices] == ["02:30", "02:30"]
    assert [one.note for one in (*choices, later)] == ["CEST", "CET", ""]
    assert [one.value for one in choices] == ["2026-10-25T00:30Z", "2026-10-25T01:30Z"]
    assert time_text(first, berlin, first).endswith("02:30 (CEST)")
    assert time_text(second, berlin, first).endswith("02:30 (CET)")


# --- a day ------------------------------------------------------------------------------------


def clocks(part: TimeGroup) -> tuple[str, list[str]]:
    return part.name, [time.clock for time in part.times]


@pytest.mark.spec("BK-19")
def test_the_times_of_a_day_are_grouped_by_part_of_the_day() -> None:
    starts = [at(9), at(11, 45), at(12), at(16, 45), at(17), at(20)]

    view = day_view(date(2026, 11, 24), starts, SINGAPORE, BookingRules(), NOW)

    assert (view.title, view.count) == ("Tuesday 24 November", "6 times")
    assert list(map(clocks, view.parts)) == [
        ("Morning", ["09:00", "11:45"]),
        ("Afternoon", ["12:00", "16:45"]),
        ("Evening", ["17:00", "20:00"]),
    ]


def test_the_rules_say_when_the_morning_ends() -> None:
    rules = BookingRules(parts_of_day=(PartOfDay("morning", Period(6 * 60, 10 * 60)),))

    view = day_view(date(2026, 11, 24), [at(9), at(10)], SINGAPORE, rules, NOW)

    assert list(map(clocks, view.parts)) == [("Morning", ["09:00"]), ("Afternoon", ["10:00"])]


# --- a month ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-34")
def test_days_without_times_cannot_be_picked() -> None:
    month = month_view(
        date(2026, 11, 1),
        {date(2026, 11, 24): 3, date(2026, 11, 28): 1},
        PAGE,
        selected=date(2026, 11, 24),
        today=TODAY,
        last_on=LAST,
    )

    cells = [cell for week in month.weeks for cell in week if cell]
    assert {cell.label: cell.url for cell in cells if cell.url} == {
        "Tuesday 24 November, 3 times": "/book/cut?day=2026-11-24#times",
        "Saturday 28 November, 1 time": "/book/cut?day=2026-11-28#times",
    }
    assert [cell.number for cell in cells if cell.is_selected] == [24]
    assert [cell.number for cell in cells if cell.is_today] == [17]


def test_a_month_has_whole_weeks_and_leaves_out_those_that_are_over() -> None:
    month = month_view(date(2026, 11, 1), {}, PAGE, selected=None, today=TODAY, last_on=LAST)

    assert all(len(week) == 7 for week in month.weeks)
    first = month.weeks[0][0]
    assert first is not None
    assert (month.title, first.number) == ("November 2026", 16)


def test_the_pager_leads_only_to_months_that_can_be_booked() -> None:
    def turns(first_on: date) -> tuple[str, str]:
        view = month_view(first_on, {}, PAGE, selected=None, today=TODAY, last_on=LAST)
        return view.previous_url, view.next_url

    assert turns(date(2026, 11, 1)) == ("", "/book/cut?from=2026-12-01#days")
    assert turns(date(2027, 1, 1)) == ("/book/cut?from=2026-12-01#days", "")


def test_december_is_followed_by_january() -> None:
    assert next_month(date(2026, 12, 31)) == date(2027, 1, 1)


# --- a week -----------------------------------------------------------------------------------


@pytest.mark.spec("BK-19")
def test_a_week_shows_some_times_of_each_day_and_leads_to_all() -> None:
    monday = date(2026, 11, 23)
    days = [monday + timedelta(days=n) for n in range(7)]
    starts = [[at(9, 15 * n % 60, on=on) for n in range(3)] for on in days]
    starts[1] = [at(9 + n // 4, 15 * (n % 4), on=days[1]) for n in range(20)]
    starts[6] = []

    view = week_view(monday, starts, PAGE, SINGAPORE, NOW, last_on=LAST)

    assert view.title == "23 to 29 November"
    tuesday, sunday = view.days[1], view.days[6]
    assert (tuesday.title, tuesday.label) == ("Tue 24 November", "Tuesday 24 November")
    assert [tuesday.times[0].clock, tuesday.times[-1].clock] == ["09:00", "13:45"]
    assert (len(tuesday.times), tuesday.more) == (6, "All 20 times")
    assert tuesday.url == "/book/cut?day=2026-11-24#times"
    assert (sunday.times, sunday.more) == ((), "")


def test_days_that_are_over_are_not_in_the_week() -> None:
    view = week_view(week_start(TODAY), [[]] * 7, PAGE, SINGAPORE, NOW, last_on=LAST)

    assert view.days[0].iso == "2026-11-17"
    assert (view.previous_url, view.next_url) == ("", "/book/cut?from=2026-11-23#days")


def test_a_week_over_two_months_names_both() -> None:
    view = week_view(date(2026, 11, 30), [[]] * 7, PAGE, SINGAPORE, NOW, last_on=LAST)

    assert view.title == "30 November to 6 December"


def test_an_instant_is_text_in_utc() -> None:
    assert instant_text(at(10, 15)) == "2026-11-24T02:15Z"
