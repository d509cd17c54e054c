"""Each sign-up has its own name and address; a correction applies to all later messages."""

from datetime import datetime, timedelta

import pytest

from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import CorrectContact, Erase
from frontdesk.desks.rsvp.commands import Cancel, CreateEvent, FollowContact, PassOn, SignUp
from frontdesk.desks.rsvp.model import (
    Details,
    EventId,
    EventSettings,
    GuestId,
    Lane,
    OfferState,
    State,
)
from frontdesk.desks.rsvp.reasons import Reason
from tests.support.rsvp import DETAILS, HOUR, NINE, STARTS, RsvpDesk


def another_event(desk: RsvpDesk, name: str, starts_at: datetime = STARTS) -> EventId:
    event_id = EventId(desk.product.engine.new_id())
    details = Details(name, starts_at, starts_at + 2 * HOUR, DETAILS.zone, "12 Kiln Lane")
    desk.do(CreateEvent(event_id, name.lower(), details, EventSettings(), cap=5))
    return event_id


def sign_up(desk: RsvpDesk, event_id: EventId, name: str, email: str) -> GuestId:
    guest_id = GuestId(desk.product.engine.new_id())
    person_id = PersonId(desk.product.engine.new_id())
    desk.do(SignUp(event_id, guest_id, person_id, name, email, 1, Lane.FORM))
    return guest_id


def listed(desk: RsvpDesk, event_id: EventId) -> list[tuple[str, str]]:
    rows = desk.reads.guest_rows(event_id)
    return [(row.person.name, row.person.email) for row in rows]


def correct(desk: RsvpDesk, who: str, name: str, email: str) -> None:
    person_id = desk.guest(who).person_id
    desk.do(CorrectContact(person_id, name, email, Role.OWNER))


@pytest.mark.spec("EV-06", "FD-06")
def test_two_people_with_one_address_are_listed_and_addressed_each_under_their_own_name(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=5)
    wine = another_event(desk, "Wine")
    sign_up(desk, desk.event_id, "Ann Lee", "lee@example.org")
    sign_up(desk, wine, "Bob Lee", "lee@example.org")

    assert listed(desk, desk.event_id) == [("Ann Lee", "lee@example.org")]
    assert listed(desk, wine) == [("Bob Lee", "lee@example.org")]
    assert [row.person.name for row in desk.reads.guest_rows(wine, search="bob")] == ["Bob Lee"]
    assert desk.reads.guest_rows(wine, search="ann") == []
    assert [mail.to_name for mail in desk.mail_to("lee")] == ["Ann Lee", "Bob Lee"]


@pytest.mark.spec("FD-06")
def test_a_corrected_name_applies_to_later_messages_and_not_to_the_list_of_a_past_event(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=5, confirmed=["ann"])
    later = another_event(desk, "Later", STARTS + timedelta(days=7))
    sign_up(desk, later, "Ann", "ann@example.org")
    family = another_event(desk, "Family", STARTS + timedelta(days=8))
    sign_up(desk, family, "Bob", "ann@example.org")
    desk.wait_until(STARTS + 3 * HOUR)

    correct(desk, "ann", "Anna", "anna@example.org")

    assert listed(desk, desk.event_id) == [("Ann", "ann@example.org")]
    assert listed(desk, later) == [("Anna", "anna@example.org")]
    assert listed(desk, family) == [("Bob", "anna@example.org")]


@pytest.mark.spec("FD-06")
def test_a_correction_that_is_followed_late_leaves_the_list_of_an_event_that_is_over(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=5, confirmed=["ann"]).wait_until(STARTS + 3 * HOUR)
    correct(desk, "ann", "Anna", "anna@example.org")

    refused = desk.refused(FollowContact(desk.id("ann"), new_address=True))

    assert (refused, listed(desk, desk.event_id)) == (
        Reason.UNCHANGED,
        [("Ann", "ann@example.org")],
    )


@pytest.mark.spec("FD-20")
def test_erasing_a_person_reaches_the_names_of_their_sign_ups(desk: RsvpDesk) -> None:
    desk.given(cap=5)
    wine = another_event(desk, "Wine")
    guest_id = sign_up(desk, wine, "Bob Lee", "lee@example.org")
    guest = desk.reads.guest(guest_id)
    assert guest is not None

    desk.do(Erase(guest.person_id))

    erased = desk.reads.guest(guest_id)
    assert erased is not None
    assert (erased.name, erased.email, erased.state) == ("", "", State.CANCELLED)
    assert listed(desk, wine) == [("", "")]


# --- an open offer goes to the corrected address ------------------------------------------------


