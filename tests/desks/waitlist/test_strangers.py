"""A number beside an address gets texts only after the owner of the address has confirmed it, since
a stranger may have typed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.core.messages import IncomingText
from frontdesk.desks.waitlist.commands import (
    CancelBooking,
    ConfirmNumber,
    EditEntry,
    LeaveList,
    RemoveNumber,
)
from frontdesk.desks.waitlist.model import Entry, EntryId, Lane, SlotId, Wish
from frontdesk.desks.waitlist.replay import entry_differs
from frontdesk.intake.sms import TextIn
from frontdesk.values import replace
from tests.support.salon import OPENING, WISH, Salon
from tests.support.salon import salon as open_salon

#: The number that a stranger types beside Ann's address, and Ann's own number.
STRANGE, ANNS = "+6591234567", "+6598765432"
ANN = "ann@example.org"
COLOUR = replace(WISH, service="Cut and colour")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as one:
        typed(one, COLOUR, STRANGE)
        yield one


def typed(shop: Salon, wish: Wish, mobile: str = "") -> None:
    """Fills in the form with Ann's address."""
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
    assert entry_for(shop, COLOUR.service).mail_only
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
    assert texts(shop) == 0
    assert shop.messages(ANNS) == []
    assert entry_for(shop).mail_only


@pytest.mark.spec("FD-11", "WL-05")
def test_a_number_that_was_typed_first_beside_an_address_gets_none_of_the_texts(
    shop: Salon,
) -> None:
    link = shop.last_link(ANN)
    shop.frees(opening=replace(OPENING, service=COLOUR.service))
    page = shop.visitor.get(link)

    assert "yours until" in shop.messages(ANN)[-1]["subject"]
    assert texts(shop) == 0
    assert page.heading == "A time is held for you until 09:10 today (SGT)."
    assert "confirm that +65 …\u20604567 is your number" in page.says


@pytest.mark.spec("FD-11", "WL-14")
def test_a_number_gets_texts_once_it_is_confirmed_by_the_link_in_the_mail(shop: Salon) -> None:
    link = shop.last_link(ANN)
    before = shop.visitor.get(link)
    confirmed = shop.visitor.post(link, do="confirm-number")
    typed(shop, WISH, STRANGE)
    shop.frees()

    assert "confirm your number with this link" in shop.messages(ANN)[0]["text"]
    assert "Send me texts" in before.says
    assert "Offers go by text to +65 …\u20604567." in confirmed.says
    assert "Send me texts" not in confirmed.says
    assert not entry_for(shop, COLOUR.service).mail_only
    assert not entry_for(shop).mail_only, "the number is known to be theirs"
    assert texts(shop) == 2, "of joining for the other service, and the offer"


@pytest.mark.spec("FD-11", "WL-05", "WL-14")
@pytest.mark.parametrize("mobile", ["", ANNS], ids=["no number", "another number"])
@pytest.mark.parametrize("lane", [Lane.FORM, Lane.INBOX])
def test_a_confirmed_number_gets_no_texts_of_an_entry_for_which_it_was_not_given(
    shop: Salon, lane: Lane, mobile: str
) -> None:
    shop.run(ConfirmNumber(entry_for(shop, COLOUR.service).id))

    shop.joins("Ann", email=ANN, mobile=mobile, lane=lane)
    shop.frees()

    assert entry_for(shop).mail_only
    assert texts(shop) == len(shop.messages(ANNS)) == 0


@pytest.mark.spec("FD-11", "WL-14", "FD-10")
def test_opening_the_link_confirms_nothing(shop: Salon) -> None:
    shop.visitor.get(shop.last_link(ANN) + "?do=confirm-number")

    assert entry_for(shop, COLOUR.service).mail_only


@pytest.mark.spec("FD-11", "WL-14")
def test_only_a_waiting_entry_with_both_contacts_and_no_confirmed_number_is_confirmed(
    shop: Salon,
) -> None:
    colour = entry_for(shop, COLOUR.service).id
    by_text = shop.joins("Bob", email="", mobile=ANNS, lane=Lane.FORM)
    shop.run(ConfirmNumber(colour))

    assert shop.refused(ConfirmNumber(colour)) == "unchanged"
    assert shop.refused(ConfirmNumber(by_text)) == "unchanged"
    assert shop.refused(RemoveNumber(by_text)) == "unchanged"
    assert shop.refused(ConfirmNumber(EntryId("nobody"))) == "no_such_entry"
    shop.run(LeaveList(colour))
    assert shop.refused(ConfirmNumber(colour)) == "not_waiting"
    assert shop.refused(RemoveNumber(colour)) == "not_waiting"


@pytest.mark.spec("FD-11", "WL-06")
@pytest.mark.parametrize("is_confirmed", [False, True])
def test_stop_from_a_number_ends_the_offers_only_if_it_was_confirmed(
    shop: Salon, is_confirmed: bool
) -> None:
    entry = entry_for(shop, COLOUR.service)
    if is_confirmed:
        shop.run(ConfirmNumber(entry.id))

    link = shop.last_link(ANN)
    stop = IncomingText(from_mobile=STRANGE, words="STOP", id="text-1", at=shop.clock.now())
    TextIn(shop.product.site).take(stop)
    shop.settle()

    assert shop.status(entry.id) == ("stopped" if is_confirmed else "waiting")
    assert shop.product.engine.reads().engine.number_stopped(STRANGE)
    shop.frees(opening=replace(OPENING, service=COLOUR.service))
    offered = [one for one in shop.messages(ANN) if "yours until" in one["subject"]]
    assert len(offered) == (0 if is_confirmed else 1)
    assert "Send me texts" not in shop.visitor.get(link).says


@pytest.mark.spec("FD-11", "WL-14")
@pytest.mark.parametrize("lane", [Lane.STAFF, Lane.SHEET])
@pytest.mark.parametrize(("mobile", "is_used"), [("", False), (STRANGE, True)])
def test_staff_confirm_a_number_by_giving_it(
    shop: Salon, lane: Lane, mobile: str, is_used: bool
) -> None:
    shop.joins("Ann", email=ANN, mobile=mobile, lane=lane)
    shop.frees()

    assert entry_for(shop).mail_only is not is_used
    assert texts(shop) == int(is_used)


@pytest.mark.spec("FD-11", "WL-14")
@pytest.mark.parametrize("lane", [Lane.STAFF, Lane.SHEET])
def test_a_number_that_staff_gave_is_used_when_they_add_the_address_alone(
    tmp_path: Path, lane: Lane
) -> None:
    with open_salon(tmp_path) as shop:
        shop.joins("Ann", email=ANN, mobile=ANNS, wish=COLOUR, lane=lane)
        shop.joins("Ann", email=ANN, lane=lane)
        shop.frees()

        assert not entry_for(shop).mail_only
        assert len(shop.messages(ANNS)) == 1


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
    """A mail does not prove its sender: neither a mail from Ann's address about the stranger's
    entry nor a mail with the stranger's number about Ann's entry changes anything."""
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
