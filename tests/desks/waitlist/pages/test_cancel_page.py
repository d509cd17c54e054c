"""The page to cancel a booking that came from an offer."""

from __future__ import annotations

import pytest

from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist.commands import CancelBooking, MarkNoShow
from frontdesk.desks.waitlist.model import EntryStatus, SlotId, SlotStatus
from frontdesk.desks.waitlist.story import slot_story
from tests.desks.waitlist.pages.salon import OPENING, Salon, links_in

WHEN = "Monday 16 November, 15:00 (SGT)"


def booked(salon: Salon) -> str:
    """Lets Ann book a slot while Bob waits; returns the link to her offer."""
    salon.given("ann", "bob").free()
    link = salon.offer_link("ann")
    salon.take(link)
    return link


def next_slot(salon: Salon) -> list[tuple[str, str]]:
    found = salon.reads.slot_by_origin(f"cancelled:{salon.slots[0]}")
    assert found is not None
    salon.slots.append(found.id)
    return salon.tried()


@pytest.mark.spec("WL-07", "WL-19")
@pytest.mark.parametrize(
    ("more", "status", "says"),
    [
        ({}, EntryStatus.LEFT, "You're not on the list any more."),
        ({"stay": "yes"}, EntryStatus.WAITING, "You're still on the list."),
    ],
)
def test_a_customer_cancels_and_the_slot_goes_to_the_next(
    salon: Salon, more: dict[str, str], status: EntryStatus, says: str
) -> None:
    link = booked(salon)
    asked = salon.visitor.get(f"{link}?do=cancel")
    assert (asked.heading, asked.buttons) == (
        "Cancel this appointment?",
        ["Cancel the appointment"],
    )
    assert salon.slot().status is SlotStatus.BOOKED, "opening the page cancels nothing"

    page = salon.visitor.post(link, do="cancel", **more)

    assert (page.heading, says in page.says) == ("You cancelled this appointment.", True)
    assert (salon.slot().status, salon.status("ann")) == (SlotStatus.CANCELLED, status)
    assert next_slot(salon.settle()) == [("bob", "live")]
    mail = salon.told("ann@example.org")[-1]
    assert mail.subject == f"Cancelled: Cut and colour on {WHEN}"
    assert ("You are still on the list." in mail.text) == bool(more)
    assert salon.problems() == []


@pytest.mark.spec("WL-19")
def test_the_mail_that_confirms_has_the_link_to_cancel_and_the_place_page_leads_there(
    salon: Salon,
) -> None:
    booked(salon)
    (cancel, *_) = links_in(salon.told("ann@example.org")[-1])
    assert "I have to cancel" in salon.visitor.get(cancel).says

    place = salon.place_link("ann")
    assert salon.visitor.get(f"{place}?do=cancel").heading == "Cancel this appointment?"
    page = salon.visitor.post(place, do="cancel", slot=salon.slot().id)

    assert page.heading == "You're not on the list any more."
    assert salon.slot().status is SlotStatus.CANCELLED
    assert next_slot(salon.settle()) == [("bob", "live")]


def test_from_the_start_on_nothing_can_be_cancelled(salon: Salon) -> None:
    link = booked(salon)
    salon.jump(hours=7)

    assert "I have to cancel" not in salon.visitor.get(link).says
    page = salon.visitor.post(link, do="cancel")

    assert page.heading == "It's yours."
    assert salon.slot().status is SlotStatus.BOOKED


def test_only_the_person_who_booked_a_slot_can_cancel_it(salon: Salon) -> None:
    salon.given("ann", "bob").free()
    lapsed = salon.offer_link("ann")
    salon.wait(minutes=11).take(salon.offer_link("bob"))

    salon.visitor.post(lapsed, do="cancel")
    salon.visitor.post(salon.place_link("ann"), do="cancel", slot=salon.slot().id)

    assert salon.settle().slot().status is SlotStatus.BOOKED
    entry = salon.entry("ann")
    stranger = CancelBooking(salon.slot().id, entry.id, SlotId(salon.new_id()))
    assert salon.refused(stranger) == "not_booked"


@pytest.mark.spec("WL-19")
def test_the_page_shows_what_staff_did(salon: Salon) -> None:
    link = booked(salon)
    salon.do(CancelBooking(salon.slot().id, salon.entry("ann").id, SlotId(salon.new_id()), True))

    page = salon.visitor.get(link)

    assert page.heading == "This appointment was cancelled for you."
    assert "You're not on the list any more." in page.says


@pytest.mark.spec("WL-19", "BK-16")
def test_a_booking_that_another_desk_ended_is_not_called_cancelled_by_the_customer(
    salon: Salon,
) -> None:
    link = booked(salon)
    entry_id, new_id = salon.entry("ann").id, SlotId(salon.new_id())
    salon.do(CancelBooking(salon.slot().id, entry_id, new_id, offer=False, quietly=True))

    page = salon.visitor.get(link)

    assert page.heading == "This appointment was changed."
    assert "Our latest message about it says what holds now." in page.says
    reads = salon.served.desk.product.engine.reads()
    told = [each.text for each in slot_story(reads, salon.slot().id, zone("Asia/Singapore"))]
    assert told[-1] == "The visit of Ann was cancelled, moved or missed outside the waitlist."


@pytest.mark.spec("WL-19")
def test_a_customer_who_did_not_come_is_told_so(salon: Salon) -> None:
    link = booked(salon)
    salon.jump(hours=6).do(MarkNoShow(salon.slot().id, SlotId(salon.new_id())))

    page = salon.visitor.get(link)

    assert (page.heading, salon.status("ann")) == ("We missed you.", EntryStatus.LEFT)
    assert salon.told("ann@example.org")[-1].subject == f"We missed you: Cut and colour on {WHEN}"


@pytest.mark.spec("WL-13")
def test_an_offer_that_lapsed_is_not_called_taken_elsewhere(salon: Salon) -> None:
    salon.given("ann").free()
    lapsed = salon.offer_link("ann")
    salon.wait(minutes=11).free(starts_at=OPENING.ends_at)
    salon.take(salon.offer_link("ann"))

    page = salon.visitor.get(lapsed)

    assert page.heading == "This offer has expired."
    assert "You have Cut and colour, Monday 16 November, 17:00 (SGT)." in page.says


@pytest.mark.spec("WL-06")
def test_a_slot_that_is_over_is_not_called_theirs_any_more(salon: Salon) -> None:
    offer = booked(salon)
    place = salon.place_link("ann")
    before = salon.visitor.get(place)
    assert (before.heading, "Join again" in before.says) == ("You have an appointment.", False)

    salon.jump(hours=30)

    after = salon.visitor.get(place)
    assert after.heading == "This appointment is over."
    assert "It was Cut and colour, Monday 16 November, 15:00 (SGT)." in after.says
    assert "Join again" in after.says
    assert salon.visitor.get(offer).heading == "This appointment is over."
