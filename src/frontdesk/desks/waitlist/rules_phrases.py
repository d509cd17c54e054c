"""The table of sentences that a rules document can contain, and the settings that they make."""

import re
from collections.abc import Callable
from datetime import timedelta
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Final

from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.desks.waitlist.rules_words import (
    SPAN,
    UnclearRule,
    plain_text,
    read_quiet,
    read_span,
)
from frontdesk.values import Frozen

#: The checks, in this order.
CHECKS: Final = ("service", "party", "date", "staff")

MOST_TRIES: Final = 100
MOST_SEATS: Final = 50
MOST_SEND_TRIES: Final = 10
LONGEST_WINDOW: Final = timedelta(hours=24)
LONGEST_CUT_OFF: Final = timedelta(days=14)


class RuleSetting(Frozen):
    """One rule with its value. An empty rule means that nothing is special."""

    rule: str
    value: Any


def parse_sentence(sentence: str) -> tuple[RuleSetting, ...]:
    """Parses a sentence into settings. Raises `UnclearRule` if it has no single meaning."""
    words = plain_text(sentence).rstrip(" .:;!")
    for phrase in _PHRASES:
        if found := _compiled(phrase.pattern).fullmatch(words):
            return phrase.read(found)
    raise UnclearRule("This line cannot be understood.")


def is_title(line: str) -> bool:
    """Whether a line is a title like 'What we do:'. 'Quiet hours:' is an incomplete rule."""
    words = plain_text(line)
    return words.endswith(":") and not _BEGINS_A_RULE.match(words)


_BEGINS_A_RULE: Final = re.compile(
    r"order|reihenfolge|claim|time to|annahmefrist|frist|quiet|ruhezeit|nachtruhe|no |keine"
    r"|offer|tries|versuche|try|hand|bigger|down|checks?|pru|ask|stop|cut|vorlauf|give up"
)


def nearest_example(sentence: str) -> str:
    """The most similar known sentence; empty if none is similar."""
    matcher = SequenceMatcher(b=plain_text(sentence))
    likeness: dict[str, float] = {}
    for example, words in _plain_examples():
        matcher.set_seq1(words)
        likeness[example] = matcher.ratio()
    best = max(EXAMPLES, key=lambda each: likeness[each])
    return best if likeness[best] >= _NEAR else ""


@cache
def _plain_examples() -> tuple[tuple[str, str], ...]:
    return tuple((example, plain_text(example)) for example in EXAMPLES)


_NEAR: Final = 0.5

#: One sentence for each rule and variant; suggestions come from here.
EXAMPLES: Final = (
    "Order: priority first, then who joined first.",
    "Order: who joined first.",
    "Check the service, the party size, the dates and the stylist.",
    "Ask about the stylist.",
    "Do not ask about the stylist.",
    "Claim window: 10 minutes.",
    "Quiet hours from 9 pm to 8 am.",
    "No quiet hours.",
    "Offer a slot to at most 5 people, then hand it back.",
    "A bigger table may go to a smaller party, by at most 2 seats.",
    "A bigger table may go to a smaller party.",
    "A bigger table never goes to a smaller party.",
    "Stop offering 45 minutes before the slot.",
    "Offer until the slot starts.",
    "Give up on a person after 3 refused messages.",
    "Everything as usual.",
)


# --- readers ----------------------------------------------------------------------------------

_Found = re.Match[str]
_Read = Callable[[_Found], tuple[RuleSetting, ...]]


class _Phrase(Frozen):
    pattern: str
    read: _Read


def _window(found: _Found) -> tuple[RuleSetting, ...]:
    span = read_span(found[1].strip())
    if not timedelta(minutes=1) <= span <= LONGEST_WINDOW:
        raise UnclearRule("A claim window has to be between 1 minute and 24 hours.")
    return (RuleSetting("claim_window", span),)


def _cut_off(found: _Found) -> tuple[RuleSetting, ...]:
    span = read_span(found[1].strip())
    if span > LONGEST_CUT_OFF:
        raise UnclearRule("Offers can stop at most 14 days before a slot.")
    return (RuleSetting("cut_off", span),)


def _quiet(found: _Found) -> tuple[RuleSetting, ...]:
    return (RuleSetting("quiet", read_quiet(found[1].strip(), found[2].strip())),)


def _number(rule: str, most: int, what: str) -> _Read:
    def read(found: _Found) -> tuple[RuleSetting, ...]:
        number = int(found[1])
        if not 1 <= number <= most:
            raise UnclearRule(f"{what} 1 to {most}, not {number}.")
        return (RuleSetting(rule, number),)

    return read


def _set(rule: str, value: Any) -> _Read:
    return lambda _found: (RuleSetting(rule, value),)


