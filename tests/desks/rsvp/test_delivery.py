from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from html.parser import HTMLParser

import pytest
from icalendar import Calendar, Component

from frontdesk.channels.mime import to_mime
from frontdesk.core.mail import MailId, ReplyHeaders
from frontdesk.core.messages import Message
from frontdesk.core.notes import Note, To
from frontdesk.core.people import Person
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.rsvp import facts, offer_facts
from frontdesk.desks.rsvp.commands import ArmOffer, DisarmOffer, WithdrawOffer
from frontdesk.desks.rsvp.delivery import delivery_rules, recipients, when
from frontdesk.desks.rsvp.links import GuestLink, Purpose, read_guest_link
from frontdesk.desks.rsvp.messages import KINDS, WORDINGS, messages
from frontdesk.desks.rsvp.messages.context import EventMail
from frontdesk.desks.rsvp.model import EventSettings, EventState, Guest, Lane, State, Wording
from frontdesk.desks.rsvp.notes import NOTES
from frontdesk.engine.desk import Drop, HoldUntil, SendNow
from frontdesk.features.messages.render import renderer
from frontdesk.values import replace
from tests.desks.rsvp.rows import (
    DAY,
    EVENT_ID,
    HOST_ID,
    HOUR,
    KEYS,
    NOW,
    SENDER,
    SUPPER,
    Rows,
    a_send,
)

#: Half past ten in the evening in Singapore, the day before the event.
NIGHT = datetime(2026, 11, 19, 14, 30, tzinfo=UTC)
MORNING = datetime(2026, 11, 20, 0, 0, tzinfo=UTC)
MAIL_ID = MailId("mail-1")
NO_MAIL = EventMail()


def note_of(fact: facts.EventFact) -> Note:
    note = NOTES[type(fact)](fact)
    assert note is not None
    return note


def rendered(
    rows: Rows, fact: facts.EventFact, now: datetime = NOW, event_mail: EventMail = NO_MAIL
) -> SendNow | Drop:
    note = note_of(fact)
    (person_id,) = recipients(rows, note)
    return renderer(messages(event_mail), lambda _reads: SENDER)(rows, a_send(note, person_id), now)


def mail(
    rows: Rows, fact: facts.EventFact, now: datetime = NOW, event_mail: EventMail = NO_MAIL
) -> Message:
    said = rendered(rows, fact, now, event_mail)
    assert isinstance(said, SendNow), said
    assert isinstance(said.message, Message)
    return said.message


def confirmed(guest: Guest) -> facts.GuestConfirmed:
    return facts.GuestConfirmed(
        EVENT_ID,
        guest.id,
        guest.version,
        guest.person_id,
        1,
        Lane.FORM,
        None,
        (),
    )


def cancelled(guest: Guest, before: State = State.CONFIRMED) -> facts.GuestCancelled:
    return facts.GuestCancelled(EVENT_ID, guest.id, 2, before, 1, 0, 3, 2)


def reminder(guest: Guest) -> facts.ReminderDue:
    return facts.ReminderDue(EVENT_ID, guest.id, 2, "timer", "1d", NOW, superseded=False)


def offer(guest: Guest, seq: int = 1) -> offer_facts.OfferMade:
    return offer_facts.OfferMade(EVENT_ID, guest.id, 2, seq, 1, 1, SUPPER.starts_at)


def moved(guest: Guest) -> facts.GuestRetimed:
    return facts.GuestRetimed(EVENT_ID, guest.id, 2, (), True, 1, guest.state)


def told_of_call_off(guest: Guest) -> facts.GuestToldOfCallOff:
    return facts.GuestToldOfCallOff(EVENT_ID, guest.id, 2, guest.state, 1)


def move(rows: Rows, by: timedelta) -> None:
    """Moves the event as the host does, with the facts."""
    before = rows.event_row
    later = replace(
        before.details,
        starts_at=before.details.starts_at + by,
        ends_at=before.details.ends_at + by,
    )
    rows.record(facts.EventCreated(EVENT_ID, before.slug, before.details, before.settings, 4))
    rows.record(facts.EventEdited(EVENT_ID, before.slug, later, before.settings, 1, 1, True, True))
    rows.edit(details=later, sequence=1)


