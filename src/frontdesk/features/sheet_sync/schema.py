"""The types with which a desk describes its table: columns, rows, and commands that change them.

A row is about a person, so the columns for name, mobile and e-mail are here; a desk adds its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum, StrEnum
from typing import Any, Final, Protocol

from frontdesk.core.consents import MOST_WORDS
from frontdesk.core.contacts import clean_email, clean_name
from frontdesk.core.decision import Command, Fact
from frontdesk.core.phones import read_phone
from frontdesk.core.plain_text import plain_words
from frontdesk.values import Frozen

NAME: Final = "name"
MOBILE: Final = "mobile"
EMAIL: Final = "e-mail"
#: Consent to texts: yes, no, or how the person gave it.
CONSENT: Final = "consent"
#: A mobile, an e-mail address, or both in one cell.
CONTACT: Final = "contact"
DATE: Final = "date"
TIME: Final = "time"
#: A date and a time in one cell.
WHEN: Final = "when"
#: We write these columns; staff do not edit them.
ID: Final = "id"
STATUS: Final = "status"
#: The status of a person who was erased; only their id stays in the sheet.
ERASED: Final = "erased"
NOTHING: Final = frozenset(("", "-", "–", "?", "any", "anytime", "n/a", "na", "none"))

Fields = Mapping[str, str]
"""The normalised values of a row by column key. An empty field is missing."""


class BadCell(ValueError):
    """A cell cannot be read. The text says what to write, and quotes nothing."""


class ColumnKind(Enum):
    """The type of a cell, for sources that have types. Dates and times are in ISO format."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    """A date with a time."""
    CLOCK = "clock"
    """A time of day, like '15:30'."""


class SheetColumn(Frozen):
    key: str
    """Also its heading in the built-in table."""
    headings: str
    """Names that businesses give it, separated by commas."""
    parse: Callable[[str, Any], Fields]
    """Reads a cell with the `Schema`. Raises `BadCell`, `BadContact` or `BadDay`."""
    kind: ColumnKind = ColumnKind.TEXT
    required: str = ""
    """The problem of a row without it; empty if it may be missing."""
    can_be_cleared: bool = False
    """An empty cell removes the value; otherwise it changes nothing."""


class TableRow(Protocol):
    """A row of the desk's table."""

    @property
    def id(self) -> str: ...
    @property
    def person_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def mobile(self) -> str: ...
    @property
    def topic(self) -> str:
        """Distinguishes several rows of one person, such as the service that they wait for."""

    @property
    def is_listed(self) -> bool:
        """Whether it belongs in the sheet. Other rows that are in the sheet stay there, with their
        status."""

    @property
    def is_erased(self) -> bool: ...
    @property
    def can_return(self) -> bool:
        """Whether staff may list it again."""

    @property
    def why_fixed(self) -> str:
        """The reason why staff cannot change here whose row it is, and what to do instead. Empty if
        they can, or if such an edit has no effect."""

    @property
    def position(self) -> tuple[Any, ...]:
        """The sort key of new rows."""


class Schema(Protocol):
    """The schema of a table today. Rows have the desk's own type. Equal schemas read cells
    alike."""

    @property
    def columns(self) -> Columns: ...
    @property
    def listed(self) -> Collection[str]:
        """The statuses of listed rows."""

    @property
    def shared(self) -> Collection[str]:
        """The keys of columns that are the same in all rows of a person."""

    @property
    def country(self) -> str:
        """The country whose formats of dates and phone numbers are read."""

    def fields_of(self, row: Any) -> Fields:
        """Our values of a row, id and status included."""

    def complete(self, fields: Fields) -> Fields:
        """A new row with defaults for missing values."""

    def is_over(self, fields: Fields) -> bool:
        """Whether a row that we do not know is about the past. The sync ignores such a row."""

    def problems(self, fields: Fields) -> Iterable[tuple[str, str]]:
        """Contradictions between columns in a row of staff."""

    def change_problems(self, before: Fields, after: Fields) -> Iterable[tuple[str, str]]:
        """Reasons to reject a new or edited row; `before` is empty for a new one."""

    def is_revived(self, row: Any, before: Fields, after: Fields) -> bool:
        """Whether an edit lists a row again that was no longer listed."""

    def add(self, fields: Fields, new_id: Callable[[], str], row: Any | None) -> Command:
        """The command that adds a row. `row` is a row that is listed again."""

    def edit(self, row: Any, fields: Fields, new_id: Callable[[], str]) -> Command: ...
    def remove(self, row_id: str) -> Command: ...


class SheetTable(Frozen):
    """A desk's table, with its rows, schema, refusals and facts."""

    code: str
    """The prefix of the desk's facts ('wl'). The functions below get the desk's reads, which
    have the versions under `sheet`."""
    rows: Callable[[Any, datetime], Sequence[TableRow]]
    """All rows at this time, including those that are no longer listed."""
    schema: Callable[[Any, datetime], Schema]
    refusals: Mapping[Any, str]
    """A sentence for staff for each refusal of a command."""
    unchanged: StrEnum
    """The refusal of a command that changes nothing."""
    changed_meanwhile: StrEnum
    """The refusal of an edit of a row that has changed since."""
    halted: Callable[[int, datetime], Fact]
    """The fact that the sync waits for staff, because many rows are missing."""
    troubled: Callable[[datetime], Fact]
    """The fact that the sheet could not be read or written since this time."""
    local_times: Collection[str] = ()
    """The keys of columns with local times."""
    zone: Callable[[Any], str] = lambda _reads: ""
    """The zone of these times. If it changes, the times in the sheet stay as staff wrote them."""


