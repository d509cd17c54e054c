"""The page opens on the first day that has times, and says what the search found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.pages.addresses import Address
from frontdesk.desks.booking.pages.board import (
    Board,
    PageAnswer,
    ShownDays,
    board,
    sentence_answer,
    taken_answer,
    usual_answer,
)
from frontdesk.desks.booking.pages.picker import TimeChoice, Zones, time_choice
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.times import FreeTime
from frontdesk.values import Frozen

ZONES = Zones(zone("Asia/Singapore"), zone("Asia/Singapore"))
NOW = datetime(2026, 11, 17, 1, tzinfo=UTC)
TODAY, LAST = date(2026, 11, 17), date(2027, 1, 16)
PAGE = Address("/book/cut", {"zone": ""})
TEN = TimeChoice("2026-11-24T02:00Z", "10:00", "Tue 24 November")


class Free(Frozen):
    """Free times, one an hour from nine, as many as each day has."""

    number: Mapping[date, int]

    def counts(self) -> Mapping[date, int]:
        return self.number

    def on(self, day: date) -> Sequence[FreeTime]:
        nine = datetime(day.year, day.month, day.day, 1, tzinfo=UTC)
        hours = (nine + timedelta(hours=n) for n in range(self.number.get(day, 0)))
        return [FreeTime(each, ()) for each in hours]


FREE = Free({date(2026, 11, 20): 2, date(2026, 11, 24): 3, date(2026, 12, 8): 1})


def seen(shown: ShownDays, free: Free = FREE) -> Board | None:
    return board(shown, free, PAGE, ZONES, BookingRules(), NOW, last_on=LAST)


def opens_on(shown: ShownDays) -> tuple[str, str]:
    found = seen(shown)
    assert found is not None
    assert found.month is not None
    assert found.day is not None
    return found.month.title, found.day.iso


@pytest.mark.spec("BK-34")
def test_it_opens_on_the_first_day_that_has_times() -> None:
    assert opens_on(ShownDays()) == ("November 2026", "2026-11-20")


def test_it_opens_on_the_day_that_the_address_names() -> None:
    assert opens_on(ShownDays(day=date(2026, 11, 24))) == ("November 2026", "2026-11-24")


def test_a_named_day_without_times_leads_to_the_next_one_and_says_so() -> None:
    found = seen(ShownDays(day=date(2026, 11, 25)))

    assert found is not None
    assert found.month is not None
    assert found.day is not None
    assert (found.month.title, found.day.iso) == ("December 2026", "2026-12-08")
    assert found.note == (
        "Nothing is free on Wednesday 25 November. This is the next day with times."
    )


def test_a_day_after_all_times_leads_back_to_the_first() -> None:
    assert opens_on(ShownDays(day=date(2027, 1, 10))) == ("November 2026", "2026-11-20")


def test_a_month_that_one_turns_to_opens_on_its_own_first_day() -> None:
    assert opens_on(ShownDays(first_on=date(2026, 12, 1))) == ("December 2026", "2026-12-08")


def test_a_month_without_times_is_shown_empty() -> None:
    found = seen(ShownDays(first_on=date(2027, 1, 1)))

    assert found is not None
    assert found.month is not None
    assert found.day is not None
    assert (found.month.title, found.day.parts) == ("January 2027", ())


def test_the_week_is_that_of_the_first_day_with_times() -> None:
    found = seen(ShownDays(by_week=True))

    assert found is not None
    assert found.week is not None
    assert (found.week.title, found.month) == ("16 to 22 November", None)
    assert [(day.iso, len(day.times)) for day in found.week.days if day.times] == [
        ("2026-11-20", 2)
    ]


def test_month_and_week_lead_to_each_other_on_the_same_day() -> None:
    by_month, by_week = seen(ShownDays()), seen(ShownDays(by_week=True))

    assert by_month is not None
    assert by_week is not None
    assert by_month.views == (
        ("Month", "/book/cut?day=2026-11-20#days", True),
        ("Week", "/book/cut?view=week&day=2026-11-20#days", False),
    )
    assert [each[1] for each in by_week.views] == [each[1] for each in by_month.views]


def test_without_any_times_there_is_no_calendar() -> None:
    assert seen(ShownDays(), Free({})) is None


@pytest.mark.parametrize(
    ("shown", "until"),
    [
        (ShownDays(), date(2026, 12, 22)),
        (ShownDays(day=date(2026, 12, 2)), date(2027, 1, 6)),
        (ShownDays(first_on=date(2027, 1, 1)), LAST),
        (ShownDays(day=date(9999, 12, 31)), LAST),
    ],
)
def test_no_more_days_are_searched_than_are_looked_at(shown: ShownDays, until: date) -> None:
    assert shown.searched_until(TODAY, LAST) == until


# --- the sentence about the search ------------------------------------------------------------


@pytest.mark.spec("BK-34")
def test_the_page_starts_with_the_next_free_time() -> None:
    starts_at = datetime(2026, 11, 24, 2, 15, tzinfo=UTC)

    title, first = "Next free: Tuesday 24 November, 10:15 (SGT)", time_choice(starts_at, ZONES, NOW)

    assert usual_answer(starts_at, (first, TEN), ZONES, NOW) == PageAnswer(
        title=title, best=(first, TEN)
    )
    assert usual_answer(starts_at, (TEN,), ZONES, NOW) == PageAnswer(
        title="Suggested times", text=title, best=(TEN,)
    )
    assert usual_answer(None, (), ZONES, NOW) == PageAnswer(
        title="No times are free online right now."
    )


def test_a_time_that_was_taken_meanwhile_is_answered_with_the_next_best_ones() -> None:
    title = "This one was just taken."
    text = "These are the next best times."

    assert taken_answer((TEN,), typed=False) == PageAnswer(title=title, text=text, best=(TEN,))
    past = taken_answer((TEN,), typed=False, is_past=True)
    assert (past.title, past.text) == ("This time has passed.", text)
    assert taken_answer((), typed=True).text == "No other time is free online."
    assert taken_answer((TEN,), typed=True).text == f"{text} What you typed is kept."


def test_a_sentence_is_answered_in_our_words() -> None:
    wish = "Tuesday 24 November, from 17:00"
    suited = sentence_answer(wish, (TEN,), suits=True, sentence="Tuesday after 5")
    near = sentence_answer(wish, (TEN,), suits=False, sentence="Tuesday after 5")
    unread = sentence_answer("", (TEN,), suits=False, sentence="abracadabra")

    assert (suited.title, suited.text) == (wish, "This time is free:")
    assert (near.title, near.text) == ("Nothing is free then.", f"{wish}. The closest times:")
    assert "“abracadabra”" in unread.text