# --- the content of mails ---------------------------------------------------------------------


@pytest.mark.spec("EV-14", "FD-13")
def test_the_confirmation_has_the_details_a_cancel_link_and_a_calendar_file() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)

    said = mail(rows, confirmed(ann))

    manage = _url(said.text, "See my ticket:")
    assert said.subject == "You're in: Supper Club"
    assert said.text == (
        "You're in.\n\n"
        "Your seat is confirmed. The calendar file is attached.\n\n"
        "Supper Club\n"
        "Friday 20 November 2026, 18:00 to 21:00 (SGT)\n"
        "5 Keong Saik Road, Singapore\n\n"
        f"See my ticket:\n{manage}\n\n"
        f"Can't make it after all? Give your seat back:\n{manage}?do=cancel\n\n"
        "-- \nThe Long Table\nYou get this mail because you signed up for Supper Club.\n"
    )
    assert _opened(manage) == GuestLink(Purpose.MANAGE, ann.id)
    assert said.calendar is not None
    assert said.calendar_method == "REQUEST"


@pytest.mark.spec("EV-14")
def test_a_waiting_guest_is_told_their_place_and_gets_no_calendar_file() -> None:
    rows = Rows()
    rows.add("Ann Lee", State.WAITING)
    rows.add("Bob Ong", State.WAITING)
    cat = rows.add("Cat Wu", State.WAITING, party=2)
    joined = facts.GuestJoinedLine(EVENT_ID, cat.id, 1, cat.person_id, 2, Lane.FORM, None, 3, 3)

    said = mail(rows, joined)

    assert said.subject == "You're third in line: Supper Club"
    assert "You asked for 2 seats. We'll offer them to you together." in said.text
    assert said.calendar is None


@pytest.mark.spec("EV-21")
def test_the_offer_says_until_when_and_has_a_claim_and_a_decline_link() -> None:
    rows = Rows()
    bob = rows.offer_to("Bob Ong", claim_by=NOW + 6 * HOUR, seq=4)

    said = mail(rows, offer(bob, seq=4))

    assert said.subject == "A seat for you: Supper Club"
    assert said.text.startswith("This seat is yours until 16:00 today (SGT).\n")
    assert _opened(_url(said.text, "Take the seat:")) == GuestLink(Purpose.OFFER, bob.id, 4)
    assert _opened(_url(said.text, "Pass it on:")) == GuestLink(Purpose.DECLINE, bob.id, 4)


def test_a_mail_read_tomorrow_names_the_day_of_the_deadline() -> None:
    rows = Rows()
    bob = rows.offer_to("Bob Ong", claim_by=NOW + 16 * HOUR, party=3)

    said = mail(rows, offer(bob))

    assert "These 3 seats are yours until Friday 20 November, 02:00 (SGT)." in said.text
    assert said.subject == "3 seats for you: Supper Club"


def test_a_party_gets_one_mail_that_says_how_many() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED, party=3)

    assert "Your 3 seats are confirmed: you and 2 guests." in mail(rows, confirmed(ann)).text


def test_a_reminder_says_how_soon_by_the_events_own_calendar() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    times = (NOW - 6 * DAY, NOW, NIGHT, NIGHT + 2 * HOUR)

    assert [mail(rows, reminder(ann), now).subject for now in times] == [
        "Supper Club is in a week",
        "Supper Club is tomorrow",
        "Supper Club is tomorrow",
        "Supper Club is today",
    ]


def test_the_mail_about_a_lapsed_offer_tells_the_place_in_line() -> None:
    rows = Rows()
    bob = rows.add("Bob Ong", State.WAITING, lapsed=True, seq=1)

    said = mail(rows, offer_facts.OfferLapsed(EVENT_ID, bob.id, 3, 1, 1, 1))

    assert said.subject == "Your offer has ended: Supper Club"
    assert "You're still on the list: first in line." in said.text


def test_the_mail_about_a_change_has_the_old_and_the_new_value() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    move(rows, HOUR)

    assert (
        "It's now on Friday 20 November 2026, 19:00 to 22:00 (SGT)."
        " It was Friday 20 November 2026, 18:00 to 21:00 (SGT).\n\nYour seat is still yours."
    ) in mail(rows, moved(ann)).text


