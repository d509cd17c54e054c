"""Finds the values beside labels in forms and tables: 'Guests: 4', 'Name | Phone | Service'."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from frontdesk.reading.model import Words

#: Folded labels, by the field that they are for.
_LABELS: Final = {
    "name": "name|full name|your name|customer|client|guest name|guest|owner"
    "|patient(?:in)?(?: name)?|kunde|kundin|nom|nombre|nom et prenom|nombre y apellidos?"
    "|vor- und nachname",
    "first_name": "(?:your )?(?:first|given) name|vorname|prenom",
    "last_name": "(?:your )?(?:last|family) name|surname|nachname|nom de famille|apellidos?",
    "phone": "(?:your )?phone|phone number|tel|telephone|mobile|cell|mobile number|telefon"
    "|telefonnummer|handy"
    "|mobil|mobilnummer|handynummer|portable|telefono|movil|whatsapp|contact number|t|m",
    "email": "(?:your )?e-?mail|email address|mail|courriel|correo|correo electronico"
    "|e-mail-adresse|adresse mail",
    "service": "(?:preferred |requested )?(?:service|treatment)|appointment|what|wants?|purpose|for"
    "|reason(?: for visit)?|what do you need\\?|was|leistung|behandlung|termin fur|anliegen"
    "|prestation|meal|mahlzeit|repas|comida"
    "|soin|servicio|tratamiento",
    "party": "party|party size|guests|people|persons|number of (?:people|guests|persons)"
    "|how many|pax|covers|personen|anzahl|anzahl personen|personenzahl|gaste|personnes"
    "|nombre de personnes"
    "|couverts|personas|numero de personas|comensales",
    "staff": "(?:preferred )?(?:staff|stylist|therapist|instructor|teacher|trainer|artist|doctor"
    "|barber|hairdresser|groomer)|with|mitarbeiter(?:in)?"
    "|bei|avec|praticien|profesional|con",
}
_LABEL: Final = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in _LABELS.items()))
_LINE: Final = re.compile(
    r"[ \t]{0,4}(?:[-*•|]{1,2}[ \t]{0,2})?([^:|\t\n.]{1,40}?)[ \t]{0,4}(?::|\||\t|\.{2,20}:?| {3,})"
)


def labelled(body: str, folded: str) -> dict[str, Words]:
    """Returns the first value beside each kind of label."""
    found: dict[str, Words] = {}
    for kind, words in (*_beside(body, folded), *_below(body, folded)):
        if words.text:
            found.setdefault(kind, words)
    return found


def label_kind(text: str) -> str:
    """Returns the field that a label is for; '' if it is not a label."""
    match = _LABEL.fullmatch(text.strip(" *_.#"))
    return str(match.lastgroup) if match else ""


def _beside(body: str, folded: str) -> Iterator[tuple[str, Words]]:
    """Reads 'Guests: 4' and '| Guests | 4 |'."""
    for start, line in _lines(folded):
        match = _LINE.match(line)
        if match and (kind := label_kind(match[1])):
            rest = body[start + match.end() : start + len(line)]
            if sum(1 for cell in line.split("|") if label_kind(cell)) < 2:
                yield kind, _trimmed(rest, start + match.end())


def _below(body: str, folded: str) -> Iterator[tuple[str, Words]]:
    """Reads a row of labels, and the row below it."""
    lines = [each for each in _lines(folded) if each[1].strip(" -|+=:\t")]
    for (_, line), (next_start, next_line) in pairwise(lines):
        mark = next((each for each in "|\t;" if each in line), "")
        kinds = [label_kind(cell) for cell in line.split(mark)] if mark else []
        if sum(map(bool, kinds)) < 2:
            continue
        at = next_start
        for kind, cell in zip(kinds, next_line.split(mark), strict=False):
            if kind:
                yield kind, _trimmed(body[at : at + len(cell)], at)
            at += len(cell) + 1


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _trimmed(text: str, start: int) -> Words:
    inner = text.strip(" \t|*_:")
    return Words(inner, start + text.index(inner) if inner else start)
