from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.desks.rsvp.answers import Answer
from frontdesk.desks.rsvp.facts import GuestCancelled, GuestConfirmed, GuestJoinedLine
from frontdesk.desks.rsvp.guest_questions import CAN_ANSWER, answer
from frontdesk.desks.rsvp.model import Lane, Seats, State
from frontdesk.desks.rsvp.queries import DaySpan, GuestQuery, Topic
from tests.desks.rsvp.rows import DAY, EVENT_ID, HOUR, NOW, Rows


@pytest.fixture
def rows() -> Rows:
    """Ten seats: Ann, Ben with two others, and Cat; Dan has an offer; Eve and Flo wait."""
    rows = Rows()
    rows.edit(seats=Seats(cap=10, free=10))
    ann = rows.add("Ann Lee", State.CONFIRMED, arrived=1)
    rows.add("Ben Ito", State.CONFIRMED, party=3)
    rows.add("Cat Wu", State.CONFIRMED)
    rows.offer_to("Dan Tan", claim_by=NOW + 6 * HOUR)
    eve = rows.add("Eve Oh", State.WAITING, party=2)
    rows.add("Flo Ng", State.WAITING)
    rows.add("Gus Kim", State.PENDING, lane=Lane.IMPORT)
    hal = rows.add("Hal Wee", State.CANCELLED)
    ivy = rows.add("Ivy Sim", State.CANCELLED)
    for guest, at in ((hal, NOW - DAY), (ivy, NOW - HOUR)):
        gone = GuestCancelled(EVENT_ID, guest.id, 2, State.CONFIRMED, 1, 0, 6, 5)
        rows.record(gone, at=at)
    joined = GuestConfirmed(EVENT_ID, ann.id, 1, ann.person_id, 1, Lane.FORM, None, ())
    rows.record(joined, at=NOW - DAY)
    line = GuestJoinedLine(EVENT_ID, eve.id, 1, eve.person_id, 2, Lane.FORM, None, 5, 1)
    rows.record(line, at=NOW - HOUR)
    return rows


FREE = "4 seats of 10 are free. 1 seat on offer."
COMING = "5 people of 10 are coming, on 3 sign-ups."
WHO = "3 guests are coming: Ann Lee, Ben Ito and Cat Wu."
WAITING = "2 guests are in line."
WHO_WAITS = "2 guests are in line: Eve Oh and Flo Ng."
NEXT = "Eve Oh is next in line, with a party of 2."
OFFERS = "Dan Tan has an offer until 16:00 today (SGT)."
CANCELLED = "2 guests have cancelled: Hal Wee and Ivy Sim."
YESTERDAY = "1 guest cancelled yesterday: Hal Wee."
TODAY = "1 guest cancelled today: Ivy Sim."
WEEK = "2 guests cancelled this week: Hal Wee and Ivy Sim."
UNANSWERED = "1 guest has not answered the invitation: Gus Kim."
ARRIVED = "1 person of 5 has arrived."
NOT_HERE = "2 guests have not arrived: Ben Ito and Cat Wu."
WHEN = "It is on Friday 20 November 2026, 18:00 to 21:00 (SGT)."
WHERE = "It is at 5 Keong Saik Road, Singapore."
PARTIES = "1 guest brings 2 other people."
CAP = "There are 10 seats in all; 5 are taken."