@pytest.mark.spec("EV-28")
def test_the_headcount_goes_to_the_hosts_with_what_changed() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED, party=2)
    rows.add("Bob Ong", State.WAITING)
    rows.record(confirmed(ann), at=NOW - HOUR)
    rows.record(confirmed(ann), at=NOW - 2 * DAY)

    said = mail(rows, facts.HeadcountDue(EVENT_ID, NOW))

    assert (said.to_email, said.subject) == (
        "dora@example.org",
        "2 of 4 seats taken: Supper Club",
    )
    assert (
        "Taken: 2 of 4\nOn offer: 0\nFree: 2\nIn line: 1\nCancelled: 0\n\n"
        "Since yesterday: 1 confirmed, 0 cancelled."
    ) in said.text


@pytest.mark.spec("EV-28", "FD-15")
def test_thanks_are_the_hosts_words_and_can_be_stopped_with_one_click() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    rows.edit(thanks="Thank you.\n\n<b>Come again</b> & soon.")

    said = mail(rows, facts.ThanksDue(EVENT_ID, ann.id, 2), SUPPER.ends_at + DAY)

    assert said.text.startswith("Thank you.\n\n<b>Come again</b> & soon.\n")
    assert "&lt;b&gt;Come again&lt;/b&gt; &amp; soon." in said.html
    assert said.unsubscribe_url is not None
    assert _opened(said.unsubscribe_url) == GuestLink(Purpose.UNSUBSCRIBE, ann.id)


def test_an_answer_goes_into_the_thread_of_the_mail_that_it_answers() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    again = facts.AskedAgain(EVENT_ID, ann.id, 1, State.CONFIRMED, True, MAIL_ID)
    hers = {MAIL_ID: ReplyHeaders("<her@example.org>", "")}
    inbound = EventMail("in.desk.example", lambda _reads, mail_id: hers.get(mail_id))

    said = mail(rows, again, event_mail=inbound)

    assert (said.in_reply_to, said.references) == ("<her@example.org>", ("<her@example.org>",))
    assert said.reply_to == "supper-club@in.desk.example"
    assert said.subject == "Do you want to cancel? Supper Club"
    assert _url(said.text, "Yes, cancel:").endswith("?do=cancel")


def test_a_reply_to_a_deleted_mail_starts_its_own_thread() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)

    said = mail(rows, replace(confirmed(ann), mail_id=MAIL_ID))

    assert (said.in_reply_to, said.references) == (None, ())
    assert said.subject == mail(rows, confirmed(ann)).subject


def test_an_answer_that_is_meant_for_people_does_not_go_to_the_events_own_address() -> None:
    inbound = EventMail("in.desk.example")

    def answered_at(kind: str) -> str | None:
        rows = Rows()
        return mail(rows, every_mail()[kind](rows), event_mail=inbound).reply_to

    for_people = {kind for kind in every_mail() if answered_at(kind) is None}
    assert for_people == {"removed", "thanks", "headcount", "thanks_drafted"}


def test_a_link_sent_again_is_a_fresh_one_in_the_mail_that_fits() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)

    first = mail(rows, confirmed(ann))
    again = mail(rows, facts.LinkResent(EVENT_ID, ann.id, 2, State.CONFIRMED, nth=2))

    assert again.subject == first.subject
    assert _url(again.text, "See my ticket:") != _url(first.text, "See my ticket:")
    assert _opened(_url(again.text, "See my ticket:")) == GuestLink(Purpose.MANAGE, ann.id)


@pytest.mark.spec("FD-13")
def test_the_business_can_say_it_in_its_own_words() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    own = Wording(
        "Yay, {{ name }}",
        "See you at {{ where }}.\n\nOut:\n{{ cancel_link }}\n\n{{ details }}",
    )
    rows.wordings["confirmed"] = own

    said = mail(rows, confirmed(ann))

    assert said.subject == "Yay, Ann Lee"
    assert said.text.startswith("See you at 5 Keong Saik Road, Singapore.\n\nOut:\nhttps://")
    assert mail(rows, reminder(ann)).subject == "Supper Club is tomorrow"


