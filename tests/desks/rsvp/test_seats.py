"""Seats: who gets one, who joins the line, and who gets a freed seat."""

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import (
    Cancel,
    CheckIn,
    ClaimOffer,
    ConfirmInvitation,
    QueueSignUp,
    ReduceParty,
    SetCap,
    SignUp,
)
from frontdesk.desks.rsvp.facts import GuestCancelled, GuestJoinedLine, SeatsFreed
from frontdesk.desks.rsvp.model import EventId, GuestId, Lane, Seats, State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.values import replace
from tests.support.rsvp import NINE, STARTS, RsvpDesk


@pytest.mark.spec("EV-04", "EV-14")
def test_the_last_seat_goes_to_one_and_the_rest_wait_in_order(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])

    assert desk.states() == {"ann": State.CONFIRMED, "bob": State.WAITING, "cat": State.WAITING}
    assert [one.subject for one in desk.mail_to("ann")] == ["You're in: Pottery workshop"]
    assert [one.subject for one in desk.mail_to("cat")] == [
        "You're second in line: Pottery workshop"
    ]


@pytest.mark.spec("EV-06")
def test_signing_up_again_changes_nothing_whatever_the_lane_and_the_spelling(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    before = desk.guest("ann"), desk.guest("bob"), desk.seats

    for who in ("ann", "ANN", "bob"):
        for lane in (Lane.FORM, Lane.IMPORT, Lane.HOST):
            assert desk.sign_up(who, lane=lane) == Refused(Reason.ALREADY_ON_THE_LIST)
    assert (desk.guest("ann"), desk.guest("bob"), desk.seats) == before


@pytest.mark.spec("EV-06")
def test_a_cancelled_guest_who_comes_back_stands_at_the_end_of_the_line(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("bob")))

    desk.sign_up("bob")
    desk.settle()

    assert desk.reads.position(desk.guest("cat")) == 1
    assert desk.reads.position(desk.guest("bob")) == 2


@pytest.mark.spec("EV-11")
def test_a_party_takes_all_its_seats_or_none(desk: RsvpDesk) -> None:
    desk.given(cap=3, party_limit=3)
    desk.sign_up("ann", party=2)
    desk.sign_up("bob", party=2)
    desk.settle()

    assert desk.states() == {"ann": State.CONFIRMED, "bob": State.WAITING}
    assert (desk.seats.taken, desk.seats.free) == (2, 1)


@pytest.mark.spec("EV-11")
def test_a_party_over_the_hosts_limit_is_refused(desk: RsvpDesk) -> None:
    desk.given(cap=10, party_limit=3)

    assert desk.sign_up("ann", party=4) == Refused(Reason.PARTY_TOO_LARGE)
    assert desk.sign_up("bob", party=0) == Refused(Reason.PARTY_TOO_LARGE)
    assert desk.seats == Seats(cap=10, free=10)


@pytest.mark.spec("EV-11")
def test_seats_go_to_the_first_party_that_fits_and_the_larger_one_keeps_its_place(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"], party_limit=2)
    desk.sign_up("cat", party=2)
    desk.sign_up("dan")
    desk.do(Cancel(desk.id("ann")))

    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.CONFIRMED,
        "cat": State.WAITING,
        "dan": State.OFFERED,
    }
    assert desk.reads.position(desk.guest("cat")) == 1
    assert [one.fact.about for one in desk.facts("ev.passed_over")] == [desk.id("cat")]


@pytest.mark.spec("EV-11")
def test_in_strict_order_the_larger_party_holds_up_those_behind_it(desk: RsvpDesk) -> None:
    desk.given(cap=3, confirmed=["ann", "bob"], party_limit=3, strict_order=True)
    desk.sign_up("all", party=3)
    desk.do(SetCap(desk.event_id, 2))
    desk.sign_up("cat", party=2)
    desk.sign_up("dan")
    desk.do(Cancel(desk.id("ann")))

    assert desk.state("dan") is State.WAITING

    desk.do(Cancel(desk.id("bob")))
    assert desk.state("cat") is State.OFFERED
    assert desk.state("all") is State.WAITING


