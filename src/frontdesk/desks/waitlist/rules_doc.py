"""Parses and writes the rules document of staff, line by line and without guessing.

A line is a rule, a heading, a comment or empty. A line that is not understood is reported with its
number and the nearest known sentence; the last good rules then stay in force.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Final

from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, NO_QUIET_HOURS, QuietHours
from frontdesk.core.words import count, duration_parts, join_names
from frontdesk.desks.waitlist.rules_phrases import (
    CHECKS,
    RuleSetting,
    is_title,
    nearest_example,
    parse_sentence,
)
from frontdesk.desks.waitlist.rules_words import UnclearRule
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 20_000
MOST_LINES: Final = 400
MOST_LINE: Final = 300


class WrittenRules(Frozen):
    """The settings of a rules document as plain values, with their defaults."""

    order: tuple[str, ...] = ("priority", "joined")
    checks: tuple[str, ...] = CHECKS
    """The checks in their order. The service is always included."""
    claim_window: timedelta = timedelta(minutes=10)
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    tries: int = 5
    """The most people to whom one slot is offered."""
    down_fitting: int | None = 0
    """The number of seats of a bigger table that may stay empty; None allows any number."""
    cut_off: timedelta = timedelta()
    """How long before a slot's start the desk stops making offers."""
    send_tries: int = 3
    """After this many refusals of a message, the person counts as unreachable."""


DEFAULT_RULES: Final = WrittenRules()


class UnderstoodLine(Frozen):
    """A line as it was understood."""

    line: int
    meaning: str


class RuleProblem(Frozen):
    """A line that cannot be used."""

    line: int
    words: str
    why: str
    nearest: str = ""
    """A similar sentence that is understood; empty if there is none."""


class ParsedRules(Frozen):
    rules: WrittenRules
    """The settings that were understood. Use them only if there are no problems."""
    echoes: tuple[UnderstoodLine, ...]
    problems: tuple[RuleProblem, ...]


def parse(text: str) -> ParsedRules:
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_LINES:
        why = f"The document has more than {MOST_CHARACTERS:,} characters or {MOST_LINES} lines."
        return ParsedRules(DEFAULT_RULES, (), (RuleProblem(1, "", why),))
    reading = _LineReader({}, [], [])
    for number, (line, below) in enumerate(pairwise([*lines, ""]), start=1):
        if not _UNDERLINE.fullmatch(below):
            reading.take(number, line)
    if not reading.echoes and not reading.problems:
        why = "There is no rule in this document."
        reading.problems.append(RuleProblem(1, "", why, "Everything as usual."))
    return ParsedRules(_rules(reading.said), tuple(reading.echoes), tuple(reading.problems))


_LINE_END: Final = re.compile(r"\r\n|\n|\r")
#: Marks the line above it as a title.
_UNDERLINE: Final = re.compile(r"\s*={3,}\s*")


@dataclass(slots=True)
class _LineReader:
    said: dict[str, tuple[RuleSetting, int]]
    """Each rule with the line that set it."""
    echoes: list[UnderstoodLine]
    problems: list[RuleProblem]

    def take(self, number: int, line: str) -> None:
        if len(line) > MOST_LINE:
            why = f"The line is longer than {MOST_LINE} characters."
            self.problems.append(RuleProblem(number, line[:40], why))
            return
        for sentence in _sentences(line):
            try:
                settings = parse_sentence(sentence)
            except UnclearRule as unclear:
                problem = RuleProblem(number, sentence, str(unclear), nearest_example(sentence))
                self.problems.append(problem)
            else:
                self._hear(number, sentence, settings)

    def _hear(self, number: int, sentence: str, settings: tuple[RuleSetting, ...]) -> None:
        """Records the settings of a line. Two lines may repeat a rule, but not contradict each
        other."""
        for setting in settings:
            first, line = self.said.setdefault(setting.rule, (setting, number))
            if first != setting:
                why = f"Line {line} says something else about this."
                self.problems.append(RuleProblem(number, sentence, why))
                return
        self.echoes.append(UnderstoodLine(number, _meaning(settings)))


# --- lines ------------------------------------------------------------------------------------

#: Lines without a rule: empty, heading, comment or a row of dashes.
_UNREAD: Final = re.compile(
    r"\s*(?:#.*|//.*|>.*|\(.*\)|(?:note|hinweis): .*|[-=_*~\s]*)", re.IGNORECASE
)
_BULLET: Final = re.compile(r"\A\s*(?:(?:[-*+•◦‣·–—]|\d{1,2}[.)]|\[[ xX]?\])\s+){1,2}")
_REMARK: Final = re.compile(r"\s(?:#|//).*")
_SENTENCE_END: Final = re.compile(r"(?<=[^\W\d_]{2})[.;!](?:\s+|$)|(?<=\d)[.;!](?:\s+(?=\D)|$)")
#: Full stops that do not end a sentence: 'p.m.', 'max. 5 people', '10 min. to answer'.
_DOTTED: Final = re.compile(
    r"\b([ap])\.\s?(m)\b(?:\.(?!\s+(?-i:[A-Z])))?|\b(max|std|min)\.(?=\s+(?-i:[a-z0-9]))",
    re.IGNORECASE,
)


