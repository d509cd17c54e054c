"""Messages from the sign-up to the thank-you note, on a real store."""

import pytest
from icalendar import Calendar

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.jobs import JobId
from frontdesk.core.sends import SentMessage
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.rsvp.commands import (
    CallOff,
    Cancel,
    ClaimOffer,
    DeclineOffer,
    EditEvent,
    ReduceParty,
    ResendLink,
    SendThanks,
)
from frontdesk.desks.rsvp.guest_questions import answer
from frontdesk.desks.rsvp.model import Lane
from frontdesk.desks.rsvp.story import guest_story, release_story
from frontdesk.values import replace
from tests.support.rsvp import DETAILS, HOUR, STARTS, RsvpDesk


def subjects(desk: RsvpDesk, who: str) -> list[str]:
    return [kept.subject.removesuffix(": Pottery workshop") for kept in desk.mail_to(who)]


def sequences(mails: list[SentMessage]) -> list[tuple[str, int]]:
    """Returns the method and the sequence number of each calendar file in these mails."""
    return [
        (kept.calendar_method, int(str(date["sequence"])))
        for kept in mails
        if kept.calendar is not None
        for date in Calendar.from_ical(kept.calendar).walk("VEVENT")
    ]


@pytest.mark.spec("EV-14", "EV-21", "EV-22", "EV-23")
def test_a_freed_seat_is_told_to_each_in_turn(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat", "dan"])
    desk.do(Cancel(desk.id("ann"))).wait(hours=6)
    desk.do(DeclineOffer(desk.id("cat"), 1)).do(ClaimOffer(desk.id("dan"), 1))

    assert {who: subjects(desk, who) for who in ("ann", "bob", "cat", "dan")} == {
        "ann": ["You're in", "You've cancelled"],
        "bob": ["You're first in line", "A seat for you", "Your offer has ended"],
        "cat": ["You're second in line", "A seat for you", "You've passed it on"],
        "dan": ["You're third in line", "A seat for you", "You're in"],
    }
    assert "This seat is yours until 15:00 today (SGT)." in desk.mail_to("bob")[1].text


@pytest.mark.spec("EV-30")
def test_the_story_of_the_seat_is_told_from_the_audit(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
    desk.do(Cancel(desk.id("ann"))).wait(hours=6)
    desk.do(ClaimOffer(desk.id("cat"), 1))

    told = [line.text for line in release_story(desk.reads, desk.event, desk.seats.round)]

    assert told == [
        "Ann freed 1 seat: 1 taken before, 0 after.",
        "A seat is held for Bob.",
        "The offer to Bob goes out, open until Monday 16 November 2026 at 15:00 (SGT).",
        "Bob let the offer lapse.",
        "A seat is held for Cat.",
        "The offer to Cat goes out, open until Monday 16 November 2026 at 21:00 (SGT).",
        "Cat took the offered seat.",
    ]
    assert [line.text for line in guest_story(desk.reads, desk.event, desk.id("ann"))] == [
        "Ann signed up and got a seat.",
        "Ann cancelled.",
        told[0],
    ]


@pytest.mark.spec("EV-29")
def test_questions_are_answered_from_the_store(desk: RsvpDesk) -> None:
    desk.given(cap=3, confirmed=["ann", "bob", "cat"], line=["dan"], party_limit=3)
    desk.do(Cancel(desk.id("ann"))).wait(hours=2)

    def ask(question: str) -> str:
        return answer(question, desk.reads, desk.event, desk.clock.now()).text

    assert ask("How many seats are open?") == "0 seats of 3 are free. 1 seat on offer."
    assert ask("Who cancelled today?") == "1 guest cancelled today: Ann."
    assert ask("Who is coming?") == "2 guests are coming: Bob and Cat."
    assert ask("Who has an offer?") == "Dan has an offer until 15:00 today (SGT)."
    assert ask("Is bob coming?") == "Bob is coming."


@pytest.mark.spec("EV-17", "FD-14")
def test_a_move_and_a_call_off_reach_the_calendar_in_order(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    later = replace(DETAILS, starts_at=STARTS + HOUR, ends_at=STARTS + 3 * HOUR)
    event = desk.event
    desk.do(EditEvent(event.id, event.version, event.slug, later, event.settings, JobId("move")))
    desk.do(CallOff(event.id, JobId("off"), "The kiln broke."))

    assert subjects(desk, "ann") == [
        *("You're in", "There's a change", "Called off"),
    ]
    methods, numbers = zip(*sequences(desk.mail_to("ann")), strict=True)
    assert methods == ("REQUEST", "REQUEST", "CANCEL")
    assert list(numbers) == sorted(set(numbers))
    assert sequences(desk.mail_to("bob")) == []
    assert "It was Friday 27 November 2026, 19:00 to 21:00" in desk.mail_to("ann")[1].text
    assert "The kiln broke." in desk.mail_to("bob")[-1].text


@pytest.mark.spec("FD-14")
def test_a_guest_who_returns_after_cancelling_has_the_newest_calendar_file(desk: RsvpDesk) -> None:
    desk.given(cap=2, confirmed=["ann"])
    desk.do(Cancel(desk.id("ann")))
    desk.sign_up("ann")
    desk.settle()

    methods, numbers = zip(*sequences(desk.mail_to("ann")), strict=True)
    assert methods == ("REQUEST", "CANCEL", "REQUEST")
    assert list(numbers) == sorted(set(numbers))


@pytest.mark.spec("EV-15", "EV-28", "FD-12")
def test_reminders_come_by_day_and_a_list_brought_at_night_waits(desk: RsvpDesk) -> None:
    desk.given(cap=9).wait(hours=13)
    desk.sign_up("ann", lane=Lane.FORM)
    desk.sign_up("bob", lane=Lane.IMPORT)
    desk.settle()
    assert (subjects(desk, "ann"), subjects(desk, "bob")) == (["You're in"], [])

    desk.wait_until(STARTS + 4 * HOUR)

    assert subjects(desk, "bob") == [
        "You're in",
        "Pottery workshop is in a week",
        "Pottery workshop is tomorrow",
        "Pottery workshop is today",
    ]


def test_a_smaller_party_and_a_fresh_link_are_answered(desk: RsvpDesk) -> None:
    desk.given(cap=4, party_limit=3)
    desk.sign_up("ann", party=3)
    desk.settle().do(ReduceParty(desk.id("ann"), 2)).do(ResendLink(desk.id("ann")))

    first, smaller, again = desk.mail_to("ann")
    assert "Your 2 seats are confirmed: you and 1 guest." in smaller.text
    assert again.subject == first.subject
    assert again.text != first.text


@pytest.mark.spec("EV-28")
def test_thanks_go_out_once_the_host_has_said_so(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait_until(STARTS + 20 * HOUR)
    assert desk.event.thanks.startswith("Thank you for coming to Pottery workshop.")

    desk.do(SendThanks(desk.event_id, JobId("thanks"), "It was a joy."))

    assert desk.mail_to("ann")[-1].text.startswith("It was a joy.\n")
    assert "Thank you for coming" not in subjects(desk, "bob")


@pytest.mark.spec("FD-14")
def test_a_mail_says_how_to_get_in_touch(desk: RsvpDesk) -> None:
    card = ContactCard(
        phone="+65 6123 4567", address="12 Kiln Lane", website="https://glass.example"
    )
    desk.do(SetBusiness(Business(name="Glasshouse", contact=card)))

    desk.given(cap=1, confirmed=["ann"])

    [mail] = desk.mail_to("ann")
    assert "Glasshouse\n+65 6123 4567\n12 Kiln Lane\nhttps://glass.example\n" in mail.text
    for part in ('href="tel:+6561234567"', "12 Kiln Lane", 'href="https://glass.example"'):
        assert part in mail.html