@pytest.mark.spec("EV-11")
@pytest.mark.parametrize("lane", list(Lane))
def test_a_party_larger_than_the_whole_event_is_refused_in_every_lane(
    desk: RsvpDesk, lane: Lane
) -> None:
    desk.given(cap=2, party_limit=4)

    assert desk.sign_up("all", party=3, lane=lane) == Refused(Reason.PARTY_TOO_LARGE)
    assert desk.sign_up("inv", party=3, lane=Lane.IMPORT, invite=True) == (
        Refused(Reason.PARTY_TOO_LARGE)
    )
    request = (desk.event_id, GuestId("g"), PersonId("p"), "All", "all@example.org", 3, lane)
    assert desk.refused(QueueSignUp(*request)) == Reason.PARTY_TOO_LARGE
    assert isinstance(desk.sign_up("two", party=2, lane=lane), Committed)


def test_a_single_guest_may_join_an_event_without_seats(desk: RsvpDesk) -> None:
    desk.given(cap=0, party_limit=4).sign_up("ann")

    assert desk.state("ann") is State.WAITING


@pytest.mark.spec("EV-03", "EV-11")
def test_a_waiting_party_larger_than_the_new_cap_is_told_once_and_can_come_with_fewer(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=4, confirmed=["ann", "bob"], party_limit=4)
    desk.sign_up("all", party=4)
    desk.sign_up("duo", party=3)
    desk.settle()

    desk.do(SetCap(desk.event_id, 3))

    mail = desk.mail_to("all")[-1]
    assert mail.subject == "Fewer seats than you asked for: Pottery workshop"
    assert "There are only 3 seats now, and you're waiting for 4." in mail.text
    assert len(desk.mail_to("duo")) == 1
    desk.do(ReduceParty(desk.id("all"), 1))
    assert desk.state("all") is State.OFFERED
    desk.do(SetCap(desk.event_id, 2))
    assert desk.mail_to("duo")[-1].subject == "Fewer seats than you asked for: Pottery workshop"
    told = [kept.subject for kept in desk.mail_to("all")]
    assert told.count("Fewer seats than you asked for: Pottery workshop") == 1


@pytest.mark.spec("EV-11")
def test_an_invitation_for_more_than_there_are_seats_now_is_not_confirmed(desk: RsvpDesk) -> None:
    desk.given(cap=4, party_limit=4)
    desk.sign_up("all", party=4, lane=Lane.IMPORT, invite=True)
    desk.do(SetCap(desk.event_id, 3))

    assert desk.refused(ConfirmInvitation(desk.id("all"))) == Reason.PARTY_TOO_LARGE


