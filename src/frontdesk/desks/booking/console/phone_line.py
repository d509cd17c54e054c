"""Reads one line that staff type during a call: 'Mia Tue 15:00 cut Anna 0171 2345678'."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from typing import Final

from frontdesk.core.contacts import BadContact, clean_email
from frontdesk.core.localtime import is_month_first
from frontdesk.core.phones import read_phone
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceKind, ServiceRules
from frontdesk.reading.model import Confidence
from frontdesk.reading.when_model import PartsOfDay, When
from frontdesk.values import Frozen

MOST_LINE: Final = 300
_EMAIL: Final = re.compile(r"\S+@\S+\.\S+")
_PHONE: Final = re.compile(r"\+?\d[\d ()/.-]{5,}\d")
#: An hour without minutes: 'Fri 9'.
_HOUR: Final = re.compile(r"(?<![\w:.,-])(\d{1,2})(?![\w:.,-])")
_WORD: Final = re.compile(r"[^\W_][\w'’.-]*")
#: Words between the parts of a line.
_FILLERS: Final = frozenset(("for", "with", "at", "on", "um", "am", "mit", "für", "con", "avec"))


class PhoneLine(Frozen):
    """The parts of a line; a part that was not found is empty."""

    service: str = ""
    staff: str = ""
    """The id of the resource."""
    starts_at: datetime | None = None
    """Local wall time; None without a day and an exact time."""
    on: str = ""
    name: str = ""
    email: str = ""
    mobile: str = ""
    """In E.164, or as typed if the numbering plans do not know it: staff can call it."""
    party: int = 0

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that a booking needs, and that are not in the line."""
        parts = (
            ("the service", self.service),
            ("the day", self.on),
            ("the time", self.starts_at),
            ("the name", self.name),
            ("a number or an e-mail address", self.mobile or self.email),
        )
        return tuple(part for part, found in parts if not found)


def read_line(text: str, rules: BookingRules, now: datetime, country: str) -> PhoneLine:
    """Reads a line. `now` is local wall time. The remaining words are the name.

    Imports lazily: the reader takes long to load.
    """
    from frontdesk.reading.when import read_when

    rest = _Rest(text[:MOST_LINE])
    email = rest.take_first(_EMAIL, clean_email)
    party = _take_party(rest)
    when = read_when(rest.text, now, PartsOfDay(), month_first=is_month_first(country))
    if when is not None:
        for words in when.words:
            rest.take(words.text)
    mobile = rest.take_first(_PHONE, lambda found: read_phone(found, country))
    people = [one for one in rules.resources if one.kind is ResourceKind.STAFF]
    staff = _first_named(rest, people)
    service = _first_service(rest, rules.services)
    day = when.options[0].first_on if when and when.options else None
    start = _start(when) or (_bare_hour(rest, day, rules) if day else None)
    return PhoneLine(
        service=service.name if service else "",
        staff=staff.id if staff else "",
        starts_at=start,
        on=day.isoformat() if day else "",
        name=rest.name(),
        email=email,
        mobile=mobile,
        party=party,
    )


def _take_party(rest: _Rest) -> int:
    """'for 3', '3 people'; 0 if the line does not say how many they are."""
    from frontdesk.reading.parties import find_party
    from frontdesk.reading.words import folded

    found = find_party(rest.text, folded(rest.text), {})
    if found is None or found.confidence is Confidence.UNSURE:
        return 0
    rest.take(found.words.text)
    return found.value


class _Rest:
    """The part of the line that is not read yet."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, words: str) -> None:
        self.text = self.text.replace(words, " ", 1)

    def take_first(self, pattern: re.Pattern[str], clean: Callable[[str], str]) -> str:
        """Removes the first valid match from the line, and returns it cleaned."""
        for found in pattern.finditer(self.text):
            try:
                value = clean(found[0])
            except BadContact:
                continue
            self.take(found[0])
            return value
        return ""

    def words(self) -> list[str]:
        return _WORD.findall(self.text)

    def name(self) -> str:
        return " ".join(word for word in self.words() if word.casefold() not in _FILLERS)


def _first_named(rest: _Rest, people: Sequence[Resource]) -> Resource | None:
    """The first word that is a name of somebody, or the start of exactly one name."""
    for word in rest.words():
        folded = word.casefold()
        exact = [one for one in people if folded in (one.name.casefold(), one.id.casefold())]
        if len(exact) == 1:
            rest.take(word)
            return exact[0]
    return None


def _first_service(rest: _Rest, services: Iterable[ServiceRules]) -> ServiceRules | None:
    """The service with the longest name in the line; else a word that starts exactly one name."""
    folded = rest.text.casefold()
    known = [(name, one) for one in services for name in (one.name, *one.aliases)]
    inside = [
        (name, one)
        for name, one in known
        if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", folded)
    ]
    if inside:
        name, service = max(inside, key=lambda pair: len(pair[0]))
        rest.text = re.sub(re.escape(name), " ", rest.text, count=1, flags=re.IGNORECASE)
        return service
    for word in rest.words():
        begins = {one.name: one for name, one in known if _starts_a_word(word, name)}
        if len(word) >= 3 and len(begins) == 1:
            rest.take(word)
            return next(iter(begins.values()))
    return None


def _starts_a_word(word: str, name: str) -> bool:
    return any(each.startswith(word.casefold()) for each in name.casefold().split())


def _start(when: When | None) -> datetime | None:
    """The exact start, if the line has a day and one clock time."""
    if when is None or not when.options:
        return None
    first = when.options[0]
    if first.first_on is None or first.first_on != first.last_on or len(first.clocks) != 1:
        return None
    clock = first.clocks[0]
    if clock.earliest != clock.latest:
        return None
    hour, minute = divmod(clock.earliest, 60)
    return datetime.combine(first.first_on, time(hour % 24, minute))


def _bare_hour(rest: _Rest, on: date, rules: BookingRules) -> datetime | None:
    """Reads the hour of 'Fri 9' or 'Fri 3': before or after noon, when somebody works."""
    found = _HOUR.search(rest.text)
    if found is None:
        return None
    hour = int(found[1])
    working = [each for each in {hour, hour + 12} if _is_working_hour(each, on, rules)]
    if len(working) != 1:
        return None
    rest.take(found[0])
    return datetime.combine(on, time(working[0]))


def _is_working_hour(hour: int, on: date, rules: BookingRules) -> bool:
    weeks = [rules.hours, *(one.hours for one in rules.resources if one.hours is not None)]
    periods = (period for week in weeks for period in week[on.weekday()])
    return hour < 24 and any(period.start <= 60 * hour < period.end for period in periods)