@pytest.mark.spec("FD-28")
def test_a_name_typed_by_a_stranger_is_not_repeated_in_a_mail() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    rows.people[ann.person_id] = Person(
        ann.person_id, "You won 1000 dollars, go to evil dot example", "victim@example.org"
    )

    said = mail(rows, confirmed(ann))

    assert said.calendar is not None
    assert "evil" not in said.text + said.html + said.to_name + said.calendar.decode()


# --- outdated notes are not sent --------------------------------------------------------------


def test_a_message_that_is_no_longer_true_is_not_sent() -> None:
    rows = Rows()
    gone = rows.add("Ann Lee", State.CANCELLED)
    back = rows.add("Bob Ong", State.CONFIRMED)
    live = rows.offer_to("Cat Wu", claim_by=NOW + HOUR, seq=2)
    held = rows.add("Dan Tan", State.OFFERED, seq=1)
    joined = facts.GuestJoinedLine(EVENT_ID, back.id, 1, back.person_id, 1, Lane.FORM, None, 1, 1)
    invited = facts.GuestInvited(EVENT_ID, back.id, 1, back.person_id, 1, Lane.IMPORT, False)

    assert [
        rendered(rows, reminder(gone)),
        rendered(rows, confirmed(gone)),
        rendered(rows, cancelled(back)),
        rendered(rows, joined),
        rendered(rows, invited),
        rendered(rows, offer(gone)),
        rendered(rows, offer(live, seq=1)),
        rendered(rows, offer(held)),
        rendered(rows, offer(live, seq=2), NOW + HOUR),
        rendered(rows, reminder(back), SUPPER.starts_at),
        rendered(rows, told_of_call_off(back)),
    ] == [
        Drop("no longer coming"),
        Drop("no longer coming"),
        Drop("back on the list"),
        Drop("no longer in line"),
        Drop("has answered already"),
        Drop("this offer has ended"),
        Drop("this offer has ended"),
        Drop("this offer is not live"),
        Drop("this offer has passed on"),
        Drop("the event has begun"),
        Drop("the event takes place after all"),
    ]


def test_an_erased_person_gets_no_messages() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    rows.people[ann.person_id] = Person(ann.person_id, "", "", erased=True)

    assert rendered(rows, confirmed(ann)) == Drop("this person was erased")


def test_a_change_that_has_been_overtaken_is_told_once_by_the_newer_one() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    move(rows, HOUR)
    rows.edit(sequence=2)

    assert rendered(rows, moved(ann)) == Drop("has changed again")


# --- quiet hours ------------------------------------------------------------------------------


def asked_when(rows: Rows, fact: facts.EventFact, now: datetime) -> HoldUntil | Drop | None:
    note = note_of(fact)
    (person_id,) = recipients(rows, note)
    return when(rows, a_send(note, person_id), now)


@pytest.mark.spec("FD-12")
def test_answers_go_at_night_and_the_rest_waits_for_the_morning() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    bob = rows.offer_to("Bob Ong", claim_by=NOW + HOUR)

    assert asked_when(rows, confirmed(ann), NIGHT) is None
    assert asked_when(rows, reminder(ann), NIGHT) == HoldUntil(MORNING)
    assert asked_when(rows, offer(bob), NIGHT) == HoldUntil(MORNING)
    assert asked_when(rows, reminder(ann), NOW) is None
    assert asked_when(rows, facts.HeadcountDue(EVENT_ID, NIGHT), NIGHT) is None


@pytest.mark.spec("FD-12")
def test_a_call_off_or_move_goes_at_night_if_the_morning_is_too_late() -> None:
    for start, verdict in ((MORNING - HOUR, None), (MORNING + HOUR, HoldUntil(MORNING))):
        off, shifted = Rows(), Rows()
        early = replace(SUPPER, starts_at=start, ends_at=start + HOUR)
        for rows in (off, shifted):
            rows.edit(details=early)
        off.edit(state=EventState.CALLED_OFF)
        ann, bob = off.add("Ann Lee", State.CONFIRMED), shifted.add("Bob Ong", State.CONFIRMED)
        move(shifted, 7 * DAY)

        assert asked_when(off, told_of_call_off(ann), NIGHT) == verdict
        assert asked_when(shifted, moved(bob), NIGHT) == verdict


