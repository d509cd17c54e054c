"""Recognises columns by their headings, in several languages, and reads rows by them."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from frontdesk.connect.tables.model import HEADINGS_WITHIN_ROWS, Meaning, RawRow, TableColumn
from frontdesk.connect.tables.pasted_text import PastedPerson, people_in, split_person
from frontdesk.connect.tables.people import is_answer
from frontdesk.core.plain_text import plain_words
from frontdesk.values import Frozen, replace

#: Exact headings. Compared without case and accents.
_WORDS = {
    Meaning.EMAIL: (
        "email, e-mail, mail, email address, e-mail address, mail address, contact email,"
        " guest email, attendee email, participant email, invitee email,"
        " E-Mail-Adresse, Emailadresse, Mailadresse, adresse e-mail, adresse mail, adresse email,"
        " adresse électronique, courriel, mél, correo, correo electrónico, dirección de correo,"
        " dirección de correo electrónico, indirizzo email, indirizzo e-mail, posta elettronica,"
        " endereço de email, endereço de e-mail, correio eletrónico, e-mailadres, emailadres,"
        " e-post, epost, e-postadress, e-postadresse, sähköposti, adres e-mail, adres email,"
        " электронная почта, почта, メール, メールアドレス, 邮箱, 电子邮件, 电子邮箱"
    ),
    Meaning.NAME: (
        "name, names, full name, fullname, your name, your full name, display name, guest,"
        " guest name, name of guest, attendee, attendee name, participant, participant name,"
        " invitee, invitee name, contact, contact name, person,"
        " Gast, Name des Gastes, Teilnehmer, Vor- und Nachname, vollständiger Name,"
        " nom, nom complet, nom et prénom, prénom et nom, invité, nombre, nombre completo,"
        " nombre y apellidos, nombre y apellido, invitado, nome, nome completo, nome e cognome,"
        " ospite, convidado, naam, volledige naam, namn, navn, nimi, imię i nazwisko, uczestnik,"
        " ФИО, имя и фамилия, 名前, お名前, 氏名, 姓名"
    ),
    Meaning.FIRST_NAME: (
        "first name, firstname, first, given name, forename, guest first name,"
        " attendee first name, Vorname, Rufname, prénom, nombre de pila, primeiro nome, voornaam,"
        " förnamn, fornavn, etunimi, imię, имя, 名"
    ),
    Meaning.LAST_NAME: (
        "last name, lastname, last, surname, family name, guest last name, attendee last name,"
        " Nachname, Familienname, Zuname, nom de famille, apellido, apellidos, cognome, sobrenome,"
        " apelido, achternaam, efternamn, etternavn, efternavn, sukunimi, nazwisko, фамилия, 姓"
    ),
    Meaning.PARTY: (
        "party, party size, size of party, group size, seats, seat count, number of seats,"
        " places, quantity, qty, ticket quantity, number of tickets, pax, headcount, head count,"
        " people, persons, number of people, number of persons, number of attendees,"
        " total guests, guests, number of guests, guest count, no. of guests,"
        " Personen, Anzahl, Anzahl Personen, Personenzahl, Plätze, Anzahl Plätze, Gäste,"
        " Anzahl Gäste, personnes, nombre de personnes, nombre de places, convives, personas,"
        " número de personas, plazas, asientos, cantidad, persone, numero di persone, posti,"
        " pessoas, número de pessoas, lugares, aantal, aantal personen, antal, antal personer,"
        " liczba osób, 人数"
    ),
    Meaning.EXTRA: (
        "+1, +1s, plus 1, plus one, plus ones, plusones, additional guests,"
        " number of additional guests, extra guests, extra people, companions, brings, bringing,"
        " Begleitung, Begleitpersonen, Anzahl Begleitpersonen, weitere Personen, weitere Gäste,"
        " accompagnants, nombre d'accompagnants, acompañantes, número de acompañantes,"
        " accompagnatori, acompanhantes, introducés, osoby towarzyszące, 同伴者"
    ),
    Meaning.ANSWER: (
        "status, rsvp, rsvp status, rsvp response, rsvp answer, approval status,"
        " attendee status, guest status, participant status, attendance, attendance status,"
        " invitation status, invite status, registration status, response, response status,"
        " reply, answer, going, attending, coming, is attending, is coming,"
        " Antwort, Zusage, Rückmeldung, Teilnahme, Teilnahmestatus, statut, réponse, présence,"
        " estado, respuesta, asistencia, stato, risposta, resposta, antwoord, svar, odpowiedź,"
        " статус, ответ, 出欠, 参加状況"
    ),
    Meaning.NOTE: (
        "note, notes, comment, comments, remark, remarks, message, dietary requirements,"
        " Anmerkung, Anmerkungen, Bemerkung, Bemerkungen, Kommentar, Notiz, Notizen, commentaire,"
        " commentaires, remarque, remarques, comentario, comentarios, nota, notas, note,"
        " osservazioni, opmerking, opmerkingen, kommentti, uwagi, 备注, 備考"
    ),
}

#: Patterns within a heading, such as a question in a form; tried in this order.
_PHRASES = (
    (Meaning.EXTRA, r"plus (1|ones?)\b|\b(additional|extra|other) (guests|people|persons)\b"),
    (Meaning.EXTRA, r"\bbring\b.*\b(guests?|people|someone)\b|\b(guests?|people)\b.*\bbring"),
    (Meaning.PARTY, r"\bhow many\b.*\b(people|guests|persons|seats|you|attend(ing)?|coming)\b"),
    (Meaning.PARTY, r"\b(party|group) size\b|\bincluding you(rself)?\b"),
    (Meaning.EMAIL, r"\be ?mails?\b|\bemail ?address|\bcourriel\b|\bcorreo\b"),
    (Meaning.FIRST_NAME, r"\b(first|given) ?name\b"),
    (Meaning.LAST_NAME, r"\b(last|family) ?name\b|\bsurname\b"),
    (Meaning.NAME, r"\b(full|your|guest|attendee|participant) ?name\b"),
    (Meaning.ANSWER, r"\b(will|can|are) you\b.*\b(attend(ing)?|com(e|ing)|join(ing)?|make it)\b"),
    (Meaning.NOTE, r"\b(notes|comments?|dietary|allergies)\b"),
)

#: The payer counts as the guest only if nobody else is named.
_PAYER = re.compile(r"\b(buyer|purchaser|orderer|booker|customer|billing)\b")
#: Words of headings that are not about the guest.
_ELSE = re.compile(
    r"\b(status|sent|opened|consent|marketing|opt|emergency|partner|second|company|event|ticket"
    r"|referr\w*|host|coupon|user)\b"
)
_NAMES_IN_COUNT = re.compile(r"\b(names?|e ?mails?|who)\b")

#: These count everybody, unless a row has 0.
_GUESTS = ("guests", "number of guests", "guest count", "no of guests", "gaste", "anzahl gaste")


def _plain(heading: str) -> str:
    """Lower case, no accents, one blank between words; `firstName` gives `first name`."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", heading[:200])
    signs = parted.replace("+", " plus ").replace("#", " number ")
    return " ".join(plain_words(signs))


