"""Which column is which, from the headings that the business has given them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from frontdesk.features.sheet_sync.model import Column, Row
from frontdesk.values import Frozen

#: A heading stands within the first rows: above it there may be a title.
WITHIN_ROWS: Final = 10

_WORDS: Final = {
    Column.NAME: (
        "name, full name, customer, customer name, client, client name, guest, guest name,"
        " patient, patient name, person, who, Kunde, Kundin, Gast, nom, client, nombre, cliente"
    ),
    Column.MOBILE: (
        "mobile, mobile number, mobile no, phone, phone number, phone no, telephone, tel, cell,"
        " cell phone, cellphone, handphone, hp, sms, whatsapp, number, Handy, Handynummer,"
        " Telefon, Telefonnummer, Mobil, téléphone, portable, móvil, teléfono, celular"
    ),
    Column.EMAIL: (
        "email, e-mail, mail, email address, e-mail address, mail address, E-Mail-Adresse,"
        " courriel, adresse e-mail, correo, correo electrónico"
    ),
    Column.CONTACT: (
        "contact, contact details, contact info, phone or email, email or phone, mobile or email,"
        " email or mobile, reach, Kontakt, contacto"
    ),
    Column.SERVICE: (
        "service, services, treatment, appointment, appointment type, for, waiting for, what,"
        " type, Leistung, Behandlung, prestation, servicio, tratamiento"
    ),
    Column.PARTY: (
        "party, party size, size, group size, pax, people, persons, guests, covers, how many,"
        " number of people, no of people, seats, Personen, Personenzahl, Anzahl, personnes,"
        " personas"
    ),
    Column.EARLIEST: (
        "earliest, earliest date, from, from date, start, start date, after, not before,"
        " available from, frühestens, ab, von, au plus tôt, à partir de, desde"
    ),
    Column.LATEST: (
        "latest, latest date, until, till, to, to date, end, end date, before, by, not after,"
        " available until, spätestens, bis, au plus tard, jusqu'au, hasta"
    ),
    Column.STAFF: (
        "staff, staff preference, preferred staff, stylist, therapist, doctor, dentist, barber,"
        " with, with whom, team member, practitioner, prefers, Mitarbeiter, Mitarbeiterin, bei,"
        " avec, con, profesional"
    ),
    Column.PRIORITY: (
        "priority, vip, urgent, important, priority customer, Priorität, dringend, priorité,"
        " prioridad"
    ),
    Column.JOINED: (
        "joined, joined at, joined on, date joined, added, added at, added on, date added,"
        " since, waiting since, signed up, timestamp, requested, requested on, Eingetragen, seit,"
        " depuis, inscrit le"
    ),
    Column.ID: "id, frontdesk id, entry id, entry",
    Column.STATUS: "status, state, frontdesk status, Stand, statut, estado",
}

#: How we head a column that is missing.
OURS: Final = {Column.ID: "id", Column.STATUS: "status"}
_WHO: Final = {Column.NAME}
_HOW: Final = {Column.MOBILE, Column.EMAIL, Column.CONTACT}


def _plain(heading: str) -> str:
    """Lower case, no accents, one blank between words, nothing in brackets."""
    said = re.sub(r"\(.{0,60}?\)", " ", heading[:100]).replace("-mail", "mail").casefold()
    bare = unicodedata.normalize("NFKD", said)
    letters = "".join(each for each in bare if not unicodedata.combining(each))
    return " ".join(re.findall(r"[^\W_]+", letters))


_EXACT: Final = {
    _plain(word): column for column, words in _WORDS.items() for word in words.split(",")
}


class Layout(Frozen):
    """Where the headings stand, and which column is where."""

    line: int
    places: Mapping[Column, int]
    width: int
    """How many columns there are, the business's own among them."""
    headings: tuple[str, ...]

    @property
    def lacks(self) -> tuple[Column, ...]:
        """Our own columns that are not there yet."""
        return tuple(each for each in OURS if each not in self.places)

    def with_ours(self) -> Layout:
        """As it will be once our columns are there, right of all others."""
        places, headings = dict(self.places), list(self.headings)
        headings += [""] * (self.width - len(headings))
        for column in self.lacks:
            places[column] = len(headings)
            headings.append(OURS[column])
        return Layout(self.line, places, len(headings), tuple(headings))


def layout_of(rows: Sequence[Row]) -> Layout | None:
    """By the row with the most headings that we know: at least a name, a contact, a service."""
    above = [row for row in rows[:WITHIN_ROWS] if not any("@" in cell for cell in row.cells)]
    layouts = [_layout_at(row, rows) for row in above]
    found = [each for each in layouts if _is_enough(each.places)]
    return max(found, key=lambda each: (len(each.places), -each.line), default=None)


def _layout_at(row: Row, rows: Sequence[Row]) -> Layout:
    places: dict[Column, int] = {}
    for place, heading in enumerate(row.cells):
        column = _EXACT.get(_plain(heading))
        if column is not None and column not in places:
            places[column] = place
    _settle_contact(places)
    width = max(len(each.cells) for each in rows)
    return Layout(row.line, places, width, tuple(cell.strip() for cell in row.cells))


def _settle_contact(places: dict[Column, int]) -> None:
    """Beside a column for the one kind of contact, 'contact' means the other."""
    beside = {Column.EMAIL, Column.MOBILE} & set(places)
    if Column.CONTACT in places and beside:
        place = places.pop(Column.CONTACT)
        if beside == {Column.EMAIL}:
            places[Column.MOBILE] = place
        elif beside == {Column.MOBILE}:
            places[Column.EMAIL] = place


def _is_enough(places: Mapping[Column, int]) -> bool:
    known = set(places)
    return Column.SERVICE in known and bool(known & _WHO) and bool(known & _HOW)