@pytest.mark.spec("FD-12")
def test_news_of_a_seat_gained_or_lost_goes_at_night_if_the_morning_is_too_late() -> None:
    for start, verdict in ((MORNING - HOUR, None), (MORNING + HOUR, HoldUntil(MORNING))):
        rows = Rows()
        rows.edit(details=replace(SUPPER, starts_at=start, ends_at=start + HOUR))
        ann, bob = rows.add("Ann Lee", State.CONFIRMED), rows.add("Bob Ong", State.CANCELLED)
        given = replace(confirmed(ann), by_host=True)
        taken = replace(cancelled(bob), by_host=True)

        assert asked_when(rows, given, NIGHT) == verdict
        assert asked_when(rows, replace(taken, before=State.CONFIRMED), NIGHT) == verdict
        waited = replace(taken, before=State.WAITING)
        assert asked_when(rows, waited, NIGHT) == HoldUntil(MORNING)


@pytest.mark.spec("EV-25")
def test_when_time_is_short_the_setting_decides_about_an_offer_at_night() -> None:
    """Held until 08:00, ten hours are left; with a window of eleven that is too little."""
    rows = Rows()
    bob = rows.offer_to("Bob Ong", claim_by=NOW + HOUR)

    def verdict(window: timedelta, *, critical: bool) -> HoldUntil | Drop | None:
        rows.edit(settings=EventSettings(claim_window=window, time_critical=critical))
        return asked_when(rows, offer(bob), NIGHT)

    assert verdict(11 * HOUR, critical=True) is None
    assert verdict(10 * HOUR, critical=True) == HoldUntil(MORNING)
    assert verdict(11 * HOUR, critical=False) == HoldUntil(MORNING)


def test_a_reminder_that_would_come_after_the_start_is_dropped() -> None:
    rows = Rows()
    rows.edit(settings=EventSettings(quiet=QuietHours(time(21), time(19))))
    ann = rows.add("Ann Lee", State.CONFIRMED)

    assert asked_when(rows, reminder(ann), NIGHT) == Drop("the event will have begun")


# --- calendar files ---------------------------------------------------------------------------


@pytest.mark.spec("FD-14", "EV-17")
def test_a_date_keeps_its_uid_while_its_number_grows_until_it_is_called_off() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    first = mail(rows, confirmed(ann))
    move(rows, HOUR)
    ann = rows.change(ann, version=2)
    second = mail(rows, moved(ann))
    rows.edit(state=EventState.CALLED_OFF, sequence=2)
    ann = rows.change(ann, version=3)
    third = mail(rows, told_of_call_off(ann))

    dates = [_date(said) for said in (first, second, third)]
    assert [said.calendar_method for said in (first, second, third)] == [
        *("REQUEST", "REQUEST", "CANCEL")
    ]
    assert {str(date["uid"]) for date in dates} == {f"{ann.id}@frontdesk"}
    assert [date["sequence"] for date in dates] == [1, 3, 5]
    assert b"method=CANCEL" in to_mime(third).replace(b'"', b"")


@pytest.mark.spec("FD-14")
def test_only_a_guest_who_had_a_seat_gets_a_file_that_cancels_it() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CANCELLED, version=2)

    had, had_not = mail(rows, cancelled(ann)), mail(rows, cancelled(ann, State.WAITING))

    assert (had.calendar_method, had_not.calendar_method) == ("CANCEL", None)


@pytest.mark.spec("FD-11")
def test_no_personal_link_is_put_in_a_calendar_file() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)

    date = _date(mail(rows, confirmed(ann)))

    assert "/l/" not in date.to_ical().decode().replace("\r\n ", "")
    assert str(date["url"]) == "https://desk.example/e/supper-club"


# --- every mail -------------------------------------------------------------------------------


