"""Answers the host's questions about the own list in plain words, from the rows, by fixed rules."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol

from frontdesk.desks.rsvp import answers
from frontdesk.desks.rsvp.answers import Answer, Asked
from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.reads import RsvpReads

MOST_QUESTION: Final = 300

CAN_ANSWER: Final = (
    "I can say how many seats are free, who is coming, waiting, invited or has cancelled"
    " (also today, yesterday or this week), who is next in line, who has an offer and until when,"
    " who has arrived, when and where it is, and whether somebody is coming."
)


class Speaker(Protocol):
    """May say figures in nicer words. It sees nothing of the list but what code has counted."""

    def say(self, topic: str, figures: Mapping[str, int]) -> str: ...


def answer(
    question: str, ev: RsvpReads, event: Event, now: datetime, speaker: Speaker | None = None
) -> Answer:
    """Reads, never writes."""
    asked = _tidy(question)
    for topic, pattern, reply in _TOPICS:
        if found := pattern.search(asked):
            given = reply(Asked(asked, found, ev, event, now))
            if given is not None:
                return _spoken_by(speaker, replace(given, topic=topic))
    return Answer("", f"I don't know how to answer that. {CAN_ANSWER}")


def _tidy(question: str) -> str:
    text = question[:MOST_QUESTION].replace("’", "'").casefold()
    return " ".join(re.sub(r"[?!.,;:\"]", " ", text).split())


def _spoken_by(speaker: Speaker | None, given: Answer) -> Answer:
    """Other words are used only if they say every figure, and no others."""
    if speaker is None or given.names or not given.figures:
        return given
    said = speaker.say(given.topic, given.figures).strip()
    figures = {str(figure) for figure in given.figures.values()}
    return replace(given, text=said) if set(re.findall(r"\d+", said)) == figures else given


_SEATS: Final = r"(seats?|places?|spots?|spaces?|tickets?|room|availability)"
_OPEN: Final = r"(open|left|free|available|remain\w*|empty|unfilled|over|spare)"
_STANDING: Final = (
    r"(coming|come|attending|attend|going|confirmed?|cancel(?:led|ed)?|invited|registered|waiting"
    r"|arrived?|here|signed up|sign up|checked in|make it|be there|next"
    r"|in (?:the )?line|on the (?:list|guest list|waitlist|waiting list)|have an? (?:offer|seat))"
)

_Reply = Callable[[Asked], Answer | None]


def _topic(name: str, pattern: str, reply: _Reply) -> tuple[str, re.Pattern[str], _Reply]:
    return name, re.compile(pattern), reply


#: The first that fits and has an answer gives it. What is narrower comes first.
_TOPICS: Final[tuple[tuple[str, re.Pattern[str], _Reply], ...]] = (
    _topic(
        "since_when",
        r"^when did (?P<name>.+?) (?:sign up|register|join|rsvp|book|get on the list)",
        answers.since_when,
    ),
    _topic(
        "somebody",
        rf"^(?:is|has|did|does|will|can|was) (?P<name>[^\d]+?)"
        rf"(?: (?:still|already|really|yet|be))* {_STANDING}\b",
        answers.somebody,
    ),
    _topic(
        "somebody",
        r"^where (?:does|is) (?P<name>.+?) (?:stand|in (?:the )?line)\b",
        answers.somebody,
    ),
    _topic(
        "somebody",
        r"^(?:what about|status of|what is the status of) (?P<name>.+)",
        answers.somebody,
    ),
    _topic(
        "not_here",
        r"no[- ]?shows?|(?:not|n't) (?:yet )?(?:show|turn|arriv|come|came|here|check)|missing",
        answers.not_here,
    ),
    _topic(
        "arrived",
        r"arriv|check(?:ed)?[- ]?in|(?:are|is|already) here|(?:showed|turned) up",
        answers.arrived,
    ),
    _topic("cancelled", r"cancel|dropped out|pulled out|gave up|backed out", answers.cancelled),
    _topic(
        "unanswered",
        r"(?:not|n't|yet to|still to|still has to) .*(?:confirm|answer|respon|repl)"
        r"|no (?:answer|response|reply)|unanswered|pending|invit",
        answers.unanswered,
    ),
    _topic("offers", r"offer|on hold|\bheld\b|holds?\b", answers.offers),
    _topic(
        "next",
        r"next (?:in|on|up)|who(?:'s| is) next|(?:first|front) (?:in|of) ",
        answers.next_in_line,
    ),
    _topic("waiting", r"wait|in (?:the )?line|queue|\bline\b", answers.waiting),
    _topic("parties", r"bring|plus[- ]?ones?|\+ ?1|part(?:y|ies)\b|companions?", answers.parties),
    _topic("signed_up", r"sign(?:ed|ing)?[- ]?up|register|new|joined|rsvp", answers.signed_up),
    _topic("when", r"^when\b|what (?:time|day|date)|which day|how late", answers.when),
    _topic("where", r"^where\b|venue|address|location|which place", answers.where),
    _topic(
        "cap", r"\bcap\b|capacity|(?:in all|in total|altogether)|how big|how large", answers.cap
    ),
    _topic(
        "free", rf"{_SEATS}.*{_OPEN}|{_OPEN} {_SEATS}|are we full|is it full|sold out", answers.free
    ),
    _topic("free", r"(?:any|is there|have we) (?:more )?(?:room|space)|how full", answers.free),
    _topic(
        "who_is_coming",
        r"^(?:who|list|show|name)\b.*(?:com\w+|attend\w*|confirmed|going|guests?|list)|guest ?list",
        answers.who_is_coming,
    ),
    _topic(
        "coming",
        r"head ?count|(?:how many|number of|count)\b.*"
        r"(?:com\w+|attend\w*|confirmed|going|guests|people|taken|signed|rsvp|yes|expect)",
        answers.coming,
    ),
)
