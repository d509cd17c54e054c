import pytest

from frontdesk.core.mail import MailId
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.desk import FACTS
from frontdesk.desks.rsvp.facts import (
    AskedAgain,
    EventFact,
    GuestCancelled,
    GuestConfirmed,
    GuestInvited,
    GuestJoinedLine,
    GuestRetimed,
    HeadcountDue,
    ReminderDue,
)
from frontdesk.desks.rsvp.model import EventId, GuestId, Lane, State
from frontdesk.desks.rsvp.notes import NOTES
from frontdesk.desks.rsvp.offer_facts import OfferMade, OfferTakenBack
from frontdesk.values import replace
from tests.desks.rsvp.rows import DAY, NOW

EVENT, ANN, PERSON = EventId("supper"), GuestId("ann"), PersonId("p-ann")
CONFIRMED = GuestConfirmed(EVENT, ANN, 4, PERSON, 1, Lane.FORM, None, ())
JOINED = GuestJoinedLine(EVENT, ANN, 4, PERSON, 1, Lane.FORM, None, 1, 1)
CANCELLED = GuestCancelled(EVENT, ANN, 5, State.CONFIRMED, 1, 0, 3, 2)
REMINDER = ReminderDue(EVENT, ANN, 6, "ev/reminder/ann/1d", "1d", NOW, superseded=False)
OFFER = OfferMade(EVENT, ANN, 7, seq=2, seats=1, fills=3, last_useful_at=NOW + DAY)

#: Facts that have no notes on purpose: the host sees them in the console.
SILENT = {
    "ev.sign_up_written_down",
    "ev.created",
    "ev.edited",
    "ev.called_off",
    "ev.cap_changed",
    "ev.seat_freed",
    "ev.unsubscribed",
    "ev.passed_over",
    "ev.moved_in_line",
    "ev.arrived",
    "ev.offer_armed",
    "ev.offer_disarmed",
    "ev.offer_shortened",
    "ev.offer_undelivered",
    "ev.job_begun",
}


def note(fact: EventFact) -> Note:
    made = NOTES[type(fact)](fact)
    assert made is not None
    return made


def test_an_offer_is_held_in_quiet_hours_and_worth_saying_until_the_start() -> None:
    assert note(OFFER) == Note(
        "offer",
        to="ann",
        key="ev/supper/ann/offer/2",
        subject="supper",
        about="ann",
        quiet=Quiet.HOLD,
        tell_by=NOW + DAY,
        params={"seq": 2},
    )


@pytest.mark.spec("FD-04")
def test_a_repeat_has_the_same_key_and_a_new_occasion_another() -> None:
    occasions = [
        CONFIRMED,
        replace(CONFIRMED, version=8),
        OFFER,
        replace(OFFER, seq=3),
        REMINDER,
        replace(REMINDER, due_at=NOW + DAY),
        replace(REMINDER, rule="7d"),
        AskedAgain(EVENT, ANN, 1, State.CONFIRMED, cancel_link=False, mail_id=MailId("one")),
        AskedAgain(EVENT, ANN, 1, State.CONFIRMED, cancel_link=False, mail_id=MailId("two")),
    ]
    keys = [note(fact).key for fact in occasions]

    assert len(set(keys)) == len(keys)
    assert [note(replace(fact)).key for fact in occasions] == keys
    assert note(REMINDER).key == "ev/supper/ann/reminder/1d/2026-11-19T02:00:00+00:00"


@pytest.mark.spec("EV-14", "FD-12")
def test_a_reply_to_a_guests_own_action_goes_at_once() -> None:
    asked = [
        CONFIRMED,
        replace(CONFIRMED, lane=Lane.EMAIL),
        replace(CONFIRMED, lane=Lane.IMPORT, before=State.PENDING),
        replace(CONFIRMED, lane=Lane.IMPORT, before=State.OFFERED, seq=1),
        JOINED,
        CANCELLED,
        GuestInvited(EVENT, ANN, 1, PERSON, 1, Lane.FORM, opt_in=True),
    ]

    assert {note(fact).quiet for fact in asked} == {Quiet.IGNORE}


@pytest.mark.spec("FD-12")
def test_a_mail_about_an_action_of_the_host_waits_for_the_morning() -> None:
    not_asked = [
        replace(CONFIRMED, lane=Lane.IMPORT),
        replace(JOINED, lane=Lane.HOST),
        replace(CANCELLED, by_host=True),
        GuestInvited(EVENT, ANN, 1, PERSON, 1, Lane.IMPORT, opt_in=False),
        REMINDER,
        OFFER,
    ]

    assert {note(fact).quiet for fact in not_asked} == {Quiet.HOLD}


def test_an_answer_keeps_the_mail_that_it_answers() -> None:
    asked = replace(CONFIRMED, lane=Lane.EMAIL, mail_id=MailId("one"))

    assert note(asked).params == {"mail_id": "one"}


def test_nobody_is_told_the_end_of_something_they_did_not_know_about() -> None:
    untold = OfferTakenBack(EVENT, ANN, 8, seq=1, seats=1, seen=0, was_live=False)
    late = replace(REMINDER, superseded=True)
    quietly = GuestRetimed(EVENT, ANN, 8, (), tell=False, sequence=0, state=State.CONFIRMED)

    assert [NOTES[type(fact)](fact) for fact in (untold, late, quietly)] == [None, None, None]


def test_hosts_are_told_at_once() -> None:
    assert note(HeadcountDue(EVENT, NOW)) == Note(
        "headcount",
        to=To.HOSTS,
        key="ev/supper/headcount/2026-11-19T02:00:00+00:00",
        subject="supper",
        quiet=Quiet.IGNORE,
    )


def test_every_fact_is_told_or_silent_on_purpose() -> None:
    assert {kind.kind for kind in set(FACTS) - NOTES.keys()} == SILENT