def every_mail() -> dict[str, Callable[[Rows], facts.EventFact]]:
    """Returns a function for each kind of note that adds a guest in the right state and returns the
    fact."""

    def guest(rows: Rows, state: State) -> Guest:
        return rows.add("Ann Lee", state, version=2)

    def off(rows: Rows) -> facts.EventFact:
        ann = guest(rows, State.CONFIRMED)
        rows.edit(state=EventState.CALLED_OFF)
        return told_of_call_off(ann)

    def shifted(rows: Rows) -> facts.EventFact:
        ann = guest(rows, State.CONFIRMED)
        move(rows, HOUR)
        return moved(ann)

    def invited(rows: Rows, lane: Lane) -> facts.EventFact:
        ann = guest(rows, State.PENDING)
        return facts.GuestInvited(
            EVENT_ID, ann.id, 1, ann.person_id, 1, lane, opt_in=lane is Lane.FORM
        )

    def thanked(rows: Rows, fact: facts.EventFact) -> facts.EventFact:
        rows.edit(thanks="Thank you.")
        return fact

    def asked(rows: Rows, *, cancel: bool) -> facts.EventFact:
        ann = guest(rows, State.CONFIRMED)
        return facts.AskedAgain(EVENT_ID, ann.id, 1, ann.state, cancel, MAIL_ID)

    def stranger(rows: Rows, *, cancelling: bool) -> facts.EventFact:
        dora = rows.people[HOST_ID]
        rows.edit(state=EventState.CALLED_OFF)
        return facts.StrangerAnswered(EVENT_ID, dora.id, cancelling, MAIL_ID)

    def waiting(rows: Rows, kind: type, **more: object) -> facts.EventFact:
        ann = guest(rows, State.WAITING)
        fact: facts.EventFact = kind(EVENT_ID, ann.id, 2, seq=1, seats=1, seen=1, **more)
        return fact

    def joined(rows: Rows) -> facts.EventFact:
        ann = guest(rows, State.WAITING)
        return facts.GuestJoinedLine(EVENT_ID, ann.id, 1, ann.person_id, 1, Lane.FORM, None, 1, 1)

    def reduced(rows: Rows) -> facts.EventFact:
        ann = rows.add("Ann Lee", State.CONFIRMED, party=2)
        return facts.PartyReduced(EVENT_ID, ann.id, 2, ann.state, 3, 2)

    def too_large(rows: Rows) -> facts.EventFact:
        ann = rows.add("Ann Lee", State.WAITING, party=5)
        return facts.PartyTooLarge(EVENT_ID, ann.id, 2, party=5, cap=4, occasion=7)

    return {
        "invitation": lambda rows: invited(rows, Lane.IMPORT),
        "please_confirm": lambda rows: invited(rows, Lane.FORM),
        "confirmed": lambda rows: confirmed(guest(rows, State.CONFIRMED)),
        "waitlisted": joined,
        "cancelled": lambda rows: cancelled(guest(rows, State.CANCELLED)),
        "removed": lambda rows: replace(cancelled(guest(rows, State.CANCELLED)), by_host=True),
        "party_changed": reduced,
        "party_too_large": too_large,
        "offer": lambda rows: offer(rows.offer_to("Ann Lee", claim_by=NOW + HOUR)),
        "offer_lapsed": lambda rows: waiting(rows, offer_facts.OfferLapsed),
        "offer_declined": lambda rows: waiting(rows, offer_facts.OfferDeclined),
        "offer_withdrawn": lambda rows: waiting(rows, offer_facts.OfferTakenBack, was_live=True),
        "offer_stopped": lambda rows: waiting(rows, offer_facts.OfferStopped, was_live=True),
        "reminder": lambda rows: reminder(guest(rows, State.CONFIRMED)),
        "moved": shifted,
        "called_off": off,
        "resent": lambda rows: facts.LinkResent(
            EVENT_ID, guest(rows, State.CONFIRMED).id, 2, State.CONFIRMED, 2
        ),
        "status": lambda rows: asked(rows, cancel=False),
        "cancel_check": lambda rows: asked(rows, cancel=True),
        "thanks": lambda rows: thanked(
            rows, facts.ThanksDue(EVENT_ID, guest(rows, State.CONFIRMED).id, 2)
        ),
        "closed": lambda rows: stranger(rows, cancelling=False),
        "not_listed": lambda rows: stranger(rows, cancelling=True),
        "headcount": lambda _rows: facts.HeadcountDue(EVENT_ID, NOW),
        "thanks_drafted": lambda rows: thanked(rows, facts.ThanksDrafted(EVENT_ID)),
    }