@pytest.mark.spec("FD-10", "FD-15", "EV-21")
def test_an_open_offer_is_sent_again_to_the_corrected_address_with_the_time_that_is_left(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    before = desk.guest("bob")
    desk.wait(hours=2)

    correct(desk, "bob", "Bob", "robert@example.org")

    [mail] = desk.mail_to("robert")
    assert mail.subject == desk.mail_to("bob")[-1].subject
    assert (desk.guest("bob").live, desk.guest("bob").claim_by) == (True, before.claim_by)
    assert "This seat is yours until 15:00" in mail.text


@pytest.mark.spec("FD-10", "EV-25")
def test_with_too_little_time_left_the_corrected_address_gets_a_fresh_window(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    desk.wait(hours=5, minutes=30)

    correct(desk, "bob", "Bob", "robert@example.org")

    now = NINE + timedelta(hours=5, minutes=30)
    assert desk.guest("bob").claim_by == now + 6 * HOUR
    assert [offer.state for offer in desk.offers("bob")] == [OfferState.LIVE]
    assert desk.timers()[f"ev/offer/{desk.id('bob')}/1"] == now + 6 * HOUR
    assert len(desk.mail_to("robert")) == 1


@pytest.mark.spec("EV-25", "FD-12")
def test_a_correction_at_night_holds_the_offer_until_the_morning_and_no_window_runs(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"], claim_window=timedelta(hours=24))
    desk.do(Cancel(desk.id("ann")))
    desk.wait(hours=14)

    correct(desk, "bob", "Bob", "robert@example.org")
    at_night = desk.guest("bob")
    desk.wait(hours=10)

    assert (at_night.live, at_night.claim_by) == (False, None)
    assert desk.guest("bob").claim_by == NINE + 47 * HOUR
    assert len(desk.mail_to("robert")) == 1


@pytest.mark.spec("EV-25")
def test_a_fresh_window_for_a_corrected_address_ends_at_the_start(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait_until(STARTS - 3 * HOUR)
    desk.do(Cancel(desk.id("ann")))
    desk.wait(hours=2, minutes=30)

    correct(desk, "bob", "Bob", "robert@example.org")

    assert desk.guest("bob").claim_by == STARTS


def test_a_corrected_name_alone_sends_no_offer_again(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    before = len(desk.mail_to("bob"))

    correct(desk, "bob", "Robert", "bob@example.org")

    assert len(desk.mail_to("bob")) == before
    assert desk.guest("bob").name == "Robert"


# --- a seat is given to somebody else -----------------------------------------------------------


def pass_on(desk: RsvpDesk, who: str, to: str) -> PassOn:
    to_guest_id = GuestId(desk.product.engine.new_id())
    to_person_id = PersonId(desk.product.engine.new_id())
    desk.ids.setdefault(to, to_guest_id)
    return PassOn(desk.id(who), to_guest_id, to_person_id, to.title(), f"{to}@example.org")


@pytest.mark.spec("EV-31", "FD-10")
def test_a_seat_that_is_given_to_somebody_else_cancels_one_and_confirms_the_other(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, party_limit=3)
    desk.sign_up("ann")
    desk.sign_up("bob")
    desk.settle()

    desk.do(pass_on(desk, "ann", "cat"))

    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.CONFIRMED,
    }
    gone, new = desk.mail_to("ann")[-1], desk.mail_to("cat")[-1]
    assert gone.subject == "You're no longer on the list: Pottery workshop"
    assert "The host has given your seat to somebody else." in gone.text
    assert "Cat" not in gone.text
    assert gone.calendar is not None
    assert b"METHOD:CANCEL" in gone.calendar
    assert new.subject == "You're in: Pottery workshop"
    assert desk.seats.taken == 1
    assert not [name for name in desk.timers() if desk.id("ann") in name]
    assert [name for name in desk.timers() if desk.id("cat") in name]


def test_a_seat_cannot_be_given_to_somebody_who_is_on_the_list(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])

    assert desk.refused(pass_on(desk, "ann", "bob")) == Reason.ALREADY_ON_THE_LIST
    assert desk.refused(pass_on(desk, "bob", "cat")) == Reason.NOT_CONFIRMED


def test_a_guest_who_cancelled_can_be_given_the_seat_of_another(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"]).do(Cancel(desk.id("bob")))

    desk.do(pass_on(desk, "ann", "bob"))

    assert desk.states() == {"ann": State.CANCELLED, "bob": State.CONFIRMED}


def test_a_seat_changes_hands_no_more_once_it_has_begun(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"]).wait_until(STARTS)

    assert desk.refused(pass_on(desk, "ann", "cat")) == Reason.BEGUN
    del desk.ids["cat"]