@pytest.mark.spec("EV-12")
def test_nobody_jumps_the_line_while_someone_in_it_is_owed_a_chance(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.run(Cancel(desk.id("ann")))

    desk.sign_up("eve")

    assert desk.state("eve") is State.WAITING
    desk.settle()
    assert desk.state("bob") is State.OFFERED


@pytest.mark.spec("EV-24")
def test_with_an_empty_line_a_freed_seat_goes_to_the_next_sign_up_at_once(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"]).do(Cancel(desk.id("ann")))

    desk.sign_up("bob")

    assert desk.state("bob") is State.CONFIRMED


@pytest.mark.spec("EV-13")
def test_an_invited_guest_holds_no_seat_until_they_confirm(desk: RsvpDesk) -> None:
    desk.given(cap=1)
    desk.sign_up("ann", lane=Lane.IMPORT, invite=True)
    desk.settle()
    assert desk.state("ann") is State.PENDING
    assert desk.seats == Seats(cap=1, free=1)

    desk.do(ConfirmInvitation(desk.id("ann")))

    assert desk.state("ann") is State.CONFIRMED
    assert desk.refused(ConfirmInvitation(desk.id("ann"))) == Reason.NOT_PENDING


@pytest.mark.spec("EV-13")
def test_with_double_opt_in_only_the_form_has_to_confirm_by_mail(desk: RsvpDesk) -> None:
    desk.given(cap=2, double_opt_in=True)
    desk.sign_up("ann")
    desk.sign_up("bob", lane=Lane.HOST)
    desk.settle()

    assert desk.states() == {"ann": State.PENDING, "bob": State.CONFIRMED}
    assert [one.subject for one in desk.mail_to("ann")] == ["Please confirm: Pottery workshop"]


@pytest.mark.spec("EV-13")
def test_a_mail_that_may_be_forged_counts_as_the_form(desk: RsvpDesk) -> None:
    desk.given(cap=3, double_opt_in=True)
    desk.sign_up("ann", lane=Lane.EMAIL)
    desk.sign_up("bob", lane=Lane.EMAIL, authenticated=True)
    desk.settle()

    assert desk.states() == {"ann": State.PENDING, "bob": State.CONFIRMED}
    assert [one.subject for one in desk.mail_to("ann")] == ["Please confirm: Pottery workshop"]


@pytest.mark.spec("EV-13")
@pytest.mark.parametrize("lane", [Lane.FORM, Lane.EMAIL])
def test_knowing_the_address_of_a_pending_guest_does_not_confirm_them(
    desk: RsvpDesk, lane: Lane
) -> None:
    desk.given(cap=1)
    desk.sign_up("ann", lane=Lane.IMPORT, invite=True)

    assert desk.sign_up("ann", lane=lane) == Refused(Reason.ALREADY_ON_THE_LIST)

    assert (desk.state("ann"), desk.seats.taken) == (State.PENDING, 0)


def test_nobody_signs_up_for_an_event_that_has_begun_or_does_not_exist(desk: RsvpDesk) -> None:
    desk.given(cap=5).wait_until(STARTS)

    assert desk.sign_up("ann") == Refused(Reason.BEGUN)
    nowhere = replace(sign_up_of("bob"), event_id=EventId("nowhere"))
    assert desk.refused(nowhere) == Reason.NO_SUCH_EVENT


def sign_up_of(who: str) -> SignUp:
    return SignUp(EventId(""), GuestId("g"), PersonId("p"), who, f"{who}@example.org", 1, Lane.FORM)


@pytest.mark.spec("EV-18", "EV-19")
def test_a_cancellation_records_the_guest_and_the_counts_and_a_second_one_changes_nothing(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"]).do(Cancel(desk.id("ann")))
    guest = desk.guest("ann")

    assert [one.fact for one in desk.facts("ev.cancelled")] == [
        GuestCancelled(
            desk.event_id,
            desk.id("ann"),
            guest.version,
            before=State.CONFIRMED,
            party=1,
            seq=0,
            taken_before=2,
            taken_after=1,
        )
    ]
    assert [one.fact for one in desk.facts("ev.seat_freed")] == [
        SeatsFreed(
            desk.event_id,
            guest_id=desk.id("ann"),
            seats=1,
            taken_before=2,
            taken_after=1,
            round=1,
        )
    ]
    assert desk.refused(Cancel(desk.id("ann"))) == Reason.ALREADY_CANCELLED
    assert (desk.guest("ann"), desk.seats.taken) == (guest, 1)


@pytest.mark.spec("EV-18")
def test_cancelling_deletes_the_guests_own_reminders_and_nobody_elses(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"])
    of_bob = {name: at for name, at in desk.timers().items() if desk.id("bob") in name}
    assert len(of_bob) == 3

    desk.do(Cancel(desk.id("ann")))

    reminders = {name: at for name, at in desk.timers().items() if "/reminder/" in name}
    assert reminders == of_bob
    desk.wait_until(STARTS)
    assert [one.subject for one in desk.mail_to("ann")] == [
        "You're in: Pottery workshop",
        "You've cancelled: Pottery workshop",
    ]


@pytest.mark.spec("EV-18")
def test_one_freed_seat_makes_one_offer(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    desk.run(Cancel(desk.id("ann")))
    desk.settle()

    assert [one.fact.about for one in desk.facts("ev.offer_made")] == [desk.id("bob")]


def test_leaving_the_line_moves_the_others_up(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("bob")))

    assert desk.reads.position(desk.guest("cat")) == 1
    assert desk.seats.waiting == 1


def test_a_smaller_party_frees_the_seats_it_does_not_need(desk: RsvpDesk) -> None:
    desk.given(cap=3, party_limit=3)
    desk.sign_up("ann", party=3)
    desk.sign_up("bob")
    desk.do(ReduceParty(desk.id("ann"), 2))

    assert desk.state("bob") is State.OFFERED
    assert desk.refused(ReduceParty(desk.id("ann"), 2)) == Reason.PARTY_NOT_SMALLER
    assert desk.refused(ReduceParty(desk.id("ann"), 0)) == Reason.PARTY_NOT_SMALLER


@pytest.mark.spec("EV-11", "EV-31")
def test_of_a_smaller_party_no_more_have_arrived_than_still_belong_to_it(desk: RsvpDesk) -> None:
    desk.given(cap=4, party_limit=4).sign_up("ann", party=4)
    desk.do(CheckIn(desk.id("ann"), 3))

    desk.do(ReduceParty(desk.id("ann"), 2))

    assert (desk.guest("ann").party, desk.guest("ann").arrived) == (2, 2)
    assert desk.reads.arrived(desk.event_id) == 2
    assert desk.problems() == []


@pytest.mark.spec("EV-03", "EV-12")
def test_new_seats_go_to_the_line_first_as_offers(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(SetCap(desk.event_id, 2))

    assert desk.states() == {"ann": State.CONFIRMED, "bob": State.OFFERED, "cat": State.WAITING}
    desk.sign_up("dan")
    assert desk.state("dan") is State.WAITING


@pytest.mark.spec("EV-03")
def test_a_cap_cut_below_what_is_taken_costs_nobody_their_seat(desk: RsvpDesk) -> None:
    desk.given(cap=3, confirmed=["ann", "bob", "cat"], line=["dan"]).do(SetCap(desk.event_id, 1))
    assert desk.seats.free == -2
    assert [desk.state(who) for who in ("ann", "bob", "cat")] == [State.CONFIRMED] * 3

    desk.do(Cancel(desk.id("ann"))).do(Cancel(desk.id("bob")))
    assert desk.state("dan") is State.WAITING

    desk.do(Cancel(desk.id("cat")))
    assert desk.state("dan") is State.OFFERED


@pytest.mark.spec("EV-03")
def test_a_pending_offer_is_taken_back_when_the_cap_is_cut(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait(hours=14)  # 23:00: quiet
    desk.do(Cancel(desk.id("ann")))
    assert (desk.state("bob"), desk.guest("bob").live) == (State.OFFERED, False)

    desk.do(SetCap(desk.event_id, 0))

    assert desk.state("bob") is State.WAITING
    assert desk.wait(hours=12).mail_to("bob")[-1].subject.startswith("You're first in line")


@pytest.mark.spec("EV-03")
def test_a_live_offer_can_only_be_claimed_while_there_is_room(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "bob"], line=["cat"]).do(Cancel(desk.id("ann")))
    desk.do(SetCap(desk.event_id, 1))

    desk.do(ClaimOffer(desk.id("cat"), 1))

    assert desk.state("cat") is State.WAITING
    assert desk.reads.position(desk.guest("cat")) == 1
    assert desk.seats.taken == 1


def test_the_told_place_in_line_counts_guests_whose_offer_lapsed(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    desk.wait(hours=6)  # Bob's offer lapses, and Cat has the next one
    desk.sign_up("dan")
    desk.settle()

    told = [one.fact for one in desk.facts("ev.waitlisted") if one.fact.about == desk.id("dan")]
    assert [fact.position for fact in told if isinstance(fact, GuestJoinedLine)] == [1]
    assert desk.reads.position(desk.guest("dan")) == 1
    assert desk.reads.position(desk.guest("bob")) == 2
    assert desk.clock.now() > NINE
    assert replace(desk.seats, rev=0) == Seats(
        cap=1, free=0, offered=1, waiting=2, owed=1, round=1, tickets=3
    )