def _order(found: _Found) -> tuple[RuleSetting, ...]:
    words = _PROVERB.sub("first come first served", found[1])
    steps = [_step(part.strip(" ,")) for part in _THEN.split(words) if part.strip(" ,")]
    if steps == ["priority"]:
        raise UnclearRule("Who comes next, after those with priority?")
    if steps not in (["joined"], ["priority", "joined"]):
        raise UnclearRule("The order can be: priority first, then who joined first.")
    return (RuleSetting("order", tuple(steps)),)


_PROVERB: Final = re.compile(r"first come, first served?|wer zuerst kommt,? mahlt zuerst")
_THEN: Final = re.compile(r",? ?(?:and )?(?:then|dann|danach)(?: by| nach)? |, | > ")


def _step(words: str) -> str:
    for name, pattern in _STEPS.items():
        if pattern.fullmatch(words):
            return name
    raise UnclearRule(f"'{words}' cannot be used in an order.")


_STEPS: Final = {
    "priority": re.compile(
        r"(?:by )?(?:priority|prio|vips?|prioritat|vorrang)(?: entries| customers| people| guests)?"
        r"(?: goes| go| comes| come| geht| kommt| hat)?(?: first| zuerst| vor)?"
    ),
    "joined": re.compile(
        r"(?:by )?(?:(?:who(?:ever)?|those who) (?:joined|signed up|came)(?: first| earliest)"
        r"|joined(?: time| date| first)?|(?:who has )?(?:waited|waiting) longest(?: first)?"
        r"|longest waiting(?: first)?|first come first served|oldest first"
        r"|wer (?:zuerst|als erste[rs]?) (?:da war|kam|kommt)|wer am langsten wartet"
        r"|wer sich zuerst eingetragen hat|eintragung|anmeldung)"
    ),
}


def _toggle(*, asked: bool) -> _Read:
    def read(found: _Found) -> tuple[RuleSetting, ...]:
        check = _check(found[1])
        if check == "service" and not asked:
            raise UnclearRule("The service is always checked.")
        return (RuleSetting(f"check {check}", asked),)

    return read


def _checks(found: _Found) -> tuple[RuleSetting, ...]:
    named = {_check(part) for part in re.split(r", (?:and |und )?| and | und ", found[1])}
    if "service" not in named:
        raise UnclearRule("The service is always checked, so name it too.")
    return tuple(RuleSetting(f"check {check}", check in named) for check in CHECKS)


def _check(words: str) -> str:
    for check, pattern in _CHECK_NAMES.items():
        if pattern.fullmatch(words.strip()):
            return check
    raise UnclearRule(f"'{words}' cannot be checked.")


_CHECK_NAMES: Final = {
    "service": re.compile(r"services?|treatment|leistung|behandlung"),
    "party": re.compile(r"party(?: size)?|group size|size of party|gruppengrosse|personenzahl"),
    "date": re.compile(r"dates?|days?|date range|datum|tage?"),
    "staff": re.compile(
        r"staff(?: member| preference)?|member of staff|stylists?|barber|hairdresser|therapist"
        r"|doctor|dentist|person wanted|mitarbeiter(?:in)?|friseur(?:in)?|stylistin"
    ),
}


# --- the table --------------------------------------------------------------------------------


