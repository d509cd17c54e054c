"""Validates each person of a list: returns a row with their answer, or explains the problem."""

import re
from collections.abc import Mapping

from frontdesk.connect.tables.model import (
    ListLimits,
    Meaning,
    PeopleTable,
    PersonRow,
    RowProblem,
    TableColumn,
    too_many_rows,
)
from frontdesk.connect.tables.pasted_text import PastedPerson
from frontdesk.core.contacts import BadContact, clean_email, clean_name, name_from_email
from frontdesk.core.plain_text import plain_words

_NO = (
    "no, n, nope, declined, decline, rejected, refused, denied, cancelled, canceled, withdrawn,"
    " deleted, removed, refunded, unregistered, no longer coming, not going, not attending,"
    " not coming, cant go, cant come, cant attend, cant make it, cannot go, cannot come,"
    " cannot attend, cannot make it, unable to attend, will not attend, regrets, rsvp no,"
    " nein, abgesagt, absage, abgelehnt, storniert, nimmt nicht teil, kommt nicht,"
    " non, décliné, refusé, annulé, absent, rechazado, cancelado, no asistirá, no asiste,"
    " rifiutato, annullato, não, recusado, nee, afgezegd, geweigerd, geannuleerd, nej, afbud,"
    " avböjt, avbokad, nie, odrzucone, anulowano, нет, отклонено, отменено, 欠席, 不参加"
)
_OTHER_ANSWERS = (
    "yes, y, yep, approved, accepted, accept, confirmed, registered, going, attending, coming,"
    " attended, present, checked in, joined, booked, active, complete, completed, paid, rsvp yes,"
    " maybe, tentative, unsure, interested, undecided, no reply, no response, no answer,"
    " not responded, not replied, unanswered, awaiting reply, needs action, invited, sent,"
    " pending, pending approval, awaiting approval, requested, waitlist, waitlisted, wait list,"
    " waiting list, on waitlist, waiting,"
    " ja, zugesagt, zusage, angenommen, bestätigt, vielleicht, eingeladen, offen, warteliste,"
    " oui, accepté, confirmé, peut être, invité, en attente, liste d'attente, sí, aceptado,"
    " confirmado, quizás, invitado, pendiente, lista de espera, accettato, confermato, forse,"
    " sim, talvez, bevestigd, misschien, wachtlijst, kanske, måske, tak, może, да, возможно,"
    " 出席, 参加, 未定"
)


def _plain(text: str) -> str:
    """Lower case, no accents or apostrophes, single blanks: `Can’t Go` gives `cant go`."""
    return " ".join(plain_words(re.sub(r"['’]", "", text[:100])))


_NO_WORDS = frozenset(map(_plain, _NO.split(",")))
_ALL_WORDS = _NO_WORDS | frozenset(map(_plain, _OTHER_ANSWERS.split(",")))


def is_no(text: str) -> bool:
    """Returns whether they declined or cancelled."""
    return _plain(text) in _NO_WORDS


def is_answer(text: str) -> bool:
    """Returns whether it is a known answer, or a known word for a missing one."""
    return _plain(text) in _ALL_WORDS


MOST_PEOPLE = 1_000

_SHOWN_CHARS = 60
_OTHERS = re.compile(r"\+\s?(\d{1,4})")
_COUNT = re.compile(r"(\d{1,4})(?:[.,]0{1,4})?(?:\s?[^\W\d_]{1,20}\.?)?")
_NOT_GIVEN = frozenset({"", "-", "–", "—", "n/a"})
_NOBODY = frozenset(
    {"no", "none", "nein", "keine", "non", "aucun", "não", "nee", "nej", "nie", "нет"}
)
_SOMEBODY = frozenset({"yes", "ja", "oui", "si", "sí", "sì", "sim", "tak", "да"})


class PersonList:
    """Collects the people of one list; of rows with the same address, the first counts."""

    def __init__(self, limits: ListLimits, headings: Mapping[Meaning, str] | None = None) -> None:
        self._limits = limits
        self._headings = headings or {}
        self._rows: list[PersonRow] = []
        self._problems: list[RowProblem] = []
        self._line_of: dict[str, int] = {}

    def table(self, columns: tuple[TableColumn, ...] = ()) -> PeopleTable:
        return PeopleTable(tuple(self._rows), columns, tuple(self._problems))

    def add(self, line: int, found: PastedPerson) -> None:
        try:
            self._rows.append(self._checked(line, found))
        except _Bad as bad:
            self.refuse(line, bad.text, column=self._headings.get(bad.meaning, ""))
        self._check_number()

    def refuse(self, line: int, text: str, *, column: str = "") -> None:
        self._problems.append(RowProblem(line, column, f"Row {line}: {text}"))
        self._check_number()

    def _check_number(self) -> None:
        if len(self._rows) + len(self._problems) > self._limits.rows:
            raise too_many_rows(self._limits)

    def _checked(self, line: int, found: PastedPerson) -> PersonRow:
        if not found.address:
            who = f"{_quoted(found.name)} has" if found.name else "there is"
            raise _Bad(Meaning.EMAIL, f"{who} no e-mail address.")
        email = _email(found.address)
        if is_no(found.answer):
            text = f"{email} is not coming: the list says {_quoted(found.answer)}."
            raise _Bad(Meaning.ANSWER, text)
        person = PersonRow(
            line,
            name=_name(found.name, email),
            email=email,
            party=_party(found),
            note=found.note.replace("\r\n", "\n").strip(),
        )
        if first := self._line_of.get(email):
            raise _Bad(Meaning.EMAIL, f"{_quoted(email)} is already in row {first}.")
        self._line_of[email] = line
        return person


class _Bad(Exception):
    def __init__(self, meaning: Meaning, text: str) -> None:
        super().__init__(text)
        self.meaning = meaning
        self.text = text


def _email(text: str) -> str:
    try:
        return clean_email(text)
    except BadContact:
        raise _Bad(Meaning.EMAIL, f"{_quoted(text)} is not an e-mail address.") from None


def _name(text: str, email: str) -> str:
    if not text or "@" in text:
        return name_from_email(email)
    try:
        return clean_name(text)
    except BadContact as problem:
        text = f"{_quoted(text)} cannot be used as a name. {problem}"
        raise _Bad(Meaning.NAME, text) from None


def _party(found: PastedPerson) -> int:
    """Returns the party size, the person included."""
    text = found.party or found.extra
    party = _count(text.strip().casefold(), others=not found.party)
    if party is None or not 1 <= party <= MOST_PEOPLE:
        meaning = Meaning.PARTY if found.party else Meaning.EXTRA
        raise _Bad(meaning, f"{_quoted(text)} is not a number of people from 1 to {MOST_PEOPLE:,}.")
    return party


def _count(text: str, *, others: bool) -> int | None:
    """`+1` always counts the others; a bare number does so in a column for others."""
    if text in _NOT_GIVEN:
        return 1
    if plus := _OTHERS.fullmatch(text):
        return int(plus[1]) + 1
    if count := _COUNT.fullmatch(text):
        return int(count[1]) + others
    if others and text in _NOBODY:
        return 1
    if others and text in _SOMEBODY:
        return 2
    return None


def _quoted(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in text[: _SHOWN_CHARS + 1]).strip()
    return f"“{shown}”" if len(text) <= _SHOWN_CHARS else f"“{shown[:_SHOWN_CHARS]}…”"
