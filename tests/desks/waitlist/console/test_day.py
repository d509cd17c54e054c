"""A day's story: whatever happened to any slot, in order and to the second."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist.commands import ClaimOffer
from frontdesk.desks.waitlist.console.day import asked_for
from frontdesk.desks.waitlist.story import day_story
from tests.desks.waitlist.console.counter import BOARD, claims, declines, owner, url_of
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, TODAY, WISH, Salon

DAY = f"{BOARD}/day"
TRIED = "It was offered to 1 person, and nobody else on the list suits it."
SINGAPORE = zone("Asia/Singapore")


def told(salon: Salon, on: date) -> list[tuple[str, str]]:
    lines = day_story(salon.product.engine.reads(), on, SINGAPORE)
    return [(f"{line.at - NINE}", line.text) for line in lines]


@pytest.mark.spec("WL-22")
def test_a_busy_day_is_told_in_order_over_all_slots(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Tom", wish=replace(WISH, service="Table", party=4))
    cut = salon.frees("test:1")
    salon.later(MINUTE / 30)
    table = salon.frees("opening:2", replace(OPENING, service="Table", capacity=4, staff=""))
    salon.later(MINUTE / 60)
    claims(salon, cut)
    declines(salon, table)

    assert told(salon, TODAY) == [
        ("0:02:00", "Came free: Cut with Mia, Monday 16 November, 15:00 (SGT)."),
        ("0:02:00", "It is held for Ann, who is first."),
        ("0:02:00", "The offer to Ann goes out, open until 09:12:00."),
        ("0:02:02", "Came free: Table, Monday 16 November, 15:00 (SGT). It is a new opening."),
        ("0:02:02", "It is held for Tom, who is first."),
        ("0:02:02", "The offer to Tom goes out, open until 09:12:02."),
        ("0:02:03", "Ann claimed it: booked."),
        ("0:02:03", "Tom can't make it."),
        ("0:02:03", f"It was handed back. {TRIED}"),
    ]


@pytest.mark.spec("WL-22")
def test_a_click_days_after_is_told_on_its_own_day(salon: Salon) -> None:
    salon.joins("Ann")
    slot = salon.frees()
    declines(salon, slot)
    salon.later(timedelta(days=9))
    salon.product.engine.run(ClaimOffer(slot.id, 1), by="guest:x", now=salon.clock.now())

    later = TODAY + timedelta(days=9)
    assert told(salon, later) == [
        ("9 days, 0:01:00", "Ann wanted to claim it, but it had been handed back.")
    ]
    assert told(salon, TODAY + timedelta(days=1)) == []
    assert len(told(salon, TODAY)) == 5


def test_a_day_is_one_of_the_wall_clock(salon: Salon) -> None:
    salon.joins("Ann")
    salon.later(14 * HOUR + 59 * MINUTE - (salon.clock.now() - NINE))
    salon.frees("test:1", replace(OPENING, starts_at=NINE + 60 * HOUR))
    salon.later(2 * MINUTE)
    salon.frees("test:2", replace(OPENING, starts_at=NINE + 61 * HOUR))

    assert [at for at, _ in told(salon, TODAY)] == ["14:59:00", "14:59:00"]
    assert told(salon, TODAY + timedelta(days=1))[0][0] == "15:01:00"


@pytest.mark.spec("WL-22")
def test_the_page_has_the_times_and_leads_to_slots_people_and_other_days(salon: Salon) -> None:
    entry = salon.wl.entry(salon.joins("Ann"))
    assert entry is not None
    slot = salon.frees("phone:1")
    page = owner(salon).get(DAY)

    assert "Monday 16 November 2026, times in SGT. 3 things happened to 1 slot." in page.says
    assert "The offer to Ann goes out, open until 09:11:00. 09:01:00 Cut with Mia" in page.says
    assert f'href="{url_of(slot)}">Cut with Mia, Mon 16 Nov, 15:00</a>' in page.text
    assert f'href="/console/people/{entry.person_id}">Ann</a>' in page.text
    assert f'href="{DAY}?on=2026-11-15"' in page.text
    assert f'href="{DAY}?on=2026-11-17"' not in page.text

    before = owner(salon).get(f"{DAY}?on=2026-11-15")
    assert "Sunday 15 November 2026, times in SGT. Nothing happened." in before.says
    assert f'href="{DAY}?on=2026-11-16"' in before.text


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-11-17", "9999-12-31", "²"])
def test_what_is_no_day_or_still_to_come_is_today(text: str) -> None:
    assert asked_for(text, TODAY) == TODAY