def test_every_mail_is_shown_here_and_has_its_words() -> None:
    kinds = {kind: note_of(make(Rows())).kind for kind, make in every_mail().items()}

    assert all(kind == made for kind, made in kinds.items())
    assert kinds.keys() == KINDS.keys()
    assert kinds.keys() - {"resent"} == WORDINGS.keys()


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize("kind", every_mail())
def test_every_mail_has_both_parts_with_the_same_links_each_on_its_own_line(kind: str) -> None:
    rows = Rows()
    said = mail(rows, every_mail()[kind](rows))
    links = _Links()
    links.feed(said.html)

    in_text = [line for line in said.text.splitlines() if "://" in line]
    assert in_text == links.found
    assert all(line.startswith("https://desk.example/") and " " not in line for line in in_text)
    assert "Supper Club" in said.subject
    assert len(to_mime(said)) < 60_000


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize("kind", every_mail())
def test_every_placeholder_that_a_business_may_use_is_filled(kind: str) -> None:
    rows = Rows()
    fact = every_mail()[kind](rows)
    shown = "confirmed" if kind == "resent" else kind
    names = [name for name in WORDINGS[shown].placeholders if name != "details"]
    paragraphs = [f"{name}:\n{{{{ {name} }}}}" for name in names]
    body = "\n\n".join([*paragraphs, "{{ details }}"])
    rows.wordings[shown] = Wording("All", body)

    said = mail(rows, fact)

    assert "{{" not in said.text
    assert said.subject == "All"


def test_markup_in_names_and_places_stays_text() -> None:
    rows = Rows()
    rows.edit(details=replace(SUPPER, name="<script>x</script>", venue='"><img src=x>'))
    ann = rows.add("Ann Lee", State.CONFIRMED)

    html = mail(rows, confirmed(ann)).html

    assert "<script>" not in html
    assert "<img" not in html


# --- recipients and delivery ------------------------------------------------------------------


def test_a_note_for_the_hosts_goes_to_each_and_one_for_nobody_to_none() -> None:
    rows = Rows()
    to_hosts = Note("headcount", to=To.HOSTS, key="k", subject=EVENT_ID)

    assert tuple(recipients(rows, to_hosts)) == (HOST_ID,)
    assert tuple(recipients(rows, replace(to_hosts, to="nobody-we-know"))) == ()


def test_an_offer_is_armed_as_it_goes_out_and_nothing_else_is() -> None:
    rows = Rows()
    bob = rows.offer_to("Bob Ong", claim_by=NOW + HOUR, seq=3)
    desk = delivery_rules(lambda _reads, _send, _now: Drop("not rendered"))
    sends = [a_send(note_of(fact), bob.person_id) for fact in (offer(bob, seq=3), reminder(bob))]

    assert [(desk.arm(s), desk.disarm(s), desk.undeliverable(s)) for s in sends] == [
        (ArmOffer(bob.id, 3), DisarmOffer(bob.id, 3), WithdrawOffer(bob.id, 3)),
        (None, None, None),
    ]


@pytest.mark.spec("FD-04")
def test_a_repeat_has_the_same_message_id() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)

    first, again = (mail(rows, confirmed(ann), now) for now in (NOW, NOW + HOUR))

    assert first.message_id == again.message_id == "<id-of-confirmed@longtable.example>"


class _Links(HTMLParser):
    """Collects the addresses of all links, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href:
            self.found.append(href)


def _url(text: str, words: str) -> str:
    """Returns the line below the one that ends with these words."""
    lines = text.splitlines()
    return next(lines[n + 1] for n, line in enumerate(lines) if line.endswith(words))


def _opened(url: str) -> object:
    token = url.partition("/l/")[2].partition("#")[0]
    return read_guest_link(token, KEYS, NOW, lambda _guest_id: 0)


def _date(said: Message) -> Component:
    assert said.calendar is not None
    (date,) = Calendar.from_ical(said.calendar).walk("VEVENT")
    return date
