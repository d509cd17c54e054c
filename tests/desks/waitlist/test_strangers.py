"""A stranger who first joined with somebody's address and their own number gets none of the texts
of the entries that the person behind the address makes later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.desks.waitlist.commands import CancelBooking, EditEntry
from frontdesk.desks.waitlist.model import Entry, EntryId, Lane, SlotId, Wish
from frontdesk.desks.waitlist.replay import entry_differs
from frontdesk.values import replace
from tests.support.salon import OPENING, WISH, Salon
from tests.support.salon import salon as open_salon

#: The number that a stranger types beside Ann's address.
STRANGE, ANNS = "+6591234567", "+6598765432"
ANN = "ann@example.org"
COLOUR = replace(WISH, service="Cut and colour")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as one:
        typed(one, COLOUR, STRANGE)
        yield one


def typed(shop: Salon, wish: Wish, mobile: str = "") -> None:
    """Somebody fills in the form with Ann's address."""
    days = {"earliest": wish.earliest_on.isoformat(), "latest": wish.latest_on.isoformat()}
    shop.visitor.post(
        "/waitlist", name="Ann", service=wish.service, email=ANN, mobile=mobile, **days
    )
    shop.settle()


def entry_for(shop: Salon, service: str = "Cut") -> Entry:
    [found] = [one for one in shop.wl.entries(limit=9) if one.service == service]
    assert list(entry_differs(found, shop.wl.facts_about(found.id))) == []
    return found


def texts(shop: Salon) -> int:
    return len(shop.messages(STRANGE))


def edit(shop: Salon, one: Entry, mobile: str, wish: Wish) -> None:
    new_id = EntryId(shop.product.engine.new_id())
    shop.run(EditEntry(one.id, new_id, "Ann", ANN, mobile, wish, joined_at=one.joined_at))
    shop.settle()


@pytest.mark.spec("FD-11", "WL-14")
@pytest.mark.parametrize("mobile", ["", ANNS], ids=["no number", "another number"])
@pytest.mark.parametrize("lane", [Lane.FORM, Lane.INBOX])
def test_offers_and_all_else_about_a_later_entry_go_to_the_address(
    shop: Salon, lane: Lane, mobile: str
) -> None:
    assert texts(shop) == 1, "the stranger's own entry"

    joined = shop.joins("Ann", email=ANN, mobile=mobile, lane=lane)
    slot = shop.frees()
    shop.visitor.post(shop.last_link(ANN), do="take")
    shop.settle()
    assert shop.status(joined) == "booked"
    new_id = SlotId(shop.product.engine.new_id())
    shop.run(CancelBooking(slot.id, joined, new_id))
    shop.settle()

    subjects = [each["subject"] for each in shop.messages(ANN)]
    assert {"Booked", "Cancelled"} <= {each.partition(":")[0] for each in subjects}
    assert any("yours until" in each for each in subjects)
    assert texts(shop) == 1
    assert shop.messages(ANNS) == []
    assert entry_for(shop).mail_only


@pytest.mark.spec("FD-11", "WL-05")
def test_the_page_of_their_place_does_not_say_that_offers_go_by_text(shop: Salon) -> None:
    typed(shop, WISH)

    page = shop.visitor.get(shop.last_link(ANN))

    assert page.heading == "You're first in line for Cut."
    assert "Offers go by text" not in page.says


@pytest.mark.spec("FD-11", "WL-14")
def test_who_types_the_same_number_gets_texts(shop: Salon) -> None:
    typed(shop, WISH, STRANGE)
    page = shop.visitor.get(shop.last_link(STRANGE))
    shop.frees()

    assert "Offers go by text" in page.says
    assert not entry_for(shop).mail_only
    assert texts(shop) == 3


@pytest.mark.spec("FD-11", "WL-14")
@pytest.mark.parametrize("lane", [Lane.STAFF, Lane.SHEET])
def test_entries_of_staff_use_the_number_that_is_known(shop: Salon, lane: Lane) -> None:
    shop.joins("Ann", email=ANN, lane=lane)
    shop.frees()

    assert not entry_for(shop).mail_only
    assert texts(shop) == 2


@pytest.mark.spec("FD-11")
def test_a_person_without_an_address_gets_texts(tmp_path: Path) -> None:
    with open_salon(tmp_path) as shop:
        shop.joins("Ann", email="", mobile=STRANGE, wish=COLOUR, lane=Lane.FORM)
        shop.joins("Ann", email="", mobile=STRANGE, lane=Lane.FORM)
        shop.frees()

        assert not entry_for(shop).mail_only
        assert texts(shop) == 3


@pytest.mark.spec("FD-11", "WL-04")
def test_a_mail_about_a_waiting_entry_neither_frees_nor_keeps_its_texts(shop: Salon) -> None:
    """The stranger's entry, for which the person behind the address asks by mail; and a mail with
    the stranger's number about the entry of that person: a mail does not prove its sender."""
    later = replace(COLOUR, staff="Mia")
    shop.joins("Ann", email=ANN, wish=later, lane=Lane.INBOX)
    assert entry_for(shop, COLOUR.service).mail_only

    shop.joins("Ann", email=ANN, mobile=STRANGE, wish=COLOUR, lane=Lane.INBOX)

    assert entry_for(shop, COLOUR.service).mail_only


@pytest.mark.spec("FD-11", "WL-05")
def test_staff_confirm_the_number_by_another_one_or_by_giving_it(shop: Salon) -> None:
    typed(shop, WISH)
    one = entry_for(shop)
    edit(shop, one, STRANGE, replace(WISH, staff="Mia"))
    assert entry_for(shop).mail_only, "only the wish was edited"

    edit(shop, entry_for(shop), ANNS, WISH)
    assert not entry_for(shop).mail_only
    shop.frees(opening=OPENING)
    assert len(shop.messages(ANNS)) == 1

    typed(shop, replace(WISH, service="Table"))
    table = entry_for(shop, "Table")
    assert table.mail_only
    shop.joins("Ann", email=ANN, wish=replace(table.wish, party=2))
    assert entry_for(shop, "Table").mail_only, "an address alone confirms nothing"
    shop.joins("Ann", email=ANN, mobile=ANNS, wish=replace(table.wish, party=2))
    assert not entry_for(shop, "Table").mail_only


@pytest.mark.spec("FD-11", "WL-05")
def test_an_entry_that_staff_move_to_another_service_is_told_by_mail_still(shop: Salon) -> None:
    typed(shop, WISH)

    edit(shop, entry_for(shop), STRANGE, replace(WISH, service="Table"))

    assert entry_for(shop, "Table").mail_only