_EXACT = {
    _plain(words): meaning for meaning, text in _WORDS.items() for words in text.split(",")
} | {"plus 1": Meaning.EXTRA}


def columns_of(cells: Sequence[str]) -> tuple[TableColumn, ...]:
    """Returns each column with its meaning; for one meaning, the simplest heading wins."""
    best: dict[Meaning, tuple[int, int]] = {}
    for place, heading in enumerate(cells):
        if (found := _meaning(_plain(heading))) is not None:
            meaning, rank = found
            best[meaning] = min(best.get(meaning, (rank, place)), (rank, place))
    _name_beside_first_or_last(best)
    chosen = {place: meaning for meaning, (_, place) in best.items()}
    return tuple(
        TableColumn(place, heading.strip(), chosen.get(place))
        for place, heading in enumerate(cells)
    )


def _meaning(plain: str) -> tuple[Meaning, int] | None:
    """Returns the meaning and its rank: 0 is an exact match."""
    if plain in _EXACT:
        return _EXACT[plain], 0
    for meaning, pattern in _PHRASES:
        if re.search(pattern, plain):
            counts = meaning in (Meaning.EXTRA, Meaning.PARTY)
            if _ELSE.search(plain) or (counts and _NAMES_IN_COUNT.search(plain)):
                return None
            return meaning, 2 if _PAYER.search(plain) else 1
    return None


def _name_beside_first_or_last(best: dict[Meaning, tuple[int, int]]) -> None:
    """In 'Vorname; Name' and 'Nombre; Apellidos' the name is the other half."""
    first, last = Meaning.FIRST_NAME in best, Meaning.LAST_NAME in best
    if Meaning.NAME in best and first != last:
        best[Meaning.LAST_NAME if first else Meaning.FIRST_NAME] = best.pop(Meaning.NAME)


