"""Answers the host's questions about their guest list from the rows.

Fixed rules understand common questions. A language model, if configured, chooses the query for
other wordings and may rephrase the answer. Code computes the answer and checks the new wording.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, Protocol

from frontdesk.core.checked_words import Figure, is_faithful
from frontdesk.desks.rsvp import answers
from frontdesk.desks.rsvp.answers import Answer, QueryContext
from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.queries import DaySpan, GuestQuery, NotUnderstood, Topic
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.values import replace

MOST_QUESTION: Final = 300

CAN_ANSWER: Final = (
    "I can say how many seats are free, who is coming, waiting, invited or has cancelled"
    " (also today, yesterday or this week), who is next in line, who has an offer and until when,"
    " who has arrived, when and where it is, and whether somebody is coming."
)
NO_MODEL: Final = (
    "The language model could not be asked just now, so only common questions are understood."
)


class Assistant(Protocol):
    """A language model. It sees the question and computed figures, but never the list."""

    def choose(self, question: str) -> GuestQuery | None:
        """Returns the query that answers the question, or None. Raises `NotUnderstood`."""

    def rephrase(self, question: str, answer: str) -> str:
        """Returns the answer in other words, or ''."""


def answer(
    question: str, ev: RsvpReads, event: Event, now: datetime, assistant: Assistant | None = None
) -> Answer:
    """Answers a question. Writes nothing."""
    masked, contacts = _mask_contacts(question[:MOST_QUESTION])
    if assistant is None:
        return _by_rules(question, ev, event, now)
    try:
        given = _answer_by_model(masked, contacts, ev, event, now, assistant)
    except NotUnderstood:
        return replace(_by_rules(question, ev, event, now), note=NO_MODEL)
    return _rephrased(given or _by_rules(question, ev, event, now), masked, assistant)


def _by_rules(question: str, ev: RsvpReads, event: Event, now: datetime) -> Answer:
    asked = _normalized(question)
    for topic, pattern in _PATTERNS:
        if found := pattern.search(asked):
            person = found.groupdict().get("name") or ""
            query = GuestQuery(topic, person, _span_in(asked), asked.startswith("who"))
            if (given := _reply(query, ev, event, now)) is not None:
                return given
    return Answer("", f"I don't know how to answer that. {CAN_ANSWER}")


def _reply(query: GuestQuery, ev: RsvpReads, event: Event, now: datetime) -> Answer | None:
    given = _REPLIES[query.topic](QueryContext(query, ev, event, now))
    return None if given is None else replace(given, topic=query.topic.value)


def _answer_by_model(
    question: str,
    contacts: Mapping[str, str],
    ev: RsvpReads,
    event: Event,
    now: datetime,
    assistant: Assistant,
) -> Answer | None:
    """Answers the query that the model chose, if the question itself names the query's person."""
    query = assistant.choose(question) if question.strip() else None
    if query is None or query.person.casefold() not in question.casefold():
        return None
    person = contacts.get(query.person.casefold(), query.person)
    return _reply(replace(query, person=person), ev, event, now)


def _mask_contacts(question: str) -> tuple[str, dict[str, str]]:
    """Replaces addresses and numbers by marks. Also returns the original of each mark."""
    contacts: dict[str, str] = {}

    def hide(found: re.Match[str]) -> str:
        mark = f"contact{len(contacts) + 1}"
        contacts[mark] = found[0]
        return mark

    return _CONTACT.sub(hide, question), contacts


_CONTACT: Final = re.compile(r"[^\s@<>(),;]+@[^\s@<>(),;]*[^\s@<>(),;.?!:]|\+?\d[\d ()./-]{5,}\d")


def _normalized(question: str) -> str:
    text = question[:MOST_QUESTION].replace("’", "'").casefold()
    return " ".join(re.sub(r"[?!.,;:\"]", " ", text).split())


def _span_in(asked: str) -> DaySpan | None:
    return next((span for span in DaySpan if re.search(rf"\b{span}\b", asked)), None)


def _rephrased(given: Answer, question: str, assistant: Assistant) -> Answer:
    """Uses the model's wording only if it states every figure with its meaning and nothing else.

    The model never sees an answer that contains names.
    """
    if given.names or not given.figures:
        return given
    figures = [
        Figure((str(number), f"{number:,}"), _NEAR[name]) for name, number in given.figures.items()
    ]
    said = assistant.rephrase(question, given.text).strip()
    return replace(given, text=said) if is_faithful(said, figures, given.text) else given


_OF: Final = r"\bof (?:\w+ ){0,2}{n}\b"
#: The words that a new wording must have beside each figure.
_NEAR: Final[Mapping[str, str]] = {
    "free": r"\b(?:free|open|left|available|remain\w*|spare|to go)\b",
    "offered": r"\boffer\w*|\b(?:held|hold)\b",
    "cap": rf"{_OF}|\b(?:in all|in total|altogether|capacity)\b",
    "taken": r"\b(?:taken|occupied|given away)\b",
    "people": r"\b(?:coming|attend\w*|expect\w*|going|confirmed)\b",
    "guests": r"\b(?:sign-?ups?|guests?|registrations?|parties)\b",
    "others": r"\b(?:others?|bring\w*|companions?|along)\b",
    "waiting": r"\b(?:wait\w*|line|queue)\b",
    "arrived": r"\b(?:arrived|here|checked in)\b",
    "expected": rf"{_OF}|\bexpected\b",
}