def _sentences(line: str) -> Iterator[str]:
    if _UNREAD.fullmatch(line):
        return
    text = _DOTTED.sub(r"\1\2\3", _REMARK.sub("", _BULLET.sub("", line)).rstrip())
    if is_title(text):
        return
    for part in _SENTENCE_END.split(text):
        if sentence := " ".join(part.split()).rstrip("."):
            yield sentence


# --- meanings ---------------------------------------------------------------------------------


def _rules(said: dict[str, tuple[RuleSetting, int]]) -> WrittenRules:
    values = {rule: setting.value for rule, (setting, _) in said.items() if rule}
    checks = tuple(check for check in CHECKS if values.pop(f"check {check}", True))
    return WrittenRules(checks=checks, **values)


def _meaning(settings: tuple[RuleSetting, ...]) -> str:
    values = {each.rule: each.value for each in settings}
    if any(rule.startswith("check ") for rule in values):
        return _checks_meaning(settings)
    [setting] = settings
    return _sentence(setting) if setting.rule else "Whatever is not said here is as usual."


def _checks_meaning(settings: tuple[RuleSetting, ...]) -> str:
    asked = [_CHECK_WORDS[each.rule] for each in settings if each.value]
    left = [_CHECK_WORDS[each.rule] for each in settings if not each.value]
    parts = [f"has to suit: {join_names(asked)}"] if asked else []
    parts += [f"does not matter: {join_names(left)}"] if left else []
    return f"For an offer it {', and it '.join(parts)}."


_CHECK_WORDS: Final = {
    "check service": "the service",
    "check party": "the party size",
    "check date": "the dates",
    "check staff": "the member of staff",
}


def _sentence(setting: RuleSetting) -> str:
    """Explains a setting in one sentence."""
    value = setting.value
    match setting.rule:
        case "order":
            first = "Priority entries come first, then" if "priority" in value else "First comes"
            return f"{first} who joined the list first."
        case "claim_window":
            return f"Each person has {span_words(value)} to say yes."
        case "quiet":
            return _quiet_meaning(value)
        case "tries":
            people = count(value, "person", "people")
            return f"A slot is offered to {people} at most, then handed back to staff."
        case "down_fitting":
            return _fitting_meaning(value)
        case "send_tries":
            return f"A person whose message is refused {count(value, 'time')} is passed over."
        case _:
            return _cut_off_meaning(value)


def _quiet_meaning(quiet: QuietHours) -> str:
    if quiet == NO_QUIET_HOURS:
        return "Offers go out at any hour."
    return f"No offer goes out from {quiet.start:%H:%M} to {quiet.end:%H:%M}, local time."


def _fitting_meaning(seats: int | None) -> str:
    if seats is None:
        return "A smaller party may have a bigger table, of any size."
    if not seats:
        return "A smaller party never gets a bigger table."
    return f"A smaller party may have a bigger table if {count(seats, 'seat')} at most stay empty."


def _cut_off_meaning(cut_off: timedelta) -> str:
    if not cut_off:
        return "A slot is offered until it starts."
    return f"Nothing is offered in the last {span_words(cut_off)} before a slot."


def span_words(span: timedelta) -> str:
    """'45 minutes', '1 hour and 30 minutes', '2 days'."""
    return join_names(duration_parts(span))


# --- writing ----------------------------------------------------------------------------------


def write(rules: WrittenRules) -> str:
    """Writes the document that states these rules."""
    return "\n".join(("# The rules of our waitlist", "", *_lines(rules), ""))


def _lines(rules: WrittenRules) -> Iterator[str]:
    first = "priority first, then " if "priority" in rules.order else ""
    yield f"Order: {first}who joined first."
    asked = [_CHECK_WORDS[f"check {check}"] for check in rules.checks]
    yield f"Check {join_names(asked)}."
    yield f"Claim window: {span_words(rules.claim_window)}."
    yield _quiet_line(rules.quiet)
    people = count(rules.tries, "person", "people")
    yield f"Offer a slot to at most {people}, then hand it back."
    yield _fitting_line(rules.down_fitting)
    yield _cut_off_line(rules.cut_off)
    yield f"Give up on a person after {count(rules.send_tries, 'refused message')}."


def _quiet_line(quiet: QuietHours) -> str:
    if quiet == NO_QUIET_HOURS:
        return "No quiet hours."
    return f"Quiet hours from {quiet.start:%H:%M} to {quiet.end:%H:%M}."


def _fitting_line(seats: int | None) -> str:
    if seats == 0:
        return "A bigger table never goes to a smaller party."
    by = "" if seats is None else f", by at most {count(seats, 'seat')}"
    return f"A bigger table may go to a smaller party{by}."


def _cut_off_line(cut_off: timedelta) -> str:
    if not cut_off:
        return "Offer until the slot starts."
    return f"Stop offering {span_words(cut_off)} before the slot."


def with_title(lines: list[str]) -> list[str]:
    """Puts the lost '#' back in front of a title like 'Rules of the waitlist', which is no rule."""
    first = next((n for n, line in enumerate(lines) if line), None)
    if first is None or not _TITLE.fullmatch(lines[first]):
        return lines
    return [*lines[:first], f"# {lines[first]}", *lines[first + 1 :]]


_TITLE: Final = re.compile(
    r"(?:[^\W\d_]+[ '-]){0,4}(?:rules|waitlist|waiting list|regeln|warteliste)"
    r"(?: (?:of|for|der|des) [^\d.:;]{1,40})?",
    re.IGNORECASE,
)
