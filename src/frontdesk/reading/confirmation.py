"""Reads the confirmation of an appointment: who comes, for what, and the exact day and time.

Unlike a request it states one time, and its writer is the business or a booking system, not the
customer.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from frontdesk.reading.booking_request import BookingReading, read_booking_passages
from frontdesk.reading.contacts import EMAIL
from frontdesk.reading.labels import labelled
from frontdesk.reading.model import Confidence, Context, Field, Reader, Words, least
from frontdesk.reading.person_names import NAME as PERSON_NAME
from frontdesk.reading.person_names import is_full, is_persons
from frontdesk.reading.requests import Request
from frontdesk.reading.when_model import ClockRange, PartsOfDay, When, WhenOption
from frontdesk.reading.words import folded
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
LONGEST_MINUTES: Final = 8 * 60
MOST_ADDRESSES: Final = 50
#: 'Dear Ann Lee,' names the customer.
_GREETING: Final = re.compile(
    r"^[ \t>]{0,8}(?:dear|hello|hi|hey|hallo|liebe[rs]?|bonjour|hola|estimad[oa])[ \t]{1,3}"
    r"(?P<name>[^\W\d_][\w'’.-]{0,40}(?:[ \t][^\W\d_][\w'’.-]{0,40}){0,3})[ \t]{0,3}[,!:\n]",
    re.IGNORECASE | re.MULTILINE,
)
#: 'Ann Lee <ann@example.org>'.
_NAMED: Final = re.compile(
    r"(?P<name>[^\W\d_][\w'’. -]{0,60}?)[\"' ]{0,3}<(?P<email>[^<>\s@]{1,64}@[\w.-]{1,200})>"
)
_NOBODY: Final = frozenset(("all", "team", "there", "everyone", "colleagues", "sir", "madam"))
_MACHINE: Final = re.compile(
    r"no.?reply|do.?not.?reply|mailer|notification|postmaster"
    r"|^(?:info|office|support|bookings?|appointments?|reservations?|buchung(?:en)?|termine?"
    r"|kontakt|contact|rendez-?vous|reservas?|citas?)$",
    re.IGNORECASE,
)
#: The line of a forwarded mail that names its writer, which may be a booking system.
_WRITER: Final = re.compile(
    r"[ \t>*]{0,8}(?:from|von|de|expéditeur|remitente)[ \t*]{0,3}:", re.IGNORECASE
)
#: 'It takes about 45 minutes', 'Dauer: 1 Stunde'.
_LENGTH: Final = re.compile(
    r"\b(?:takes|lasts|duration|length|dauert|dauer|dure|durée|dura|duración)\b[^\d\n]{0,20}"
    r"(?P<number>\d{1,3})[ \t]?(?:(?P<hours>h\b|hours?|hrs?\b|stunden?|heures?|horas?)|min)",
    re.IGNORECASE,
)


#: A name without an address, a date or a time.
_NAME: Final = re.compile(r"[^\W\d_][^\d@\n:;]{1,78}")


class Confirmation(Frozen):
    """The fields of an appointment, each with its confidence and words; None if not in the text."""

    name: Field[str] | None = None
    phone: Field[str] | None = None
    email: Field[str] | None = None
    service: Field[str] | None = None
    staff: Field[str] | None = None
    on: Field[date] | None = None
    minute: Field[int] | None = None
    """The start as a minute of the day."""
    minutes: Field[int] | None = None
    """The length, if the text names it or an end."""


def read_confirmation(
    request: Request,
    context: Context,
    now: datetime,
    reader: Reader | None = None,
    *,
    ours: frozenset[str] = frozenset(),
) -> Confirmation:
    """Reads a mail with its documents. `now` is local wall time. `ours` are addresses of the
    business and its team, in lower case: none of them is the customer's."""
    found = read_booking_passages(request, context, now, PartsOfDay(), reader)
    on, minute, minutes = _start(found.when)
    email = _email(found.email, request.text, ours)
    labels = labelled(request.text, folded(request.text))
    return Confirmation(
        name=_name(
            found, request.text, email, labels.get("name"), _team(context, request.text, ours)
        ),
        phone=found.phone,
        email=email,
        service=found.service or _labelled_name(labels.get("service")),
        staff=found.staff or _labelled_name(labels.get("staff")),
        on=on,
        minute=minute,
        minutes=minutes or _length(request.text),
    )


def _labelled_name(words: Words | None) -> Field[str] | None:
    """Returns the name beside a label, even if the catalogue does not have it."""
    if words is None or not _NAME.fullmatch(words.text):
        return None
    return Field(" ".join(words.text.split()), LIKELY, words)


# --- when -----------------------------------------------------------------------------------

_Start = tuple[Field[date] | None, Field[int] | None, Field[int] | None]


def _start(when: When | None) -> _Start:
    """Returns the day and time that the text states; never certain if it may mean another."""
    days = [each for each in when.options if _is_one_day(each)] if when else []
    if when is None or not days or not when.words:
        return None, None, None
    timed = [each for each in days if _clock(each, when)]
    best = (timed or days)[0]
    sure = when.confidence
    if len({(each.first_on, _clock(each, when)) for each in timed or days}) > 1:
        sure = UNSURE
    elif len(when.options) > 1:
        sure = least(sure, LIKELY)
    assert best.first_on is not None
    on = Field(best.first_on, sure, when.words[0])
    clock = _clock(best, when)
    if clock is None:
        return on, None, None
    at = _words_of_time(when.words)
    length = clock.latest - clock.earliest
    minutes = Field(length, least(sure, LIKELY), at) if 0 < length <= LONGEST_MINUTES else None
    return on, Field(clock.earliest, sure, at), minutes


