"""A freed seat is offered to one guest at a time, held for them, and rolls on."""

from datetime import timedelta

import pytest

from frontdesk.desks.rsvp.commands import (
    ArmOffer,
    Cancel,
    ClaimOffer,
    DeclineOffer,
    DisarmOffer,
    LapseOffer,
    SetCap,
    TakeFreeSeat,
    WithdrawOffer,
)
from frontdesk.desks.rsvp.model import Offer, OfferState, State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.values import replace
from tests.support.rsvp import DETAILS, HOUR, NINE, STARTS, RsvpDesk


@pytest.mark.spec("EV-20", "EV-21")
def test_a_freed_seat_is_offered_to_the_first_in_line_and_held_for_them(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))

    assert desk.offers("bob") == [
        Offer(
            desk.event_id,
            desk.id("bob"),
            seq=1,
            seats=1,
            state=OfferState.LIVE,
            made_at=NINE,
            armed_at=NINE,
            claim_by=NINE + 6 * HOUR,
            fills=1,
        )
    ]
    assert desk.timers()[f"ev/offer/{desk.id('bob')}/1"] == NINE + 6 * HOUR
    desk.sign_up("dan")
    assert desk.state("dan") is State.WAITING
    mail = desk.mail_to("bob")[-1]
    assert "15:00 today" in mail.text
    assert mail.text.count("/l/") >= 2


@pytest.mark.spec("EV-22")
def test_a_claim_in_time_confirms_books_reminders_and_deletes_the_timer(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    desk.wait(minutes=20)

    desk.do(ClaimOffer(desk.id("bob"), 1))

    guest = desk.guest("bob")
    assert (guest.state, len(guest.reminders)) == (State.CONFIRMED, 3)
    assert f"ev/offer/{desk.id('bob')}/1" not in desk.timers()
    assert set(guest.reminders) <= set(desk.timers())
    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"
    assert desk.offers("bob")[0].state is OfferState.CLAIMED


@pytest.mark.spec("EV-25", "FD-05")
def test_a_claim_is_good_until_the_second_before_the_deadline_and_dead_at_it(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=2, confirmed=["ann", "abe"], line=["bob", "cat"])
    desk.run(Cancel(desk.id("ann")))
    desk.do(Cancel(desk.id("abe")))
    deadline = NINE + 6 * HOUR

    desk.clock.move_to(deadline - timedelta(seconds=1))
    desk.run(ClaimOffer(desk.id("bob"), 1))
    desk.clock.move_to(deadline)

    assert desk.refused(ClaimOffer(desk.id("cat"), 1)) == Reason.TOO_LATE
    assert desk.refused(DeclineOffer(desk.id("cat"), 1)) == Reason.TOO_LATE
    assert (desk.state("bob"), desk.state("cat")) == (State.CONFIRMED, State.OFFERED)


@pytest.mark.spec("EV-23")
def test_a_lapsed_offer_rolls_on_to_the_next_in_line_with_a_fresh_window(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))

    desk.wait(hours=6)

    assert [(one.state, one.claim_by) for one in desk.offers("cat")] == [
        (OfferState.LIVE, NINE + 12 * HOUR)
    ]
    assert desk.offers("bob")[0].state is OfferState.EXPIRED
    assert desk.mail_to("bob")[-1].subject == "Your offer has ended: Pottery workshop"


@pytest.mark.spec("EV-23")
def test_a_guest_whose_offer_lapsed_waits_behind_those_who_had_none(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "abe"], line=["bob", "cat", "dan"])
    desk.do(Cancel(desk.id("ann"))).wait(hours=6)
    desk.do(ClaimOffer(desk.id("cat"), 1))

    desk.do(Cancel(desk.id("abe")))

    assert desk.states()["dan"] is State.OFFERED
    assert desk.states()["bob"] is State.WAITING
    assert desk.reads.position(desk.guest("bob")) == 1