PHRASINGS = {
    "How many seats are open?": FREE,
    "how many seats are left": FREE,
    "How many free seats do we have?": FREE,
    "any spots left?": FREE,
    "Are there places available?": FREE,
    "Is there any room?": FREE,
    "are we full?": FREE,
    "Is it full?": FREE,
    "are we sold out": FREE,
    "how full are we?": FREE,
    "How many are coming?": COMING,
    "how many people are confirmed?": COMING,
    "How many guests do we have?": COMING,
    "What's the headcount?": COMING,
    "number of people attending": COMING,
    "How many seats are taken?": COMING,
    "how many people should I expect": COMING,
    "Who is coming?": WHO,
    "who's coming": WHO,
    "Who’s going?": WHO,
    "Who is confirmed?": WHO,
    "Show me the guest list": WHO,
    "list all guests": WHO,
    "How many are waiting?": WAITING,
    "how many people are on the waitlist?": WAITING,
    "How long is the queue?": WAITING,
    "How many are in line?": WAITING,
    "Who is waiting?": WHO_WAITS,
    "who is on the waiting list": WHO_WAITS,
    "Who is next in line?": NEXT,
    "who's next?": NEXT,
    "Who is first in the queue?": NEXT,
    "Who has an offer?": OFFERS,
    "which offers are open?": OFFERS,
    "Until when does the offer run?": OFFERS,
    "Who cancelled?": CANCELLED,
    "Has anyone cancelled?": CANCELLED,
    "How many have cancelled?": CANCELLED,
    "Who cancelled yesterday?": YESTERDAY,
    "who canceled yesterday": YESTERDAY,
    "How many cancelled yesterday?": YESTERDAY,
    "Who dropped out today?": TODAY,
    "any cancellations today?": TODAY,
    "Who cancelled this week?": WEEK,
    "Who cancelled last week?": "Nobody cancelled last week.",
    "Who has not confirmed the invitation?": UNANSWERED,
    "Who hasn't answered yet?": UNANSWERED,
    "who hasn't replied": UNANSWERED,
    "Any pending invitations?": UNANSWERED,
    "How many have arrived?": ARRIVED,
    "how many people are checked in?": ARRIVED,
    "How many are here?": ARRIVED,
    "Who hasn't arrived?": NOT_HERE,
    "How many no-shows?": NOT_HERE,
    "who didn't show up?": NOT_HERE,
    "When is it?": WHEN,
    "What time does it start?": WHEN,
    "When does the event begin?": WHEN,
    "Where is it?": WHERE,
    "What's the address?": WHERE,
    "which venue": WHERE,
    "How many people bring guests?": PARTIES,
    "who brings a plus one?": PARTIES,
    "What is the cap?": CAP,
    "How many seats are there in total?": CAP,
    "Who signed up yesterday?": "1 guest signed up yesterday: Ann Lee.",
    "Any new sign-ups today?": "1 guest signed up today: Eve Oh.",
    "Is Ann coming?": "Ann Lee has arrived.",
    "Is Ben Ito coming?": "Ben Ito is coming, with a party of 3.",
    "is cat still coming": "Cat Wu is coming.",
    "Did Hal cancel?": "Hal Wee has cancelled.",
    "Has Gus confirmed?": "Gus Kim is invited and has not answered.",
    "Is Flo on the waiting list?": "Flo Ng is in line, at place 2.",
    "What about Dan?": OFFERS,
    "Where does Eve stand?": "Eve Oh is in line, at place 1.",
    "Is Zoe coming?": "There is nobody called Zoe on the list.",
    "When did Ann sign up?": "Ann Lee signed up on Wednesday 18 November 2026 at 10:00 (SGT).",
}


#: Every word of the questions above, to be put together at random.
WORDS = sorted({word for question in PHRASINGS for word in question.split()})


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize(("question", "expected"), PHRASINGS.items())
def test_common_questions_are_answered_from_the_rows(
    rows: Rows, question: str, expected: str
) -> None:
    assert answer(question, rows.ev, rows.event_row, NOW).text == expected


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize("question", ["", "What is love?", "Delete all guests of mine " * 50, "??"])
def test_a_question_that_is_not_understood_is_answered_plainly(rows: Rows, question: str) -> None:
    given = answer(question, rows.ev, rows.event_row, NOW)

    assert given == Answer("", f"I don't know how to answer that. {CAN_ANSWER}")


def test_yesterday_is_a_day_of_the_events_place(rows: Rows) -> None:
    """Half past midnight in Singapore is still the previous day in London."""
    late = NOW - 10 * HOUR + HOUR / 2
    ivy = next(g for g in rows.guests.values() if rows.people[g.person_id].name == "Ivy Sim")
    rows.audit.clear()
    rows.record(GuestCancelled(EVENT_ID, ivy.id, 2, State.CONFIRMED, 1, 0, 6, 5), at=late)

    assert answer("who cancelled today?", rows.ev, rows.event_row, NOW).text == TODAY
    assert answer("who cancelled yesterday?", rows.ev, rows.event_row, NOW).names == ()


def test_a_long_list_names_some_and_counts_the_rest() -> None:
    rows = Rows()
    for n in range(150):
        rows.add(f"G{n:03} Guest", State.CONFIRMED)

    given = answer("who is coming?", rows.ev, rows.event_row, NOW)

    assert given.text.startswith("150 guests are coming: G000 Guest, G001 Guest,")
    assert given.text.endswith("G019 Guest and 130 more.")


@dataclass
class Stand:
    """Returns prepared answers and records its input."""

    query: GuestQuery | None = None
    words: str = ""
    seen: list[str] = field(default_factory=list)

    def choose(self, question: str) -> GuestQuery | None:
        self.seen.append(question)
        return self.query

    def rephrase(self, question: str, answer: str) -> str:
        self.seen.append(answer)
        return self.words


def asked_of(rows: Rows, question: str, assistant: Stand) -> Answer:
    return answer(question, rows.ev, rows.event_row, NOW, assistant)