def _is_one_day(option: WhenOption) -> bool:
    return option.first_on is not None and option.first_on == option.last_on


def _clock(option: WhenOption, when: When) -> ClockRange | None:
    """Returns the time of day; None for 'in the afternoon', which has no digits."""
    is_stated = any(_CLOCK.search(each.text) for each in when.words)
    return option.clocks[0] if is_stated and len(option.clocks) == 1 else None


_CLOCK: Final = re.compile(
    r"\d[:h]\d\d|(?<![\d.])\d{1,2}\.\d\d(?![\d.])|\d ?(?:[ap]\.?m|uhr|h\b)|\b(?:at|um|à) \d"
    r"|\bnoon\b",
    re.IGNORECASE,
)


def _length(text: str) -> Field[int] | None:
    """Returns the length that the text names; None if it names two."""
    found = {
        int(each["number"]) * (60 if each["hours"] else 1): each for each in _LENGTH.finditer(text)
    }
    if len(found) != 1:
        return None
    [(minutes, stated)] = found.items()
    if not 0 < minutes <= LONGEST_MINUTES:
        return None
    return Field(minutes, LIKELY, Words(stated[0], stated.start()))


def _words_of_time(words: Sequence[Words]) -> Words:
    return next((each for each in words if _CLOCK.search(each.text)), words[-1])


# --- who ------------------------------------------------------------------------------------


def _team(context: Context, text: str, ours: frozenset[str]) -> frozenset[str]:
    """Returns the full and first names of the team: in the catalogue, or before one of our
    addresses."""
    beside = (each["name"] for each in _NAMED.finditer(text) if each["email"].lower() in ours)
    names = [" ".join(each.split()).casefold() for each in (*context.staff, *beside)]
    return frozenset((*names, *(each.split()[0] for each in names if each)))


def _before_contact(labelled_name: Words) -> Field[str] | None:
    """Returns 'Ann Lee' from 'Customer: Ann Lee (+65 9123 4567)'."""
    name = re.split(r"[(<\[,;+\d]", labelled_name.text, maxsplit=1)[0].strip(" .-–")
    if not _NAME.fullmatch(name) or not is_persons(name):
        return None
    return Field(name, LIKELY, Words(name, labelled_name.start + labelled_name.text.index(name)))


def _name(
    found: BookingReading,
    text: str,
    email: Field[str] | None,
    labelled_name: Words | None,
    team: frozenset[str],
) -> Field[str] | None:
    """Returns a labelled name, else the one in the greeting: a signature may be the writer's.

    A greeting of the team names no customer.
    """
    if found.name is not None and found.name.confidence is CONFIDENT:
        return found.name
    if labelled_name is not None and (beside := _before_contact(labelled_name)) is not None:
        return beside
    for greeted in _GREETING.finditer(text):
        name = greeted["name"].strip(" .")
        if name.casefold() not in _NOBODY | team:
            words = Words(greeted["name"], greeted.start("name"))
            return _whole_name(name, text, email) or Field(name, LIKELY, words)
    if (beside := _beside_email(text, email)) is not None and beside.value.casefold() not in team:
        return beside
    if found.name is not None and found.name.value.casefold() in team:
        return None
    return found.name if found.name is not None and _may_be_name(found.name, found) else None


def _beside_email(text: str, email: Field[str] | None) -> Field[str] | None:
    """Returns 'Ann Lee' from 'Cut for Ann Lee, ann@example.org'."""
    if email is None:
        return None
    beside = rf"(?P<name>{PERSON_NAME})[ \t\"',(<–-]{{1,4}}{re.escape(email.value)}"
    stated = re.search(beside, text)
    if stated is None or not is_full(stated["name"]):
        return None
    return Field(stated["name"], LIKELY, Words(stated["name"], stated.start("name")))


def _may_be_name(name: Field[str], found: BookingReading) -> bool:
    """Returns False for a reference, a company, or a service on a line of its own."""
    others = (each.words.text for each in (found.service, found.staff) if each)
    return is_persons(name.value) and name.words.text not in others


def _whole_name(name: str, text: str, email: Field[str] | None) -> Field[str] | None:
    """Returns the name before the customer's address, if it begins with the one in the greeting."""
    if email is None:
        return None
    more = r"(?:[ \t][^\W\d_][\w'’.-]{0,40}){1,3}"
    whole = rf"\b(?P<name>{re.escape(name)}{more})[\"' \t]{{0,3}}<{re.escape(email.value)}>"
    stated = re.search(whole, text, re.IGNORECASE)
    return stated and Field(stated["name"], LIKELY, Words(stated["name"], stated.start("name")))


def _email(found: Field[str] | None, text: str, ours: frozenset[str]) -> Field[str] | None:
    """Returns the address that was read, else the only one that may be the customer's.

    The address of a forwarded mail's writer is not certain.
    """
    if found is not None and _may_be_theirs(found.value, ours):
        return _less_if_writers(found, text)
    others: dict[str, Words] = {}
    for each in list(EMAIL.finditer(text))[:MOST_ADDRESSES]:
        if _may_be_theirs(each[0], ours):
            others.setdefault(each[0].lower(), Words(each[0], each.start()))
    if len(others) != 1:
        return None
    [(address, words)] = others.items()
    return _less_if_writers(Field(address, LIKELY, words), text)


def _less_if_writers(email: Field[str], text: str) -> Field[str]:
    line = text.rfind("\n", 0, email.words.start) + 1
    return replace(email, confidence=UNSURE) if _WRITER.match(text, line) else email


def _may_be_theirs(address: str, ours: frozenset[str]) -> bool:
    return address.lower() not in ours and not _MACHINE.search(address.partition("@")[0])