def _phrase(pattern: str, read: _Read) -> _Phrase:
    for name, written in _PIECES.items():
        pattern = pattern.replace(name, written)
    return _Phrase(pattern, read)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use: compiling all of them takes 7 ms."""
    return re.compile(pattern)


_PIECES: Final = {
    "SPAN": SPAN,
    "FITTING": r"down ?-? ?fitting",
    "NUMBER": r"(\d+)",
    "IS": r"(?: is| are| lasts| of| ist| sind| betragt| dauert)?:?",
    "AT_MOST": r"(?:at most|up to|no more than|not more than|max\.?|maximum|hochstens|maximal)",
    "SLOTS": r"(?:(?:each |every |1 )?(?:freed |free )?(?:slot|place|table|appointment))",
    "PEOPLE": r"(?:people|persons?|customers?|guests?|entries|entry)",
    "LEUTEN": r"(?:personen|person|leuten|kunden|gasten|kundinnen)",
    "SEATS": r"(?:seats?|places?|chairs?|platze?n?|sitze?n?)",
    "TO_STAFF": r"(?:,? (?:and )?then hand(?: slot)? back(?: to staff| to us)?)?",
}
_tries: Final = _number("tries", MOST_TRIES, "A slot can be offered to")
_seats: Final = _number("down_fitting", MOST_SEATS, "The seats that may stay empty are")
_sends: Final = _number("send_tries", MOST_SEND_TRIES, "A message can be refused")

#: The first match counts. Each pattern must match the whole plain sentence, which has no articles
#: and no German 'an'.
_PHRASES: Final = (
    _phrase(r"(?:everything|all) as usual|alles wie immer", _set("", None)),
    # the order
    _phrase(r"(?:order|reihenfolge|who (?:is|goes|comes) first)IS (.+)", _order),
    _phrase(r"(first come,? first served?|wer zuerst kommt,? mahlt zuerst)", _order),
    _phrase(r"((?:priority|vorrang|prioritat|vips?)\b.+)", _order),
    # the claim window
    _phrase(
        r"(?:claim (?:window|time)|time to (?:claim|answer)|annahmefrist|frist)IS SPAN", _window
    ),
    _phrase(
        r"(?:people|they|customers|guests|everybody|everyone|each person) (?:have|has|get|gets)"
        r" SPAN(?: to (?:claim|answer|reply|decide|say yes))?",
        _window,
    ),
    _phrase(r"(?:hold|keep) (?:each |every )?(?:offer|slot)s? for SPAN", _window),
    _phrase(
        r"(?:each |every |jedes )?(?:offer|angebot) (?:holds|lasts|gilt)(?: for)? SPAN", _window
    ),
    # quiet hours
    _phrase(
        r"no quiet (?:hours|time)|quiet hoursIS none|keine ruhezeit(?:en)?|ruhezeitIS keine",
        _set("quiet", NO_QUIET_HOURS),
    ),
    _phrase(
        r"(?:quiet (?:hours|time)|ruhezeit(?:en)?|nachtruhe)IS(?: from| between| von| zwischen)?"
        r" (.+?)(?: to | until | till | bis | and | und | ?- ?)(.+)",
        _quiet,
    ),
    _phrase(
        r"(?:no|send no|do not send|keine) (?:messages|texts|offers|nachrichten|angebote)"
        r" (?:from|between|von|zwischen) (.+?) (?:to|until|till|and|bis|und) (.+)",
        _quiet,
    ),
    # numbers of people
    _phrase(r"offer SLOTS to AT_MOST NUMBER PEOPLETO_STAFF", _tries),
    _phrase(r"(?:tries(?: per slot)?|versuche)IS(?: AT_MOST)? NUMBER(?: PEOPLE)?", _tries),
    _phrase(r"try AT_MOST NUMBER PEOPLETO_STAFF", _tries),
    _phrase(r"hand(?: slot)? back after NUMBER (?:tries|try|offers?|PEOPLE)", _tries),
    _phrase(r"biete (?:termin|platz|tisch) AT_MOST NUMBER LEUTEN", _tries),
    # bigger tables
    _phrase(
        r"bigger SLOTS (?:never goes|does not go|may not go|may never go|must not go|cannot go)"
        r" to smaller (?:party|group)|no FITTING|FITTINGIS (?:no|none|never|off)",
        _set("down_fitting", 0),
    ),
    _phrase(
        r"bigger SLOTS (?:may|can) go to smaller (?:party|group),? by AT_MOST NUMBER SEATS", _seats
    ),
    _phrase(
        r"bigger SLOTS (?:may|can) go to smaller (?:party|group)|FITTINGIS (?:yes|any|on)",
        _set("down_fitting", None),
    ),
    _phrase(r"FITTINGIS (?:by )?(?:AT_MOST )?NUMBER SEATS", _seats),
    _phrase(
        r"gro(?:e)?sserer tisch darf kleinere gruppe gehen,? (?:um )?AT_MOST NUMBER SEATS",
        _seats,
    ),
    _phrase(r"gro(?:e)?sserer tisch darf kleinere gruppe gehen", _set("down_fitting", None)),
    # checks
    _phrase(r"(?:checks|pruefe|prufe)IS (.+)", _checks),
    _phrase(r"(?:do not|dont|never) (?:ask about|ask for|check) (.+)", _toggle(asked=False)),
    _phrase(
        r"(?:any|jeder?) (stylist|barber|hairdresser|staff|mitarbeiter) (?:will do|is fine|passt)",
        _toggle(asked=False),
    ),
    _phrase(r"(?:ask about|ask for) (.+)", _toggle(asked=True)),
    _phrase(r"check (.+(?:,| and | und ).+|service)", _checks),
    _phrase(r"check (.+)", _toggle(asked=True)),
    # the cut-off
    _phrase(
        r"(?:stop offering|stop offers|offers (?:end|stop)|no offers (?:less|later) than)(?: at)?"
        r" SPAN before (?:slot|start|slot starts|starts)",
        _cut_off,
    ),
    _phrase(r"(?:cut ?-? ?off|vorlauf)IS SPAN(?: before (?:slot|start))?", _cut_off),
    _phrase(r"(?:nichts|keine angebote) (?:mehr )?SPAN vor (?:termin|beginn)(?: mehr)?", _cut_off),
    _phrase(
        r"(?:keep offering|offer)(?: SLOTS)? until (?:slot |)starts?",
        _set("cut_off", timedelta()),
    ),
    # unreachable people
    _phrase(r"give up on (?:1 )?person after NUMBER refused messages?", _sends),
)
