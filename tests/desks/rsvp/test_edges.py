"""Edge cases: two instants or two conditions that coincide."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, TimerName
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.commands import (
    ArmOffer,
    CallOff,
    Cancel,
    LapseOffer,
    SendThanks,
    SetCap,
    Unsubscribe,
)
from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Fired
from frontdesk.errors import Conflict
from frontdesk.values import replace
from tests.desks.rsvp.test_hosting import edit
from tests.support.rsvp import DETAILS, HOUR, NINE, STARTS, RsvpDesk

DAY = timedelta(days=1)


@pytest.mark.spec("EV-15", "EV-17")
def test_a_reminder_that_a_new_setting_puts_at_this_very_second_is_not_set(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=1, confirmed=["ann"], reminders=("1d",))
    desk.wait_until(STARTS - 2 * DAY)

    desk.do(edit(desk, reminders=("2d",)))
    desk.wait_until(STARTS)

    assert desk.guest("ann").reminders == ()
    assert len(desk.mail_to("ann")) == 1


@pytest.mark.spec("EV-15")
def test_a_reminder_a_second_ahead_is_set_and_goes_out_at_its_time(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], reminders=("1d",))
    desk.wait_until(STARTS - 2 * DAY - timedelta(seconds=1))

    desk.do(edit(desk, reminders=("2d",)))
    desk.wait_until(STARTS)

    assert [mail.sent_at for mail in desk.mail_to("ann")[1:]] == [STARTS - 2 * DAY]


@pytest.mark.spec("EV-15", "EV-16")
def test_of_two_reminders_that_are_found_due_together_only_the_newer_one_goes_out(
    desk: RsvpDesk,
) -> None:
    """The machine was off until the very second at which the newer reminder is due."""
    desk.given(cap=1, confirmed=["ann"], reminders=("7d", "1d"))

    desk.clock.move_to(STARTS - DAY)
    desk.settle()
    desk.wait_until(STARTS)

    assert [mail.sent_at for mail in desk.mail_to("ann")[1:]] == [STARTS - DAY]


@pytest.mark.spec("EV-17", "FD-12")
@pytest.mark.parametrize(
    ("starts_after_quiet_hours", "told_at_night"),
    [(timedelta(), True), (timedelta(seconds=1), False)],
    ids=["as quiet hours end", "a second after they end"],
)
def test_a_call_off_at_night_waits_only_if_the_event_starts_after_the_night(
    desk: RsvpDesk, starts_after_quiet_hours: timedelta, told_at_night: bool
) -> None:
    eight = datetime(2026, 11, 17, 0, 0, tzinfo=UTC)  # in Singapore
    starts_at = eight + starts_after_quiet_hours
    details = replace(DETAILS, starts_at=starts_at, ends_at=starts_at + 2 * HOUR)
    desk.given(cap=1, confirmed=["ann"], details=details)
    night = eight - 6 * HOUR
    desk.wait_until(night)

    desk.do(CallOff(desk.event_id, JobId("j"), "The kiln is broken."))

    desk.wait_until(eight)
    last = desk.mail_to("ann")[-1]
    assert last.subject == "Called off: Pottery workshop"
    assert last.sent_at == (night if told_at_night else eight)


@pytest.mark.spec("EV-28", "FD-15")
def test_thanks_go_to_confirmed_guests_who_have_not_unsubscribed_and_to_nobody_else(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=3, confirmed=["ann", "bob", "abe"], line=["cat"])
    desk.do(Unsubscribe(desk.id("bob"), out=True))
    desk.wait_until(STARTS - HOUR).do(Cancel(desk.id("abe")))
    states = desk.states()
    assert (states["abe"], states["cat"]) == (State.CANCELLED, State.OFFERED)
    desk.wait_until(STARTS + 2 * DAY)

    desk.do(SendThanks(desk.event_id, JobId("j"), "It was lovely to have you."))
    desk.wait(hours=24)

    thanked = [who for who in desk.ids if "lovely to have you" in desk.mail_to(who)[-1].text]
    assert thanked == ["ann"]
    due = {each.fact.about for each in desk.facts("ev.thanks_due")}
    assert due == {desk.id("ann"), desk.id("bob")}, "who came, whatever they want to read"


@pytest.mark.spec("EV-03")
def test_an_offer_is_not_armed_while_the_event_is_in_debt(desk: RsvpDesk) -> None:
    """The rule refuses it, and so does the write if the debt came after the rule has read the
    rows."""
    desk.given(cap=3, confirmed=["ann", "abe", "ada"], line=["bob"]).wait(hours=14)
    desk.do(Cancel(desk.id("ann")))
    bob = desk.guest("bob")
    assert (bob.state, bob.live) == (State.OFFERED, False)
    desk.run(SetCap(desk.event_id, 1))

    assert desk.refused(ArmOffer(bob.id, bob.seq)) == Reason.IN_DEBT
    assert not desk.guest("bob").live
    assert desk.timers().keys().isdisjoint({f"ev/offer/{bob.id}/{bob.seq}"})


@pytest.mark.spec("EV-03")
def test_an_offer_that_was_armed_by_a_rule_that_saw_no_debt_is_not_written_into_one(
    desk: RsvpDesk,
) -> None:
    desk.given(cap=3, confirmed=["ann", "abe", "ada"], line=["bob"]).wait(hours=14)
    desk.do(Cancel(desk.id("ann")))
    bob, engine = desk.guest("bob"), desk.product.engine
    decision = engine.ask(ArmOffer(bob.id, bob.seq), desk.clock.now())(engine.reads())
    assert isinstance(decision, Accepted)
    desk.run(SetCap(desk.event_id, 1))

    with pytest.raises(Conflict):
        engine.store.commit(decision, by="test", at=desk.clock.now())

    assert not desk.guest("bob").live


@pytest.mark.spec("EV-21", "EV-23")
def test_a_lapse_timer_that_rings_early_rings_again_at_the_deadline(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(desk.id("ann")))
    bob = desk.guest("bob")
    assert bob.claim_by == NINE + 6 * HOUR
    name = f"ev/offer/{bob.id}/{bob.seq}"
    [timer] = [each for each in desk.timers() if each == name]
    desk.wait(hours=1)
    fired = Fired(TimerName(timer), bob.claim_by)
    command = LapseOffer(bob.id, bob.seq)
    desk.product.engine.run(command, by="timer", now=desk.clock.now(), cause=fired)

    assert desk.timers()[name] == bob.claim_by
    desk.wait_until(bob.claim_by)
    assert (desk.state("bob"), desk.state("cat")) == (State.WAITING, State.OFFERED)
