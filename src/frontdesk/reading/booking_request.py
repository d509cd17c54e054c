"""Reads a booking request in free text: which service, when, with whom, and who asks."""

import re
from datetime import datetime, time
from typing import Any, Final

from frontdesk.core.localtime import is_month_first
from frontdesk.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Context,
    Field,
    Reader,
    ReadFields,
    Words,
    least,
)
from frontdesk.reading.passages import Passages, passages
from frontdesk.reading.request_date import written_on
from frontdesk.reading.requests import BETWEEN, Request, moved_words, surer
from frontdesk.reading.rules import RulesReader
from frontdesk.reading.service_and_staff import services_in, staff_in
from frontdesk.reading.when import when_in
from frontdesk.reading.when_model import PartsOfDay, When, WhenOption
from frontdesk.reading.words import blanked, folded
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
_RULES = RulesReader()


class BookingReading(Frozen):
    """The fields of a request, each with its confidence and its words; None if not in the text."""

    service: Field[str] | None = None
    when: When | None = None
    staff: Field[str] | None = None
    party: Field[int] | None = None
    name: Field[str] | None = None
    phone: Field[str] | None = None
    email: Field[str] | None = None


def read_booking_request(
    text: str,
    context: Context,
    now: datetime,
    parts: PartsOfDay,
    reader: Reader | None = None,
) -> BookingReading:
    """Reads a request. `now` is the local wall time of the business, `context.today` its date.

    `reader`, which may ask a model, reads only a text whose service, staff or party the rules do
    not read for certain. The wished time is always read by rules. All words are in the text at
    their position.
    """
    text = text[:MOST_CHARACTERS]
    found = _RULES.read(text, context)
    if reader is not None and not _is_sure(found):
        found = reader.read(text, context)
    return BookingReading(
        service=found.service,
        when=_when(text, context, now, parts),
        staff=found.staff,
        party=found.party,
        name=found.name,
        phone=found.phone,
        email=found.email,
    )


def _is_sure(found: ReadFields) -> bool:
    """Returns whether the rules are enough: all that is named is certain, the service included."""
    named = [each for each in (found.service, found.staff, found.party) if each is not None]
    return found.service is not None and all(each.confidence is CONFIDENT for each in named)


def read_booking_passages(
    request: Request,
    context: Context,
    now: datetime,
    parts: PartsOfDay,
    reader: Reader | None = None,
) -> BookingReading:
    """Reads the mail and each of its documents. All words are in `request.text`.

    Takes the most certain value of each field. If two passages differ, none of them is certain.
    """
    start, joined = 0, BookingReading()
    for passage in request.passages:
        found = read_booking_request(passage, context, now, parts, reader)
        joined = _merged(joined, _moved(found, start))
        start += len(passage) + len(BETWEEN)
    return joined


def _moved(reading: BookingReading, by: int) -> BookingReading:
    changed: dict[str, Any] = {
        name: Field(field.value, field.confidence, moved_words(field.words, by))
        for name in _FIELDS
        if (field := getattr(reading, name))
    }
    when = reading.when
    if when is not None:
        when = replace(when, words=tuple(moved_words(each, by) for each in when.words))
    return replace(reading, when=when, **changed)


def _merged(one: BookingReading, other: BookingReading) -> BookingReading:
    found: dict[str, Any] = {
        name: surer(getattr(one, name), getattr(other, name)) for name in _FIELDS
    }
    return BookingReading(when=_surer_when(one.when, other.when), **found)


def _surer_when(one: When | None, other: When | None) -> When | None:
    if one is None or other is None:
        return one or other
    best = min(one, other, key=lambda each: list(Confidence).index(each.confidence))
    is_same = replace(one, confidence=best.confidence, words=()) == replace(
        other, confidence=best.confidence, words=()
    )
    return best if is_same else replace(best, confidence=UNSURE)


_FIELDS: Final = tuple(each for each in BookingReading.__struct_fields__ if each != "when")


def _when(text: str, context: Context, now: datetime, parts: PartsOfDay) -> When | None:
    """Reads the wished time; 'tomorrow' counts from the day on which the mail was written."""
    passage = passages(text, context.own_addresses)
    written = written_on(passage, context)
    is_today = written is None or written == now.date()
    known = _known(passage, context)
    found = when_in(
        _without_numbers(passage.body, known),
        now if is_today or written is None else datetime.combine(written, time()),
        parts,
        month_first=is_month_first(context.country),
        known=known,
    )
    if found is None:
        return None
    words = tuple(replace(each, text=text[each.start : each.end]) for each in found.words)
    most = LIKELY if written is None else CONFIDENT
    return _ahead(replace(found, confidence=least(found.confidence, most), words=words), now)


def _known(passage: Passages, context: Context) -> tuple[Words, ...]:
    body = passage.body
    return (*services_in(body, context), *staff_in(body, folded(body), context))


def _without_numbers(body: str, known: tuple[Words, ...]) -> str:
    """Blanks out words with digits in the names of services and staff: 'Cut 2pm' is no time.

    Words without digits stay, since they may be a time: 'a table for lunch'.
    """
    for each in known:
        blank = blanked(each.text, _WITH_DIGITS)
        body = body[: each.start] + blank + body[each.start + len(blank) :]
    return body


_WITH_DIGITS: Final = re.compile(r"[^\W\d_]{0,40}\d\w{0,80}")


def _ahead(when: When, now: datetime) -> When:
    """Drops options that have passed since the mail was written; never certain if some have."""
    ahead = tuple(each for each in when.options if not _is_past(each, now))
    if len(ahead) == len(when.options):
        return when
    return replace(when, options=ahead or when.options, confidence=UNSURE)


def _is_past(option: WhenOption, now: datetime) -> bool:
    return option.last_on is not None and option.last_on < now.date()