_SEATS: Final = r"(seats?|places?|spots?|spaces?|tickets?|room|availability)"
_OPEN: Final = r"(open|left|free|available|remain\w*|empty|unfilled|over|spare)"
_STANDING: Final = (
    r"(coming|come|attending|attend|going|confirmed?|cancel(?:led|ed)?|invited|registered|waiting"
    r"|arrived?|here|signed up|sign up|checked in|make it|be there|next"
    r"|in (?:the )?line|on the (?:list|guest list|waitlist|waiting list)|have an? (?:offer|seat))"
)


def _topic(topic: Topic, pattern: str) -> tuple[Topic, re.Pattern[str]]:
    return topic, re.compile(pattern)


#: The first pattern that matches and has an answer is used, so narrower patterns come first.
_PATTERNS: Final[tuple[tuple[Topic, re.Pattern[str]], ...]] = (
    _topic(
        Topic.SINCE_WHEN,
        r"^when did (?P<name>.+?) (?:sign up|register|join|rsvp|book|get on the list)",
    ),
    _topic(
        Topic.SOMEBODY,
        rf"^(?:is|has|did|does|will|can|was) (?P<name>[^\d]+?)"
        rf"(?: (?:still|already|really|yet|be))* {_STANDING}\b",
    ),
    _topic(Topic.SOMEBODY, r"^where (?:does|is) (?P<name>.+?) (?:stand|in (?:the )?line)\b"),
    _topic(Topic.SOMEBODY, r"^(?:what about|status of|what is the status of) (?P<name>.+)"),
    _topic(
        Topic.NOT_HERE,
        r"no[- ]?shows?|(?:not|n't) (?:yet )?(?:show|turn|arriv|come|came|here|check)|missing",
    ),
    _topic(
        Topic.ARRIVED, r"arriv|check(?:ed)?[- ]?in|(?:are|is|already) here|(?:showed|turned) up"
    ),
    _topic(Topic.CANCELLED, r"cancel|dropped out|pulled out|gave up|backed out"),
    _topic(
        Topic.UNANSWERED,
        r"(?:not|n't|yet to|still to|still has to) .*(?:confirm|answer|respon|repl)"
        r"|no (?:answer|response|reply)|unanswered|pending|invit",
    ),
    _topic(Topic.OFFERS, r"offer|on hold|\bheld\b|holds?\b"),
    _topic(Topic.NEXT, r"next (?:in|on|up)|who(?:'s| is) next|(?:first|front) (?:in|of) "),
    _topic(Topic.WAITING, r"wait|in (?:the )?line|queue|\bline\b"),
    _topic(Topic.PARTIES, r"bring|plus[- ]?ones?|\+ ?1|part(?:y|ies)\b|companions?"),
    _topic(Topic.SIGNED_UP, r"sign(?:ed|ing)?[- ]?up|register|new|joined|rsvp"),
    _topic(Topic.WHEN, r"^when\b|what (?:time|day|date)|which day|how late"),
    _topic(Topic.WHERE, r"^where\b|venue|address|location|which place"),
    _topic(Topic.CAP, r"\bcap\b|capacity|(?:in all|in total|altogether)|how big|how large"),
    _topic(Topic.FREE, rf"{_SEATS}.*{_OPEN}|{_OPEN} {_SEATS}|are we full|is it full|sold out"),
    _topic(Topic.FREE, r"(?:any|is there|have we) (?:more )?(?:room|space)|how full"),
    _topic(
        Topic.WHO_IS_COMING,
        r"^(?:who|list|show|name)\b.*(?:com\w+|attend\w*|confirmed|going|guests?|list)|guest ?list",
    ),
    _topic(
        Topic.COMING,
        r"head ?count|(?:how many|number of|count)\b.*"
        r"(?:com\w+|attend\w*|confirmed|going|guests|people|taken|signed|rsvp|yes|expect)",
    ),
)

_REPLIES: Final[Mapping[Topic, Callable[[QueryContext], Answer | None]]] = {
    Topic.FREE: answers.free,
    Topic.CAP: answers.cap,
    Topic.COMING: answers.coming,
    Topic.WHO_IS_COMING: answers.who_is_coming,
    Topic.WAITING: answers.waiting,
    Topic.NEXT: answers.next_in_line,
    Topic.OFFERS: answers.offers,
    Topic.UNANSWERED: answers.unanswered,
    Topic.PARTIES: answers.parties,
    Topic.ARRIVED: answers.arrived,
    Topic.NOT_HERE: answers.not_here,
    Topic.CANCELLED: answers.cancelled,
    Topic.SIGNED_UP: answers.signed_up,
    Topic.SOMEBODY: answers.about_person,
    Topic.SINCE_WHEN: answers.since_when,
    Topic.WHEN: answers.when,
    Topic.WHERE: answers.where,
}
