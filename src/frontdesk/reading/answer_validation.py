"""Validates a model's answer: drops values that the text itself does not show."""

import re
from datetime import date
from typing import Final

import msgspec

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.phones import clean_phone
from frontdesk.reading.contacts import EMAIL
from frontdesk.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Context,
    Field,
    ReadFields,
    Words,
    least,
)
from frontdesk.reading.parties import MOST_PARTY
from frontdesk.reading.passages import passages
from frontdesk.reading.request_date import written_on
from frontdesk.reading.service_and_staff import find_service
from frontdesk.reading.windows import WishedWindow, window
from frontdesk.reading.words import folded, number

MOST_ANSWER: Final = 20_000
MOST_QUOTE: Final = 300


class BadAnswer(Exception):
    """The answer is not the requested JSON."""


class _Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: str | int
    confidence: Confidence
    quote: str


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Claim | None = None
    phone: _Claim | None = None
    email: _Claim | None = None
    service: _Claim | None = None
    party: _Claim | None = None
    earliest_on: _Claim | None = None
    latest_on: _Claim | None = None
    staff: _Claim | None = None


def checked(answer: str | bytes, text: str, context: Context) -> ReadFields:
    """Keeps the values that their quotes contain, if the text contains the quotes.

    Dates must equal what our own rules read in those words. Raises `BadAnswer` if it is not JSON of
    the form `{"party": {"value": 2, "confidence": "likely", "quote": "for two"}, …}`.
    """
    if len(answer) > MOST_ANSWER:
        raise BadAnswer("too long")
    try:
        claims = msgspec.json.decode(answer, type=_Answer)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as failed:
        raise BadAnswer(str(failed)) from None
    return _Check(text[:MOST_CHARACTERS], context).proposal(claims)


class _Check:
    def __init__(self, text: str, context: Context) -> None:
        self._text = text
        parts = passages(text, context.own_addresses)
        self._body = parts.body
        self._context = context
        self._written_on = written_on(parts, context)

    def proposal(self, claims: _Answer) -> ReadFields:
        return ReadFields(
            name=self._name(claims.name),
            phone=self._phone(claims.phone),
            email=self._email(claims.email),
            service=self._service(claims.service),
            party=self._party(claims.party),
            earliest_on=self._day(claims.earliest_on, "earliest_on"),
            latest_on=self._day(claims.latest_on, "latest_on"),
            staff=self._staff(claims.staff),
        )

    def _name(self, claim: _Claim | None) -> Field[str] | None:
        words = self._quoted(claim, self._text)
        if claim is None or words is None:
            return None
        try:
            name = clean_name(str(claim.value))
        except BadContact:
            return None
        return Field(name, claim.confidence, words) if _says(words, name) else None

    def _phone(self, claim: _Claim | None) -> Field[str] | None:
        words = self._quoted(claim, self._text)
        if claim is None or words is None:
            return None
        for found in re.finditer(r"\+?[\d(][\d ()./-]{5,30}\d", words.text):
            try:
                number_there = clean_phone(found[0], self._context.country)
                if number_there == clean_phone(str(claim.value), self._context.country):
                    return Field(number_there, claim.confidence, words)
            except BadContact:
                continue
        return None

    def _email(self, claim: _Claim | None) -> Field[str] | None:
        words = self._quoted(claim, self._text)
        if claim is None or words is None:
            return None
        try:
            there = {clean_email(found) for found in EMAIL.findall(words.text)}
            address = clean_email(str(claim.value))
        except BadContact:
            return None
        is_theirs = address in there and address not in self._context.own_addresses
        return Field(address, claim.confidence, words) if is_theirs else None

    def _service(self, claim: _Claim | None) -> Field[str] | None:
        words = self._quoted(claim, self._body)
        if claim is None or words is None:
            return None
        found = find_service(words.text, folded(words.text), {}, self._context)
        if found is None or found.value != claim.value:
            return None
        return Field(found.value, least(claim.confidence, found.confidence), words)

    def _party(self, claim: _Claim | None) -> Field[int] | None:
        words = self._quoted(claim, self._body)
        if claim is None or words is None or not isinstance(claim.value, int):
            return None
        there = {number(word) for word in re.findall(r"\w+", folded(words.text))}
        if claim.value not in there or not 1 <= claim.value <= MOST_PARTY:
            return None
        return Field(claim.value, claim.confidence, words)

    def _staff(self, claim: _Claim | None) -> Field[str] | None:
        words = self._quoted(claim, self._body)
        if claim is None or words is None or claim.value not in self._context.staff:
            return None
        name = str(claim.value)
        is_there = _says(words, name) or _says(words, name.split()[0])
        return Field(name, claim.confidence, words) if is_there else None

    def _day(self, claim: _Claim | None, end: str) -> Field[date] | None:
        words = self._quoted(claim, self._body)
        if claim is None or words is None:
            return None
        if any(_overlap(words, other) for other in self._window(self._body).also):
            return None
        window_there = self._window(words.text)
        there = window_there.earliest_on if end == "earliest_on" else window_there.latest_on
        if there is None or there.value.isoformat() != claim.value:
            return None
        most = Confidence.CONFIDENT if self._written_on else Confidence.LIKELY
        return Field(there.value, least(claim.confidence, there.confidence, most), words)

    def _window(self, text: str) -> WishedWindow:
        today = self._context.today
        return window(
            text,
            folded(text),
            today=today,
            written_on=self._written_on or today,
            country=self._context.country,
        )

    def _quoted(self, claim: _Claim | None, text: str) -> Words | None:
        """Finds the quote in the text; blanks and line ends may differ."""
        if claim is None or not claim.quote.strip() or len(claim.quote) > MOST_QUOTE:
            return None
        pattern = r"\s{1,9}".join(map(re.escape, claim.quote.split()))
        found = re.search(pattern, text)
        return Words(found[0], found.start()) if found else None


def _says(words: Words, value: str) -> bool:
    pattern = r"\s{1,9}".join(map(re.escape, folded(value).split()))
    return bool(re.search(rf"(?<!\w){pattern}(?!\w)", folded(words.text)))


def _overlap(one: Words, other: Words) -> bool:
    return one.start < other.end and other.start < one.end
