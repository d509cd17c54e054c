"""Owners add services and team with forms; `rules.yml`, rules and catalogue change together."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.console.services import BY_HAND
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.documents import EDITED_RULES
from frontdesk.desks.booking.model import BookingId, Lane
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, Service
from frontdesk.features.documents.sync import Documents
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import Host
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import entry, everybody
from tests.support.salon import NINE, WISH, Salon

SERVICES = "/console/bookings/services"
ONE = f"{SERVICES}/one"
CUT = f"{ONE}?name=Cut"
REMOVE = f"{SERVICES}/remove"
RULES = "/console/bookings/rules"
HOURS = "/console/bookings/hours/_business"
TEXT = """\
# Our rules
hours: {mon-fri: 9:00-17:00}  # short Fridays soon
staff:
  mia: {name: Mia}
  jo: {name: Jo}
services:
  Cut: {minutes: 60, price: 45}
  Spa: {minutes: 60}
"""
HOUR = timedelta(hours=1)


def rules(salon: Salon) -> BookingRules:
    reads: BookingReads = salon.product.engine.reads().desk("bk")
    return reads.rules()


def catalogue(salon: Salon) -> Catalogue:
    return salon.product.engine.reads().engine.setting(CATALOGUE)


def documents(salon: Salon) -> Documents:
    return salon.product.site.shared[EDITED_RULES]


def text(salon: Salon) -> str:
    return documents(salon).known(RULES_NAME).text


def opened(salon: Salon) -> Host:
    host = owner(salon)
    host.send(RULES, text=TEXT, do="save")
    return host


def books(salon: Salon, number: int, service: str, starts_at: datetime, who: str = "mia") -> None:
    [resource] = (one for one in rules(salon).resources if one.id == who)
    salon.run(
        Book(
            BookingId(f"{number:032x}"),
            PersonId(salon.product.engine.new_id()),
            service,
            starts_at,
            "Ann Lee",
            "ann@example.org",
            resource=resource.id,
            lane=Lane.STAFF,
        )
    )
    salon.settle()


@pytest.mark.spec("BK-08")
def test_a_new_business_takes_bookings_after_three_forms_without_any_file(salon: Salon) -> None:
    salon.run(SetCatalogue(Catalogue()))
    host = owner(salon)
    assert "Say when you are open" not in host.get(SERVICES).says

    answer = host.send(ONE, name="Haircut", minutes="45", price="60")
    assert (answer.flash, rules(salon)) == ("Saved.", BookingRules())
    assert "Say when you are open" in answer.says
    answer = host.send(SERVICES, staff="Mira\nJo", currency="S$")
    assert answer.flash == "Saved."
    assert "Save and open the booking page" in host.get(HOURS).says
    answer = host.send(HOURS)

    assert answer.flash == "Saved. Your booking page is open: customers can book."
    assert [one.name for one in rules(salon).services] == ["Haircut"]
    assert [one.name for one in rules(salon).resources] == ["Mira", "Jo"]
    assert catalogue(salon) == Catalogue(
        (Service("Haircut", timedelta(minutes=45), 6_000),), ("Mira", "Jo"), "S$"
    )
    assert "Say when you are open" not in host.get(SERVICES).says
    assert "Haircut" in salon.visitor.get("/book").says


@pytest.mark.spec("BK-08")
def test_the_form_edits_the_rules_and_keeps_what_else_is_in_the_file(salon: Salon) -> None:
    host = opened(salon)

    answer = host.send(ONE, name="Colour", minutes="90", price="80", aliases="tint")
    assert answer.flash == "Saved."
    host.send(SERVICES, staff="Mia\nJo\nSam", currency="€")

    new = Service("Colour", timedelta(minutes=90), 8_000, aliases=("tint",))
    assert catalogue(salon) == Catalogue(
        (Service("Cut", HOUR, 4_500), Service("Spa"), new), ("Mia", "Jo", "Sam"), "€"
    )
    assert [one.name for one in rules(salon).resources] == ["Mia", "Jo", "Sam"]
    assert "hours: {mon-fri: 9:00-17:00}  # short Fridays soon" in text(salon)
    assert "Colour: {minutes: 90, price: 80" in text(salon)
    documents(salon).take_edits()
    assert documents(salon).files.read(RULES_NAME) == text(salon)


@pytest.mark.spec("BK-08", "WL-08")
def test_who_waits_for_a_service_keeps_their_place_when_it_is_renamed(salon: Salon) -> None:
    host = opened(salon)
    joined_at = entry(salon, salon.joins("Ann", wish=replace(WISH, service="Cut"))).joined_at

    host.send(CUT, ONE, name="Trim")

    waiting = [one.entry for one in everybody(salon) if one.entry.status is EntryStatus.WAITING]
    assert [(one.service, one.joined_at) for one in waiting] == [("Trim", joined_at)]


@pytest.mark.spec("BK-08")
def test_a_renamed_service_keeps_its_bookings_and_is_still_found_by_its_old_name(
    salon: Salon,
) -> None:
    host = opened(salon)
    books(salon, 1, "Cut", NINE + 24 * HOUR)
    asked = host.press(CUT, ONE, name="Trim")
    assert "Rename Cut to Trim?" in asked.says
    assert (
        "1 booking ahead is for it. They stay booked, and the old name still works." in asked.says
    )
    assert catalogue(salon).names == ("Cut", "Spa"), "nothing has changed yet"

    answer = host.send(CUT, ONE, name="Trim", confirmed="yes")

    assert answer.flash == "Saved."
    assert catalogue(salon).names == ("Trim", "Spa")
    found = rules(salon).service("Cut")
    assert found is not None
    assert (found.name, found.aliases) == ("Trim", ("Cut",))
    assert "Trim 1 hour S$45.00 1 Cut" in answer.says, "its booking is counted under the new name"
    assert "Ann Lee" in host.get("/console/bookings/list?q=Trim").says


@pytest.mark.spec("BK-08")
def test_bookings_of_a_removed_service_stay_and_staff_are_told(salon: Salon) -> None:
    host = opened(salon)
    books(salon, 1, "Cut", NINE + 24 * HOUR)
    books(salon, 2, "Cut", NINE + 26 * HOUR)
    asked = host.act(CUT, REMOVE, name="Cut")
    assert "2 bookings ahead are for it. They stay booked, but nobody can book it" in asked.says

    answer = host.act(CUT, REMOVE, name="Cut", confirmed="yes")

    assert answer.flash == "Taken off. 2 bookings are for it still; they stay booked."
    assert "2 bookings are for Cut, which is not in this list." in answer.says
    assert catalogue(salon).names == ("Spa",)
    assert "No booking ahead is for it." in host.act(SERVICES, REMOVE, name="Spa").says


@pytest.mark.spec("BK-08")
def test_bookings_with_a_removed_member_stay_and_staff_are_told(salon: Salon) -> None:
    host = opened(salon)
    books(salon, 1, "Cut", NINE + 24 * HOUR, "jo")

    answer = host.send(SERVICES, staff="Mia")

    assert answer.flash.startswith("Saved. 1 booking is with somebody who is not in the team any")
    assert [one.name for one in rules(salon).resources] == ["Mia"]


@pytest.mark.spec("BK-08")
def test_an_edit_in_the_file_is_taken_first_and_never_written_over(
    salon: Salon,
) -> None:
    host = opened(salon)
    edited = TEXT.replace("Spa", "Head spa")
    documents(salon).files.write(RULES_NAME, edited)

    answer = host.send(ONE, name="Colour", minutes="90")

    assert "Somebody changed the rules meanwhile" in answer.flash
    assert (text(salon), catalogue(salon).names) == (edited, ("Cut", "Head spa"))


@pytest.mark.spec("BK-08")
def test_rules_that_the_form_cannot_change_are_left_as_they_are(salon: Salon) -> None:
    host = opened(salon)
    answer = host.send(SERVICES, staff="")
    assert answer.flash == BY_HAND
    assert text(salon) == TEXT


def test_people_are_moved_to_another_service_on_the_waitlist_only(salon: Salon) -> None:
    assert owner(salon).act(SERVICES, f"{SERVICES}/another", name="Cut", to="Spa").status == 404


def test_only_staff_see_the_services(salon: Salon) -> None:
    assert salon.visitor.get(SERVICES).status != 200
