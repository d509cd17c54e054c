from datetime import datetime

import pytest

from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.desks.rsvp import facts, offer_facts
from frontdesk.desks.rsvp.desk import FACTS
from frontdesk.desks.rsvp.model import EventSettings, Guest, GuestId, Lane, State
from frontdesk.desks.rsvp.story import (
    event_story,
    guest_story,
    release_story,
)
from frontdesk.desks.rsvp.story_words import WORDS
from frontdesk.engine.stories import StoryLine
from tests.desks.rsvp.rows import EVENT_ID, HOST_ID, HOUR, NOW, SUPPER, Rows


class Evening:
    """The facts of one seat: Ann cancels it, Bob's offer for it lapses, and Cat takes it."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.ann = self.rows.add("Ann", State.CANCELLED)
        self.bob = self.rows.add("Bob", State.WAITING, lapsed=True)
        self.cat = self.rows.add("Cat", State.CONFIRMED)
        self.at = NOW
        self._play()

    def _play(self) -> None:
        ann, bob, cat = self.ann, self.bob, self.cat
        host = f"member:{HOST_ID}"
        self.then(facts.EventCreated(EVENT_ID, "supper", SUPPER, EventSettings(), cap=1), host)
        self.then(_confirmed(ann), f"guest:{ann.id}")
        self.then(_joined(bob, 1), f"guest:{bob.id}")
        self.then(_joined(cat, 2), f"guest:{cat.id}")
        gone = facts.GuestCancelled(EVENT_ID, ann.id, 2, State.CONFIRMED, 1, 0, 1, 0)
        self.then(gone, f"guest:{ann.id}")
        self.then(facts.SeatsFreed(EVENT_ID, ann.id, 1, 1, 0, round=1), f"guest:{ann.id}")
        self.then(_made(bob), "follower:fill")
        self.then(_armed(bob, self.at), "shipping")
        self.then(offer_facts.OfferLapsed(EVENT_ID, bob.id, 4, 1, 1, 1), "timer")
        self.then(_made(cat), "follower:fill")
        self.then(_armed(cat, self.at), "shipping")
        self.then(_confirmed(cat, seq=1), f"guest:{cat.id}")
        # Another release, whose offer is not in the story of the first.
        self.then(facts.SeatsFreed(EVENT_ID, cat.id, 1, 1, 0, round=2), f"guest:{cat.id}")
        self.then(_made(bob, seq=2, fills=2), "follower:fill")

    def then(self, fact: facts.EventFact, by: str) -> None:
        self.rows.record(fact, self.at, by)
        self.at += HOUR


def _confirmed(guest: Guest, seq: int = 0) -> facts.GuestConfirmed:
    return facts.GuestConfirmed(
        EVENT_ID, guest.id, 1, guest.person_id, 1, Lane.FORM, None, (), seq=seq
    )


def _joined(guest: Guest, place: int) -> facts.GuestJoinedLine:
    return facts.GuestJoinedLine(
        EVENT_ID, guest.id, 1, guest.person_id, 1, Lane.FORM, None, place, place
    )


def _made(guest: Guest, seq: int = 1, fills: int = 1) -> offer_facts.OfferMade:
    return offer_facts.OfferMade(EVENT_ID, guest.id, 2, seq, 1, fills, SUPPER.starts_at)


def _armed(guest: Guest, at: datetime) -> offer_facts.OfferArmed:
    return offer_facts.OfferArmed(EVENT_ID, guest.id, 3, 1, claim_by=at + 6 * HOUR)


@pytest.mark.spec("EV-30")
def test_the_story_of_a_freed_seat_says_who_gave_it_up_and_who_took_it() -> None:
    evening = Evening()

    story = release_story(evening.rows.ev, evening.rows.event_row, 1)

    assert [(line.by, line.text) for line in story] == [
        ("Ann", "Ann freed 1 seat: 1 taken before, 0 after."),
        ("Frontdesk", "A seat is held for Bob."),
        (
            "Frontdesk",
            "The offer to Bob goes out, open until Thursday 19 November 2026 at 23:00 (SGT).",
        ),
        ("Frontdesk", "Bob let the offer lapse."),
        ("Frontdesk", "A seat is held for Cat."),
        (
            "Frontdesk",
            "The offer to Cat goes out, open until Friday 20 November 2026 at 02:00 (SGT).",
        ),
        ("Cat", "Cat took the offered seat."),
    ]


@pytest.mark.spec("EV-30")
def test_the_story_of_a_guest_is_their_own() -> None:
    evening = Evening()

    story = guest_story(evening.rows.ev, evening.rows.event_row, evening.ann.id)

    assert story == (
        StoryLine(NOW + HOUR, "Ann", "Ann signed up and got a seat.", Tone.GOOD),
        StoryLine(NOW + 4 * HOUR, "Ann", "Ann cancelled.", Tone.GONE),
        StoryLine(
            NOW + 5 * HOUR,
            "Ann",
            "Ann freed 1 seat: 1 taken before, 0 after.",
            Tone.WAITING,
        ),
    )


@pytest.mark.spec("EV-30")
def test_the_story_of_an_event_has_every_fact_however_many_there_are() -> None:
    evening = Evening()
    for _ in range(1_100):
        evening.then(facts.HeadcountDue(EVENT_ID, NOW), "timer")

    story = event_story(evening.rows.ev, evening.rows.event_row)

    assert len(story) == 14 + 1_100
    assert story[0] == StoryLine(NOW, "the host", "The event was set up with 1 seat.", None)


@pytest.mark.spec("EV-30", "FD-06")
def test_an_erased_person_stays_in_the_story_without_a_name() -> None:
    evening = Evening()
    bob = evening.bob
    evening.rows.people[bob.person_id] = Person(bob.person_id, "", "", erased=True)

    texts = [line.text for line in event_story(evening.rows.ev, evening.rows.event_row)]

    assert "Somebody who was erased let the offer lapse." in texts
    assert not any("Bob" in text for text in texts)


def test_every_fact_has_its_words() -> None:
    assert set(FACTS) == WORDS.keys()


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (facts.CapChanged(EVENT_ID, 3, 5, True, 2), "The host raised the seats from 3 to 5."),
        (facts.CapChanged(EVENT_ID, 5, 3, False, 2), "The host cut the seats from 5 to 3."),
        (facts.EventCalledOff(EVENT_ID, 1, 1, "Rain."), "The host called the event off. “Rain.”"),
        (
            facts.PartyPassedOver(EVENT_ID, GuestId("?"), 3, 1),
            "Somebody, a party of 3, was passed over with only 1 seat free.",
        ),
        (
            facts.GuestArrived(EVENT_ID, GuestId("?"), 2, 0),
            "The check-in of Somebody was taken back.",
        ),
        (facts.GuestArrived(EVENT_ID, GuestId("?"), 2, 2), "Somebody arrived: 2 of the party."),
        (facts.JobBegun(EVENT_ID, "j", "import", 3), "An import of 3 guests began."),
    ],
)
def test_sentences_of_the_story_read_well(fact: facts.EventFact, text: str) -> None:
    rows = Rows()
    rows.record(fact)

    assert [line.text for line in event_story(rows.ev, rows.event_row)] == [text]
