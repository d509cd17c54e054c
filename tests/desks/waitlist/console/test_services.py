"""Staff edit the services, and no change loses people who wait."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from frontdesk.desks.waitlist.console.services import AT_ONCE
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.features.catalogue.form import read_price
from frontdesk.features.catalogue.model import Service
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import error_at
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import entry, everybody
from tests.support.salon import HOUR, SHOP, WISH, Salon

SERVICES = "/console/waitlist/services"
ONE = f"{SERVICES}/one"
ANOTHER = f"{SERVICES}/another"
CUT = f"{ONE}?name=Cut"


@pytest.mark.spec("WL-04")
def test_a_service_is_added_with_what_people_call_it(salon: Salon) -> None:
    answer = owner(salon).send(
        ONE, name="Blow-dry", minutes="30", price="S$1,035.50", most="2", aliases="blowdry, föhn"
    )

    assert answer.flash == "Saved."
    new = Service("Blow-dry", HOUR / 2, 103_550, 2, ("blowdry", "föhn"))
    assert salon.wl.catalogue() == replace(SHOP, services=(*SHOP.services, new))
    assert "Blow-dry 30 minutes S$1,035.50 up to 2" in answer.says


def test_a_service_is_changed_in_its_place(salon: Salon) -> None:
    owner(salon).send(CUT, ONE, price="", minutes="45")

    first, *others = salon.wl.catalogue().services
    assert (first, tuple(others)) == (Service("Cut", timedelta(minutes=45)), SHOP.services[1:])


@pytest.mark.spec("FD-27")
def test_an_error_is_shown_at_its_field_and_nothing_is_changed(salon: Salon) -> None:
    host = owner(salon)
    for wrong, field, says in (
        ({"name": " "}, "name", "Please give the service a name."),
        ({"name": "\u202e\0"}, "name", "Please give the service a name."),
        ({"name": "x" * 81}, "name", "Please write at most 80 characters."),
        ({"name": "COLOUR"}, "name", "“COLOUR” is another name of Cut and colour already."),
        ({"minutes": "0"}, "minutes", "Please write minutes, from 1 to 1,440."),
        ({"minutes": "two"}, "minutes", "Please write minutes, from 1 to 1,440."),
        ({"price": "-5"}, "price", "Please write a price like 45 or 45.00."),
        ({"most": ""}, "most", "Please write a whole number from 1 to 1,000."),
        ({"aliases": "trim, table"}, "aliases", "There is a service Table already."),
        ({"aliases": "cut"}, "aliases", "Please do not repeat the name itself here."),
    ):
        page = host.press(CUT, ONE, **wrong)
        assert (page.status, error_at(page, field)) == (422, says)
    bare = host.act(SERVICES, ONE)
    assert (bare.status, error_at(bare, "name")) == (422, "Please give the service a name.")
    page = host.press(SERVICES, staff="x" * 81, currency="Singapore dollars")
    assert error_at(page, "staff") == "Please write at most 80 characters for each."
    assert error_at(page, "currency") == "Please write at most 8 characters, like S$."
    assert salon.wl.catalogue() == SHOP


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        *(("", 0), ("45", 4_500), ("45.5", None), ("45,50", 4_550), ("1,200", 120_000)),
        *(("€ 12.00", 1_200), ("1'200.00", 120_000), ("free", None), ("1.2.3", None)),
    ],
)
def test_prices_are_read_as_people_write_them(typed: str, cents: int | None) -> None:
    assert read_price(typed) == cents


def test_a_service_that_somebody_waits_for_does_not_vanish_unnoticed(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob")
    host = owner(salon)

    asked = host.act(CUT, f"{SERVICES}/remove", name="Cut")
    assert asked.heading == "Take Cut off the list of services?"
    assert "2 people on the list wait for it." in asked.says
    assert salon.wl.catalogue() == SHOP

    gone = host.act(CUT, f"{SERVICES}/remove", name="Cut", confirmed="yes")
    assert gone.flash == "Taken off. 2 people wait for it still: see below."
    assert "2 people wait for Cut, which is not in this list." in gone.says
    assert [one.name for one in salon.wl.catalogue().services] == ["Cut and colour", "Table"]


def test_people_who_wait_for_a_service_keep_it_when_it_is_renamed(salon: Salon) -> None:
    ann, bob = salon.joins("Ann"), salon.joins("Bob", wish=replace(WISH, service="Table"))
    host, joined_at = owner(salon), entry(salon, ann).joined_at

    asked = host.press(CUT, ONE, name="Haircut")
    assert asked.heading == "Rename Cut to Haircut?"
    assert "1 person on the list waits for it." in asked.says
    assert salon.wl.catalogue() == SHOP

    host.send(CUT, ONE, name="Haircut", confirmed="yes")
    renamed = salon.wl.catalogue().service("Cut")
    assert renamed is not None
    assert (renamed.name, renamed.aliases) == ("Haircut", ("Cut",)), "mails may still say Cut"
    waiting = [one.entry for one in everybody(salon) if one.entry.status is EntryStatus.WAITING]
    assert {(one.service, one.joined_at) for one in waiting} == {
        ("Haircut", joined_at),
        ("Table", entry(salon, bob).joined_at),
    }
    assert salon.settle().messages("ann@example.org") == []


def test_a_change_of_name_that_is_cut_off_goes_on_by_a_press(salon: Salon) -> None:
    for n in range(AT_ONCE + 3):
        salon.joins(f"N{n}")
    host, store = owner(salon), salon.product.engine.store
    takes_long = timedelta(seconds=11)
    store.on_commit(lambda _facts: salon.clock.move_to(salon.clock.now() + takes_long))

    cut_off = host.send(CUT, ONE, name="Haircut", confirmed="yes")
    assert cut_off.flash == "Saved. 3 people could not be moved yet: see below."
    assert "3 people wait for Cut, which is not in this list." in cut_off.says

    done = host.send(SERVICES, ANOTHER, to="Haircut")
    assert done.flash == "Whoever waited for Cut waits for Haircut now."
    assert "not in this list" not in done.says
    waiting = [one.entry for one in everybody(salon) if one.entry.status is EntryStatus.WAITING]
    assert Counter(one.service for one in waiting) == {"Haircut": AT_ONCE + 3}
    assert len({one.joined_at for one in waiting}) == AT_ONCE + 3


def test_a_missing_service_is_given_to_nobody(salon: Salon) -> None:
    salon.joins("Ann")

    assert owner(salon).act(SERVICES, ANOTHER, name="Cut", to="Glorp").status == 404
    assert [one.entry.service for one in everybody(salon)] == ["Cut"]


def test_the_team_is_saved_and_people_who_wait_for_a_former_member_are_counted(
    salon: Salon,
) -> None:
    salon.joins("Ann", wish=replace(WISH, staff="Mia"))
    host = owner(salon)

    assert host.send(SERVICES, staff="Mia\nJo\n Kim  Lee\njo", currency="€").flash == "Saved."
    assert (salon.wl.catalogue().staff, salon.wl.catalogue().currency) == (
        ("Mia", "jo", "Kim Lee"),
        "€",
    )

    gone = host.send(SERVICES, staff="Jo")
    assert gone.flash == "Saved. 1 person waits for somebody who is not in the team any more."


def test_a_missing_service_has_no_page(salon: Salon) -> None:
    host = owner(salon)

    assert host.get(f"{ONE}?name=Nothing").status == 404
    assert host.act(SERVICES, f"{SERVICES}/remove", name="Nothing", confirmed="yes").status == 404