CHOICES = {
    "Wie viele Plätze sind noch frei?": (GuestQuery(Topic.FREE), FREE),
    "Quick, will the chairs do?": (GuestQuery(Topic.COMING), COMING),
    "Have I heard back from everybody?": (GuestQuery(Topic.UNANSWERED), UNANSWERED),
    "Who bailed on us the day before?": (
        GuestQuery(Topic.CANCELLED, span=DaySpan.YESTERDAY, names=True),
        YESTERDAY,
    ),
    "Can I count on Hal?": (GuestQuery(Topic.SOMEBODY, "Hal"), "Hal Wee has cancelled."),
    "the queue, please, by name": (GuestQuery(Topic.WAITING, names=True), WHO_WAITS),
}


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize(("question", "choice"), CHOICES.items())
def test_a_model_chooses_the_query_and_code_answers(
    rows: Rows, question: str, choice: tuple[GuestQuery, str]
) -> None:
    query, expected = choice

    assert asked_of(rows, question, Stand(query)).text == expected


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize(
    "query",
    [
        None,
        GuestQuery(Topic.SOMEBODY, "Hal"),
        GuestQuery(Topic.SIGNED_UP),
        GuestQuery(Topic.SOMEBODY),
    ],
    ids=["none", "somebody whom nobody named", "no span", "nobody"],
)
def test_a_query_that_makes_no_sense_leaves_the_question_to_the_rules(
    rows: Rows, query: GuestQuery | None
) -> None:
    assert asked_of(rows, "How many seats are open?", Stand(query)).text == FREE


@pytest.mark.spec("EV-29")
def test_a_model_sees_neither_the_list_nor_a_contact(rows: Rows) -> None:
    names = Stand(GuestQuery(Topic.WHO_IS_COMING))
    somebody = Stand(GuestQuery(Topic.SOMEBODY, "contact1"))

    assert asked_of(rows, "all of them, please", names).text == WHO
    asked_of(rows, "And ann.lee@example.org, or +65 9123 4567?", somebody)

    assert names.seen == ["all of them, please"]
    assert somebody.seen == ["And contact1, or contact2?"]


def test_a_contact_in_the_question_finds_its_guest(rows: Rows) -> None:
    ann = next(each for each in rows.people.values() if each.name == "Ann Lee")

    given = asked_of(rows, f"And {ann.email}?", Stand(GuestQuery(Topic.SOMEBODY, "contact1")))

    assert given.text == "Ann Lee has arrived."


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize(
    ("topic", "words"),
    [
        (Topic.WAITING, "There are 2 lovely people waiting."),
        (Topic.FREE, "Good news: of your 10 seats, 4 are still free, and 1 is on offer."),
        (Topic.COMING, "You can expect 5 people of 10, on 3 sign-ups."),
        (Topic.CAP, "It has 10 seats in all, and 5 are taken."),
    ],
)
def test_other_words_are_used_if_they_say_the_same(rows: Rows, topic: Topic, words: str) -> None:
    assert asked_of(rows, "so?", Stand(GuestQuery(topic), words)).text == words


LIES = [
    "3 seats of 10 are free. 1 seat on offer.",
    "10 seats of 4 are free. 1 seat on offer.",
    "4 of your 10 seats are taken, and 1 is on offer.",
    "4 seats of 10 are free.",
    "4 seats of 10 are free, 1 is on offer, and 6 guests love you.",
    "4 seats of 10 are free, 1 is on offer, that is forty percent.",
    "4 seats of 10 are free, 1 is on offer, 40% in short.",
    "4 seats of 10 are free, 1 is on offer, for Hal.",
    "Hal left, so 4 seats of 10 are free and 1 is on offer.",
    "4 seats of 10 are free, 1 is on offer, and nobody waits.",
    "4 seats of 10 are not free, 1 is on offer.",
    "4 seats of 10 are free, 1 is on offer, a dozen more by tonight.",
    "4 seats of 10 are free, 1 is on offer: see http://evil.example",
    "4.5 seats of 10 are free, 1 is on offer.",
    "-4 seats of 10 are free, 1 is on offer.",
    "14 seats of 10 are free, 1 is on offer.",
    "4 seats of 10 are free, 1 is on offer. <b>Hi</b>",
    "",
    "4 free of 10, 1 offer " * 60,
]


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize("lie", LIES)
def test_a_model_that_says_anything_else_is_not_used(rows: Rows, lie: str) -> None:
    assert asked_of(rows, "so?", Stand(GuestQuery(Topic.FREE), lie)).text == FREE


@pytest.mark.spec("FD-27")
@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400) | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
def test_any_question_gets_an_answer(question: str) -> None:
    rows = Rows()
    rows.add("Ann Lee", State.CONFIRMED)

    assert answer(question, rows.ev, rows.event_row, NOW).text
