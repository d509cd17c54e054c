"""The figures of a month on the page are those of the summary that owners get."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from frontdesk.desks.waitlist.console.figures import asked_for, month_after, month_before
from frontdesk.values import replace
from tests.desks.waitlist.console.counter import BOARD, claims, declines, owner
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, WISH, Salon

FIGURES = f"{BOARD}/figures"


@pytest.mark.spec("WL-25")
def test_a_month_says_what_came_free_was_filled_how_fast_and_what_it_brought(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Kim", wish=replace(WISH, service="Cut and colour"))
    cut = salon.frees("test:1")
    colour = replace(
        OPENING, service="Cut and colour", starts_at=NINE + 26 * HOUR, price_cents=12_000
    )
    other = salon.frees("test:2", colour)
    salon.frees("test:3", replace(OPENING, service="Table", starts_at=NINE + 7 * HOUR))
    salon.later(4 * MINUTE)
    claims(salon, cut)
    declines(salon, other)
    page = owner(salon).get(f"{FIGURES}?month=2026-11")

    assert "In November 2026 the list filled 1 of 3 slots that came free." in page.says
    stats = "Came free 3 Filled 1 33 % of them Time to fill 4 min on average"
    assert f"{stats} Recovered S$45.00 Offers for each 0.7 2 in all" in page.says
    assert "Cut 1 1 4 min S$45.00 Cut and colour 1 0 – – Table 1 0 – –" in page.says
    assert "Filled by service Cut 1 of 1 Cut and colour 0 of 1 Table 0 of 1" in page.says
    assert "Monday 2 1 Tuesday 1 0 Wednesday 0 0" in page.says
    assert "11:00 1 0 12:00 0 0 13:00 0 0 14:00 0 0 15:00 1 1 16:00 1 0" in page.says


def test_other_months_are_a_link_away_and_none_lies_in_the_future(salon: Salon) -> None:
    salon.frees()
    staff = owner(salon)
    now = staff.get(FIGURES)
    assert f'href="{FIGURES}?month=2026-10"' in now.text
    assert "month=2026-12" not in now.text

    before = staff.get(f"{FIGURES}?month=2026-10")
    assert "Nothing came free in October 2026, so there was nothing to fill." in before.says
    assert "No figures for this month" in before.says
    assert f'href="{FIGURES}?month=2026-11"' in before.text


def test_a_slot_counts_in_the_month_in_which_it_came_free_by_the_clock_on_the_wall(
    salon: Salon,
) -> None:
    salon.joins("Ann", wish=replace(WISH, latest_on=date(2027, 1, 31)))
    midnight = NINE + timedelta(days=14, hours=15)
    salon.later(midnight - MINUTE - salon.clock.now())
    salon.frees("test:1", replace(OPENING, starts_at=midnight + 30 * HOUR))
    salon.later(2 * MINUTE)
    salon.frees("test:2", replace(OPENING, starts_at=midnight + 31 * HOUR))
    staff = owner(salon)

    for month, name in (("2026-11", "November"), ("2026-12", "December")):
        says = staff.get(f"{FIGURES}?month={month}").says
        assert f"In {name} 2026 the list filled 0 of 1 slot that came free." in says


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("text", ["", "november", "2026-13", "2026-12", "9999-12", "2026-1²"])
def test_an_invalid_or_future_month_shows_this_month(text: str) -> None:
    assert asked_for(text, date(2026, 11, 1)) == date(2026, 11, 1)


def test_months_follow_each_other() -> None:
    month = date(2027, 1, 1)
    assert (month_before(month), month_after(month)) == (date(2026, 12, 1), date(2027, 2, 1))
    assert month_after(date(2026, 12, 1)) == month
