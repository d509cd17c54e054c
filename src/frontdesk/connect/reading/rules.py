"""Reads a request by rules alone: no model, no network, the same answer every time."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from frontdesk.connect.reading.asking import surest, surest_day, surest_service
from frontdesk.connect.reading.contacts import EMAIL, LINK
from frontdesk.connect.reading.labels import labelled
from frontdesk.connect.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Context,
    Field,
    Proposal,
    Value,
    Words,
    in_order,
    least,
)
from frontdesk.connect.reading.passages import Passages, day_sent, passages
from frontdesk.connect.reading.people import find_people
from frontdesk.connect.reading.periods import plus
from frontdesk.connect.reading.windows import window
from frontdesk.connect.reading.wishes import find_party, find_service, find_staff, services_in
from frontdesk.connect.reading.words import folded

#: From the day of an older mail nothing is reckoned.
MOST_DAYS_OLD: Final = 700


class RulesReader:
    """Understands English, German, French and Spanish as people write it in a hurry."""

    def read(self, text: str, context: Context) -> Proposal:
        """What the text says. Words of a field stand in the text exactly where they say."""
        parts = passages(text[:MOST_CHARACTERS], context.own_addresses)
        body = _without(parts.body, EMAIL, LINK)
        plain = folded(body)
        labels = labelled(parts.body, folded(parts.body))
        people = find_people(parts, labels, context)
        written_on = _written_on(parts, context)
        days = window(
            body,
            plain,
            today=context.today,
            written_on=written_on or context.today,
            country=context.country,
        )
        most = surest(body, plain)
        service = find_service(body, plain, labels, context)
        wanted = surest_service(plain, service.words) if service else most
        known = Confidence.CONFIDENT if written_on else Confidence.LIKELY

        def day(field: Field[date] | None) -> Field[date] | None:
            if field is None:
                return None
            asked = surest_day(plain, field.words, services_in(body, context))
            return _as_written(field, text, least(most, asked, known))

        return Proposal(
            name=_as_written(people.name, text),
            phone=_as_written(people.phone, text, most),
            email=_as_written(people.email, text),
            service=_as_written(service, text, least(most, wanted)),
            party=_as_written(find_party(body, plain, labels), text, most),
            earliest_on=day(days.earliest_on),
            latest_on=day(days.latest_on),
            staff=_as_written(find_staff(body, plain, labels, context), text, most),
            asides=in_order(_words(each, text) for each in (*days.also, *_times(body, plain))),
        )


def _as_written(
    field: Field[Value] | None, text: str, most: Confidence = Confidence.CONFIDENT
) -> Field[Value] | None:
    """With the words as they stand in the text, and not surer than `most`."""
    if field is None:
        return None
    return Field(field.value, least(field.confidence, most), _words(field.words, text))


def _words(words: Words, text: str) -> Words:
    return Words(text[words.start : words.end], words.start)


def _without(text: str, *patterns: re.Pattern[str]) -> str:
    """Blanks in the place of addresses and links: what is in them is not said."""
    for pattern in patterns:
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def _written_on(parts: Passages, context: Context) -> date | None:
    """The day from which 'tomorrow' counts; None if a forwarded mail does not say it clearly."""
    if parts.sent is None:
        return context.today if parts.sender is None else None
    if found := day_sent(parts.sent.text, context.zone):
        return found if found <= context.today else None
    sent, long_ago = parts.sent.text, plus(context.today, -MOST_DAYS_OLD)
    if not _YEAR.search(sent):
        return None
    said = window(
        sent, folded(sent), today=long_ago, written_on=long_ago, country=context.country
    ).earliest_on
    if said is None or said.confidence is Confidence.UNSURE or said.value > context.today:
        return None
    return said.value


_YEAR: Final = re.compile(r"\b20\d\d\b")


def _times(text: str, plain: str) -> Iterable[Words]:
    for match in list(_TIME_OF_DAY.finditer(plain))[:10]:
        yield Words(text[match.start() : match.end()], match.start())


_TIME_OF_DAY: Final = re.compile(
    r"\b(?:mornings?|afternoons?|evenings?|lunchtime|after work|(?:vor|nach)mittags?|abends?"
    r"|morgens|nach der arbeit|(?:le )?matin|apres-midi|(?:le )?soir|por la (?:manana|tarde"
    r"|noche)|(?:after|before|from|at|ab|nach|vor|um|a partir de|apres|avant|despues de las"
    r"|antes de las|a las)"
    r" \d{1,2}(?:[:.h]\d\d)?\s?(?:am|pm|uhr|h|o'clock)|as soon as possible|asap|so bald wie moglich"
    r"|schnellstmoglich|des que possible|cuanto antes|lo antes posible)\b"
)