# --- columns about a person -----------------------------------------------------------------


def _name(cell: str, _schema: Schema) -> Fields:
    return {NAME: clean_name(cell)} if cell else {}


def _email(cell: str, _schema: Schema) -> Fields:
    return {} if cell.casefold() in NOTHING else {EMAIL: clean_email(cell)}


def _mobile(cell: str, schema: Schema) -> Fields:
    return {} if cell.casefold() in NOTHING else {MOBILE: read_phone(cell, schema.country)}


def _contact(cell: str, schema: Schema) -> Fields:
    """Reads a mobile, an e-mail address or both, separated by a comma, a semicolon or the like."""
    fields: dict[str, str] = {}
    for part in re.split(r"[,;\n]|\s/\s|\sor\s", cell):
        fields.update((_email if "@" in part else _mobile)(part.strip(), schema))
    return fields


def _consent(cell: str, _schema: Schema) -> Fields:
    if cell.casefold() in NOTHING:
        return {}
    if len(cell) > MOST_WORDS:
        raise BadCell("That is too long. Write yes, no, or how they agreed.")
    return {CONSENT: " ".join(cell.split())}


def _id(cell: str, _schema: Schema) -> Fields:
    return {ID: cell} if cell else {}


def _status(cell: str, _schema: Schema) -> Fields:
    return {STATUS: cell.casefold()} if cell else {}


_PERSON: Final = (
    SheetColumn(
        NAME,
        "name, full name, customer, customer name, client, client name, guest, guest name,"
        " patient, patient name, person, who, Kunde, Kundin, Gast, nom, client, nombre, cliente",
        _name,
        required="There is no name.",
    ),
    SheetColumn(
        MOBILE,
        "mobile, mobile number, mobile no, phone, phone number, phone no, telephone, tel, cell,"
        " cell phone, cellphone, handphone, hp, sms, whatsapp, number, Handy, Handynummer,"
        " Telefon, Telefonnummer, Mobil, téléphone, portable, móvil, teléfono, celular",
        _mobile,
        can_be_cleared=True,
    ),
    SheetColumn(
        EMAIL,
        "email, e-mail, mail, email address, e-mail address, mail address, E-Mail-Adresse,"
        " courriel, adresse e-mail, correo, correo electrónico",
        _email,
        can_be_cleared=True,
    ),
    SheetColumn(
        CONTACT,
        "contact, contact details, contact info, phone or email, email or phone, mobile or email,"
        " email or mobile, reach, Kontakt, contacto",
        _contact,
    ),
    SheetColumn(
        CONSENT,
        "consent, text consent, sms consent, consent to texts, texts ok, sms ok, agreed to texts,"
        " Einwilligung, SMS-Einwilligung, consentement, consentimiento",
        _consent,
    ),
)
_OURS: Final = (
    SheetColumn(ID, "id, frontdesk id, entry id, entry", _id),
    SheetColumn(STATUS, "status, state, frontdesk status, Stand, statut, estado", _status),
)


class Columns:
    """The columns of a table: those for a person, the desk's own, and our two.

    `topic` is the word for the value that distinguishes several rows of one person. `topic_keys`
    are the keys of its columns, if it is not the key of one.
    """

    def __init__(self, *own: SheetColumn, topic: str, topic_keys: Sequence[str] = ()) -> None:
        self.topic = topic
        self._topic_keys = tuple(topic_keys) or (topic,)
        self.by_key = {each.key: each for each in (*_PERSON, *own, *_OURS)}
        self.by_heading = {
            plain(heading): column.key
            for column in self.by_key.values()
            for heading in column.headings.split(",")
        }
        self.required = {key: each.required for key, each in self.by_key.items() if each.required}

    def topic_of(self, fields: Fields) -> str:
        """The topic of a row, as in `TableRow.topic`; empty if a required part is missing."""
        if any(key in self.required and key not in fields for key in self._topic_keys):
            return ""
        return " ".join(filter(None, (fields.get(key, "") for key in self._topic_keys)))

    def kind(self, key: str | None) -> ColumnKind | None:
        return self.by_key[key].kind if key else None


#: Columns with two fields, and the sign between these in a cell.
PAIRS: Final[Mapping[str, tuple[tuple[str, str], str]]] = {
    CONTACT: ((EMAIL, MOBILE), ", "),
    WHEN: ((DATE, TIME), " "),
}


def parts_of(key: str) -> tuple[str, ...]:
    """The fields of a column; some have two."""
    return PAIRS[key][0] if key in PAIRS else (key,)


def plain(heading: str) -> str:
    """A heading in lower case with single spaces, without accents or text in brackets."""
    text = re.sub(r"\(.{0,60}?\)", " ", heading[:100]).replace("-mail", "mail")
    return " ".join(plain_words(text))