def may_be_extra(column: TableColumn) -> bool:
    return column.meaning is Meaning.PARTY and _plain(column.heading) in _GUESTS


_MEASURED_ROWS = 200
_WHO = (Meaning.EMAIL, Meaning.NAME, Meaning.FIRST_NAME, Meaning.LAST_NAME)


class TableLayout(Frozen):
    """The meaning of each column, and the first row of people."""

    first: int
    columns: tuple[TableColumn, ...]

    @property
    def fit(self) -> tuple[int, int]:
        """Returns a score: the larger, the more likely this is the right layout."""
        return sum(column.meaning is not None for column in self.columns), len(self.columns)

    def headings(self) -> dict[Meaning, str]:
        return {column.meaning: column.heading for column in self.columns if column.meaning}

    def people(self, row: RawRow) -> Iterable[PastedPerson]:
        """Returns the people of a row. A single column is read like a pasted list."""
        return people_in(row.cells) if len(self.columns) == 1 else [self._person(row)]

    def _person(self, row: RawRow) -> PastedPerson:
        cells = {
            column.meaning: row.cells[column.place].strip()
            for column in self.columns
            if column.meaning and column.place < len(row.cells)
        }
        named = cells.get(Meaning.NAME, "")
        beside = named if "@" in named else ""
        name, address, _ = split_person(cells.get(Meaning.EMAIL) or beside)
        halves = _joined(cells.get(Meaning.FIRST_NAME, ""), cells.get(Meaning.LAST_NAME, ""))
        return PastedPerson(
            name=(named if not beside else "") or halves or name,
            address=address,
            party=cells.get(Meaning.PARTY, ""),
            extra=cells.get(Meaning.EXTRA, ""),
            answer=cells.get(Meaning.ANSWER, ""),
            note=cells.get(Meaning.NOTE, ""),
        )


def _joined(first: str, last: str) -> str:
    """Joins the names. A 'last name' that starts with the first one is the whole name."""
    if first and last.startswith(f"{first} "):
        return last
    return f"{first} {last}".strip()


def layout_of(rows: Sequence[RawRow]) -> TableLayout | None:
    """Chooses the row with the best headings above the first address; None without headings."""
    above = itertools.takewhile(
        lambda row: not any("@" in cell for cell in row.cells), rows[:HEADINGS_WITHIN_ROWS]
    )
    layouts = [_layout_at(rows, at, row) for at, row in enumerate(above)]
    found = (layout for layout in layouts if layout is not None)
    return max(found, key=lambda layout: (layout.fit, -layout.first), default=None)


def _layout_at(rows: Sequence[RawRow], at: int, row: RawRow) -> TableLayout | None:
    columns = columns_of(row.cells)
    measured = rows[at + 1 : at + 1 + _MEASURED_ROWS]
    place = _address_place(columns, measured)
    if place is None:
        return None
    columns = tuple(_with_addresses_at(place, column) for column in columns)
    return TableLayout(at + 1, tuple(_by_its_cells(column, measured) for column in columns))


def _address_place(columns: tuple[TableColumn, ...], rows: Sequence[RawRow]) -> int | None:
    """Returns the column of the addresses, by its heading or its cells; None if the row has no
    headings."""
    if not any(column.meaning in _WHO for column in columns):
        return None
    named = next((c.place for c in columns if c.meaning is Meaning.EMAIL), None)
    counts = Counter(place for row in rows for place, cell in enumerate(row.cells) if "@" in cell)
    if not counts or named in counts:
        return named
    place = max(counts, key=lambda place: (counts[place], -place))
    return place if place < len(columns) else None


def _with_addresses_at(place: int, column: TableColumn) -> TableColumn:
    if column.place == place:
        return replace(column, meaning=Meaning.EMAIL)
    return replace(column, meaning=None) if column.meaning is Meaning.EMAIL else column


def _by_its_cells(column: TableColumn, rows: Sequence[RawRow]) -> TableColumn:
    """Corrects a meaning by the cells: 'Guests' counts everybody, unless a row has 0. A 'status'
    without any known answer is about something else.
    """
    cells = (row.cells[column.place] for row in rows if column.place < len(row.cells))
    if may_be_extra(column) and any(cell.strip() == "0" for cell in cells):
        return replace(column, meaning=Meaning.EXTRA)
    if column.meaning is Meaning.ANSWER and not any(map(is_answer, cells)):
        return replace(column, meaning=None)
    return column