@pytest.mark.spec("EV-23")
def test_nobody_is_offered_the_same_seat_twice_and_nobody_is_skipped(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat", "dan"]).do(Cancel(desk.id("ann")))

    desk.wait(days=3)

    offered = [one.fact.about for one in desk.facts("ev.offer_made")]
    assert offered == [desk.id("bob"), desk.id("cat"), desk.id("dan")]
    assert desk.seats.free == 1


@pytest.mark.spec("EV-24")
def test_when_all_have_had_their_chance_the_next_sign_up_is_confirmed(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann"))).wait(hours=7)

    desk.sign_up("eve")

    assert desk.state("eve") is State.CONFIRMED


def test_a_waiting_guest_who_asks_again_gets_a_seat_that_nobody_is_owed(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann"))).wait(hours=7)

    desk.sign_up("bob")

    assert desk.state("bob") is State.CONFIRMED


@pytest.mark.spec("EV-23", "EV-24")
def test_after_a_lapsed_offer_a_guest_may_take_the_seat_while_nobody_is_owed_it(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    assert desk.refused(TakeFreeSeat(desk.id("bob"))) == Reason.NOT_WAITING
    desk.wait(hours=6)
    mail = desk.mail_to("bob")[-1]
    assert mail.subject == "Your offer has ended: Pottery workshop"
    assert (
        "We didn't hear from you in time. Nobody else is waiting for it, so it is open to"
        " everybody. You can still take it on your page, as long as nobody else has."
    ) in " ".join(mail.text.split())

    desk.do(TakeFreeSeat(desk.id("bob")))

    assert desk.state("bob") is State.CONFIRMED
    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"
    assert len(desk.guest("bob").reminders) == 3
    assert (desk.seats.free, desk.seats.taken, desk.seats.waiting) == (0, 1, 0)
    assert desk.refused(TakeFreeSeat(desk.id("bob"))) == Reason.NOT_WAITING


@pytest.mark.spec("EV-12", "EV-23")
def test_a_seat_that_somebody_is_owed_is_not_free_for_a_guest_who_let_it_pass(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    desk.wait(hours=6)
    assert "It goes to the next in line." in desk.mail_to("bob")[-1].text

    assert desk.refused(TakeFreeSeat(desk.id("bob"))) == Reason.FULL


@pytest.mark.spec("EV-24")
def test_a_newcomer_may_take_the_open_seat_first_and_all_pages_show_it(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.wait_until(NINE + 9 * HOUR).do(Cancel(desk.id("ann")))  # 18:00, so it lapses at night
    desk.wait_until(NINE + 16 * HOUR)

    desk.sign_up("dan")
    desk.wait(hours=9)

    assert (desk.state("dan"), desk.state("bob")) == (State.CONFIRMED, State.WAITING)
    assert desk.refused(TakeFreeSeat(desk.id("bob"))) == Reason.FULL
    mail = desk.mail_to("bob")[-1]
    assert mail.subject == "Your offer has ended: Pottery workshop"
    assert "Somebody else has taken it. You're still on the list: first in line." in mail.text


@pytest.mark.spec("EV-23")
def test_a_declined_offer_rolls_on_at_once_and_the_place_is_kept(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann", "abe"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))

    desk.do(DeclineOffer(desk.id("bob"), 1))

    assert desk.state("cat") is State.OFFERED
    assert desk.do(Cancel(desk.id("abe"))).state("bob") is State.OFFERED


def test_a_guest_who_claims_and_cancels_is_out_and_the_seat_goes_to_the_next(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    desk.do(ClaimOffer(desk.id("bob"), 1)).do(Cancel(desk.id("bob")))

    assert desk.states()["cat"] is State.OFFERED
    assert desk.refused(ClaimOffer(desk.id("bob"), 1)) == Reason.OFFER_GONE


def test_cancelling_while_offered_passes_the_seat_on(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))

    desk.do(Cancel(desk.id("bob")))

    assert desk.states()["cat"] is State.OFFERED
    assert desk.offers("bob")[0].state is OfferState.WITHDRAWN


@pytest.mark.spec("EV-18", "EV-21")
def test_cancelling_while_an_offer_runs_deletes_its_timer(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    timer = f"ev/offer/{desk.id('bob')}/1"
    assert timer in desk.timers()

    desk.do(Cancel(desk.id("bob")))

    assert timer not in desk.timers()
    assert desk.problems() == []


@pytest.mark.spec("EV-25")
def test_in_quiet_hours_an_offer_is_held_and_its_window_starts_when_it_is_sent(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait(hours=14)  # 23:00
    desk.do(Cancel(desk.id("ann")))
    assert desk.guest("bob").live is False
    assert len(desk.mail_to("bob")) == 1

    desk.wait(hours=9)  # 08:00

    assert desk.guest("bob").claim_by == NINE + 29 * HOUR
    assert desk.mail_to("bob")[-1].sent_at == NINE + 23 * HOUR


@pytest.mark.spec("EV-25")
@pytest.mark.parametrize(("time_critical", "sent_after"), [(True, 0), (False, 9)])
def test_if_the_morning_leaves_less_than_a_window_the_host_decides(
    desk: RsvpDesk, time_critical: bool, sent_after: int
) -> None:
    starts = NINE + 27 * HOUR  # noon tomorrow
    desk.given(
        cap=1,
        confirmed=["ann"],
        line=["bob"],
        details=replace(DETAILS, starts_at=starts, ends_at=starts + HOUR),
        time_critical=time_critical,
    ).wait(hours=14)
    desk.do(Cancel(desk.id("ann")))
    desk.wait(hours=9)

    offer = desk.offers("bob")[0]
    sent_at = NINE + (14 + sent_after) * HOUR
    assert offer.armed_at == sent_at
    assert offer.claim_by == min(sent_at + 6 * HOUR, starts)


@pytest.mark.spec("EV-25")
def test_no_offer_is_made_once_the_event_has_begun(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait_until(STARTS)

    desk.do(Cancel(desk.id("ann")))

    assert desk.state("bob") is State.WAITING
    assert desk.seats.free == 1


def test_an_early_timer_rings_again_at_the_deadline(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))

    desk.do(LapseOffer(desk.id("bob"), 1))

    assert desk.guest("bob").live
    assert desk.timers()[f"ev/offer/{desk.id('bob')}/1"] == NINE + 6 * HOUR


def test_a_refused_message_stops_the_window_and_arming_again_starts_a_fresh_one(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))
    desk.do(DisarmOffer(desk.id("bob"), 1))
    assert f"ev/offer/{desk.id('bob')}/1" not in desk.timers()
    assert desk.refused(ClaimOffer(desk.id("bob"), 1)) == Reason.OFFER_GONE

    desk.wait(hours=1).do(ArmOffer(desk.id("bob"), 1))

    assert desk.guest("bob").claim_by == NINE + 7 * HOUR


def test_arming_twice_keeps_the_deadline(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(desk.id("ann")))

    desk.wait(hours=1).do(ArmOffer(desk.id("bob"), 1))

    assert desk.guest("bob").claim_by == NINE + 6 * HOUR


def test_an_offer_that_nobody_can_be_told_of_rolls_on(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))

    desk.do(WithdrawOffer(desk.id("bob"), 1))

    assert desk.states()["cat"] is State.OFFERED
    assert desk.guest("bob").lapsed


@pytest.mark.spec("EV-03")
def test_an_offer_whose_mail_comes_up_while_the_event_is_in_debt_is_neither_sent_nor_lost(
    desk: RsvpDesk,
) -> None:
    """Quiet hours hold two offers; the host cuts the cap by one before their mails go out."""
    desk.given(cap=3, confirmed=["ann", "abe", "ada"], line=["bob", "cat"]).wait(hours=14)
    desk.do(Cancel(desk.id("ann"))).do(Cancel(desk.id("abe")))
    desk.clock.move_to(NINE + 23 * HOUR)
    desk.run(SetCap(desk.event_id, 2))

    desk.product.runtime.sender.step(desk.clock.now())  # before a follower handles the cut
    desk.settle()
    assert (desk.state("bob"), desk.state("cat")) == (State.OFFERED, State.WAITING)

    desk.wait(minutes=2)
    assert desk.guest("bob").live
    assert desk.mail_to("bob")[-1].subject == "A seat for you: Pottery workshop"
