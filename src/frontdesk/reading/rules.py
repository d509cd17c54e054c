"""Reads a request by rules alone: without a model or a network, and always with the same result."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from frontdesk.reading.certainty import (
    ReadText,
    day_confidence,
    is_other_business,
    party_confidence,
    service_confidence,
    staff_confidence,
    text_confidence,
)
from frontdesk.reading.contact_certainty import contact_confidence
from frontdesk.reading.contacts import EMAIL, LINK
from frontdesk.reading.labels import labelled
from frontdesk.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Context,
    Field,
    ReadFields,
    Value,
    Words,
    in_order,
    least,
)
from frontdesk.reading.parties import find_party
from frontdesk.reading.passages import passages
from frontdesk.reading.request_date import written_on
from frontdesk.reading.requester import find_people
from frontdesk.reading.service_and_staff import find_service, find_staff, services_in, staff_in
from frontdesk.reading.windows import WishedWindow, window
from frontdesk.reading.words import blanked, folded


class RulesReader:
    """Reads English, German, French and Spanish, also with the errors of people in a hurry."""

    def read(self, text: str, context: Context) -> ReadFields:
        """Reads the text. The words of a field are in the text at their `start`."""
        parts = passages(text[:MOST_CHARACTERS], context.own_addresses)
        body = blanked(parts.body, EMAIL, LINK)
        plain = folded(body)
        labels = labelled(parts.body, folded(parts.body))
        people = find_people(parts, labels, context)
        service = find_service(body, plain, labels, context)
        party = find_party(body, plain, labels)
        is_business = is_other_business(plain)
        days = _window(body, plain, written_on(parts, context), context)
        days = _only_wished(days) if is_business else days
        fields = (people.name, service, party, days.earliest_on, days.latest_on)
        staff = find_staff(body, plain, labels, context)
        read = [field.words for field in fields if field]
        services = services_in(body, context)
        said = ReadText(
            plain, services, (*read, *days.also, *services, *staff_in(body, plain, context))
        )
        most = text_confidence(body, plain)
        known = Confidence.LIKELY if is_business else Confidence.CONFIDENT
        phone, email = (
            contact_confidence(folded(text), each, said.read, is_for_other=people.is_for_other)
            for each in (people.phone, people.email)
        )
        return ReadFields(
            name=_as_written(people.name, text, known),
            phone=_as_written(people.phone, text, least(most, phone)),
            email=_as_written(people.email, text, least(known, email)),
            service=_as_written(service, text, least(most, service_confidence(said, service))),
            party=_as_written(party, text, least(most, party_confidence(said, party, labels))),
            earliest_on=_as_written(
                days.earliest_on, text, least(most, day_confidence(said, days.earliest_on))
            ),
            latest_on=_as_written(
                days.latest_on, text, least(most, day_confidence(said, days.latest_on))
            ),
            staff=_as_written(staff, text, least(most, staff_confidence(said, staff, labels))),
            asides=in_order(_words(each, text) for each in (*days.also, *_times(body, plain))),
        )


def _window(body: str, plain: str, written: date | None, context: Context) -> WishedWindow:
    """Reads the days in the text. None is certain if the date of the text is unknown."""
    today = context.today
    found = window(body, plain, today=today, written_on=written or today, country=context.country)
    most = Confidence.CONFIDENT if written else Confidence.LIKELY
    first, last = (_as_written(each, body, most) for each in (found.earliest_on, found.latest_on))
    return WishedWindow(first, last, found.also)


def _only_wished(days: WishedWindow) -> WishedWindow:
    """Drops unsure dates, since the mail is about something else."""
    first, last = (
        each if each and each.confidence is not Confidence.UNSURE else None
        for each in (days.earliest_on, days.latest_on)
    )
    return WishedWindow(first, last, days.also)


def _as_written(
    field: Field[Value] | None, text: str, most: Confidence = Confidence.CONFIDENT
) -> Field[Value] | None:
    """Replaces the words by those in the original text; limits the confidence to `most`."""
    if field is None:
        return None
    return Field(field.value, least(field.confidence, most), _words(field.words, text))


def _words(words: Words, text: str) -> Words:
    return Words(text[words.start : words.end], words.start)


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
