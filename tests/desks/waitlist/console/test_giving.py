"""A booked row is given to another person: one gets a cancellation, the other a confirmation."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.desks.waitlist.commands import ClaimOffer
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Slot, SlotStatus
from tests.desks.rsvp.console_desk import error_at
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import everybody
from tests.support.salon import Salon

ENTRIES = "/console/waitlist/entries"
ZOE = {"name": "Zoe Tan", "email": "zoe@example.org", "mobile": ""}


def booked(salon: Salon) -> tuple[EntryId, Slot]:
    ann = salon.joins("Ann Lee", email="ann@example.org")
    slot = salon.frees()
    salon.run(ClaimOffer(slot.id, salon.current(slot).seq))
    salon.settle()
    return ann, slot


def subjects(salon: Salon, to: str) -> list[str]:
    return [each["subject"] for each in salon.messages(to)]


def statuses(salon: Salon) -> dict[str, EntryStatus]:
    return {one.name: one.entry.status for one in everybody(salon)}


@pytest.mark.spec("FD-10", "WL-19")
def test_a_booking_that_is_given_to_somebody_else_is_told_to_both(salon: Salon) -> None:
    ann, slot = booked(salon)
    before = len(salon.messages("ann@example.org"))

    edit = f"{ENTRIES}/{ann}/edit"
    assert "To give their slot to somebody else, write that person's" in owner(salon).get(edit).says
    answer = owner(salon).send(edit, **ZOE)
    salon.settle()

    assert answer.flash == (
        "The slot is Zoe Tan's now. The booking of Ann Lee is cancelled, and both are told."
    )
    assert answer.heading == "Zoe Tan"
    assert statuses(salon) == {"Ann Lee": EntryStatus.LEFT, "Zoe Tan": EntryStatus.BOOKED}
    [told] = subjects(salon, "ann@example.org")[before:]
    assert "cancelled" in told.casefold()
    [confirmed] = subjects(salon, "zoe@example.org")
    assert confirmed.startswith("Booked: Cut on")
    text = salon.messages("zoe@example.org")[-1]["text"]
    assert "You get this mail because this time is booked for you." in text
    says = owner(salon).get(f"/console/waitlist/slots/{slot.id}").says
    assert "Staff gave the booking of Ann Lee to somebody else. By Owner." in says
    assert "Staff gave it to somebody else. See what became of the time" in says
    assert "offered again" not in says
    old = salon.wl.slot(slot.id)
    assert old is not None
    assert old.status is SlotStatus.CANCELLED
    [zoe] = [one for one in everybody(salon) if one.name == "Zoe Tan"]
    [given] = salon.wl.bookings(zoe.entry.id)
    assert (given.opening, given.booked_by) == (slot.opening, zoe.entry.id)
    assert salon.problems() == []


@pytest.mark.spec("FD-10")
def test_a_waiting_person_gets_the_slot_with_their_existing_entry(salon: Salon) -> None:
    ann, _ = booked(salon)
    zoe = salon.joins("Zoe Tan", email="zoe@example.org")

    owner(salon).send(f"{ENTRIES}/{ann}/edit", **ZOE)
    salon.settle()

    assert [slot.booked_by for slot in salon.wl.bookings(zoe)] == [zoe]
    assert statuses(salon) == {"Ann Lee": EntryStatus.LEFT, "Zoe Tan": EntryStatus.BOOKED}
    assert salon.problems() == []


@pytest.mark.spec("FD-10")
@pytest.mark.parametrize(
    "typed",
    [
        {"name": "Anne Lee", "email": "anne@example.org"},
        {"email": "ann.lee@example.org"},
        {"name": "Ann Leigh"},
    ],
)
def test_a_correction_gives_nothing_away(salon: Salon, typed: dict[str, str]) -> None:
    ann, slot = booked(salon)

    answer = owner(salon).send(f"{ENTRIES}/{ann}/edit", **typed)
    salon.settle()

    assert answer.flash == "Saved."
    assert [each.id for each in salon.wl.bookings(ann)] == [slot.id]
    assert len(everybody(salon)) == 1


@pytest.mark.spec("FD-10")
def test_another_name_alone_is_asked_about(salon: Salon) -> None:
    ann, _ = booked(salon)

    page = owner(salon).send(f"{ENTRIES}/{ann}/edit", name="Zoe Tan")

    assert page.status == 422
    assert error_at(page, "name") == (
        "They have a slot. If it goes to somebody else, give that person's e-mail or mobile as "
        "well; if only the name was wrong, change it under People."
    )
    assert statuses(salon) == {"Ann Lee": EntryStatus.BOOKED}


def test_a_slot_that_has_begun_is_given_to_nobody_and_one_that_is_over_is_put_right(
    salon: Salon,
) -> None:
    ann, slot = booked(salon)
    host = owner(salon)
    salon.later(slot.opening.starts_at - salon.clock.now())
    begun = host.send(f"{ENTRIES}/{ann}/edit", **ZOE)
    salon.later(timedelta(hours=2))
    over = host.send(f"{ENTRIES}/{ann}/edit", **ZOE)

    assert error_at(begun, "name") == (
        "Their slot has begun, so it cannot be given to somebody else."
    )
    assert over.flash == "Saved."
    assert statuses(salon) == {"Zoe Tan": EntryStatus.BOOKED}


@pytest.mark.spec("FD-10")
def test_under_people_another_name_with_another_number_is_asked_about(salon: Salon) -> None:
    ann = salon.joins("Ann Lee", email="", mobile="+6591234567")
    slot = salon.frees()
    salon.run(ClaimOffer(slot.id, salon.current(slot).seq))
    salon.settle()
    [person_id] = [one.entry.person_id for one in everybody(salon) if one.entry.id == ann]
    page, host = f"/console/people/{person_id}", owner(salon)

    asked = host.act(page, f"{page}/correct", name="Zoe Tan", email="", mobile="+65 9123 4568")
    corrected = host.act(page, f"{page}/correct", name="Anne Lee", email="", mobile="+65 9123 4567")

    assert (asked.status, "Is this still the same person?" in asked.says) == (422, True)
    assert f"{ENTRIES}/{ann}" in asked.text
    assert corrected.status == 200
    assert statuses(salon) == {"Anne Lee": EntryStatus.BOOKED}
