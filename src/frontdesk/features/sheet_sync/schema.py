"""A desk hands over these: the columns of its table, its rows, and the commands that change them.

A row is about a person, so the columns for name, mobile and e-mail are here; a desk adds its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum, StrEnum
from typing import Any, Final, Protocol

from frontdesk.core.contacts import clean_email, clean_name
from frontdesk.core.decision import Command, Fact
from frontdesk.core.phones import read_phone
from frontdesk.values import Frozen

NAME: Final = "name"
MOBILE: Final = "mobile"
EMAIL: Final = "e-mail"
#: A mobile, an e-mail address, or both in one cell.
CONTACT: Final = "contact"
#: We write these two; staff do not edit them.
ID: Final = "id"
STATUS: Final = "status"
#: The status of a person who was erased; only their id stays in the sheet.
ERASED: Final = "erased"
NOTHING: Final = frozenset(("", "-", "–", "?", "any", "anytime", "n/a", "na", "none"))

Fields = Mapping[str, str]
"""A row by the keys of its columns, in the form in which rows are compared. A field that says
nothing is missing."""


class BadCell(ValueError):
    """A cell that cannot be read; the text says what to write, and quotes nothing."""


class Kind(Enum):
    """The type of a cell, for sources that have types. Dates and times are in ISO format."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"


class SheetColumn(Frozen):
    key: str
    """Also its heading, where we lay out a table."""
    headings: str
    """Names that businesses give it, with commas between."""
    parse: Callable[[str, Any], Fields]
    """Reads a cell; gets the `Schema` as well. Raises `BadCell`, `BadContact` or `BadDay`."""
    kind: Kind = Kind.TEXT
    required: str = ""
    """The problem of a row without it; empty if it may be missing."""
    can_be_cleared: bool = False
    """An empty cell where there was a value means 'not any more'; elsewhere it says nothing."""


class TableRow(Protocol):
    """A row of the desk's table, as the desk knows it."""

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
        """Tells several rows of one person apart, such as the service that they wait for."""

    @property
    def is_listed(self) -> bool:
        """It belongs into the sheet; others stay there with their status if they have a row."""

    @property
    def is_erased(self) -> bool: ...
    @property
    def can_return(self) -> bool:
        """Staff may list it again."""

    @property
    def position(self) -> tuple[Any, ...]:
        """By which new rows are ordered."""


class Schema(Protocol):
    """A table with today's vocabulary. Rows are of the desk's own type. Two that are equal read
    all cells alike."""

    @property
    def columns(self) -> Columns: ...
    @property
    def listed(self) -> str:
        """The status of rows that are listed."""

    @property
    def country(self) -> str:
        """The country whose formats of dates and phone numbers are read."""

    def fields_of(self, row: Any) -> Fields:
        """The values that we have for a row, id and status included."""

    def complete(self, fields: Fields) -> Fields:
        """A new row with the defaults of what it does not say."""

    def problems(self, fields: Fields) -> Iterable[tuple[str, str]]:
        """Columns that contradict each other, in a row as staff wrote it."""

    def change_problems(self, before: Fields, after: Fields) -> Iterable[tuple[str, str]]:
        """Reasons to reject a new or edited row; `before` is empty for a new one."""

    def is_revived(self, row: Any, before: Fields, after: Fields) -> bool:
        """An edit by which staff list a row again that is not listed any more."""

    def add(self, fields: Fields, new_id: Callable[[], str], row: Any | None) -> Command:
        """`row`: the one that is listed again."""

    def edit(self, row: Any, fields: Fields, new_id: Callable[[], str]) -> Command: ...
    def remove(self, row_id: str) -> Command: ...


class SheetTable(Frozen):
    """A desk's table, complete."""

    code: str
    """The desk's prefix of facts ('wl'). The functions below are given the desk's reads, which
    have the versions under `sheet`."""
    rows: Callable[[Any], Sequence[TableRow]]
    """Every row, also those that are not listed any more."""
    schema: Callable[[Any, datetime], Schema]
    refusals: Mapping[Any, str]
    """A sentence for staff for each refusal of a command."""
    unchanged: StrEnum
    """The refusal of a command that asks for nothing new."""
    changed_meanwhile: StrEnum
    """The refusal of an edit of a row that has changed since."""
    halted: Callable[[int, datetime], Fact]
    """So many rows are missing at once that the sync waits for staff."""
    troubled: Callable[[datetime], Fact]
    """The sheet could not be read or written since then."""


# --- columns about a person -----------------------------------------------------------------


def _name(cell: str, _schema: Schema) -> Fields:
    return {NAME: clean_name(cell)} if cell else {}


def _email(cell: str, _schema: Schema) -> Fields:
    return {} if cell.casefold() in NOTHING else {EMAIL: clean_email(cell)}


def _mobile(cell: str, schema: Schema) -> Fields:
    return {} if cell.casefold() in NOTHING else {MOBILE: read_phone(cell, schema.country)}


def _contact(cell: str, schema: Schema) -> Fields:
    """One of them or both, with a comma, a semicolon or the like between."""
    fields: dict[str, str] = {}
    for part in re.split(r"[,;\n]|\s/\s|\sor\s", cell):
        fields.update((_email if "@" in part else _mobile)(part.strip(), schema))
    return fields


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
)
_OURS: Final = (
    SheetColumn(ID, "id, frontdesk id, entry id, entry", _id),
    SheetColumn(STATUS, "status, state, frontdesk status, Stand, statut, estado", _status),
)


class Columns:
    """The columns of a table: those about a person, the desk's own, and our two.

    `topic` is the key of the column that tells several rows of one person apart.
    """

    def __init__(self, *own: SheetColumn, topic: str) -> None:
        self.topic = topic
        self.by_key = {each.key: each for each in (*_PERSON, *own, *_OURS)}
        self.by_heading = {
            plain(heading): column.key
            for column in self.by_key.values()
            for heading in column.headings.split(",")
        }
        self.required = {key: each.required for key, each in self.by_key.items() if each.required}

    def kind(self, key: str | None) -> Kind | None:
        return self.by_key[key].kind if key else None


def parts_of(key: str) -> tuple[str, ...]:
    """The fields that a column says: the contact's says two."""
    return (EMAIL, MOBILE) if key == CONTACT else (key,)


def plain(heading: str) -> str:
    """Lower case, no accents, one blank between words, nothing in brackets."""
    said = re.sub(r"\(.{0,60}?\)", " ", heading[:100]).replace("-mail", "mail").casefold()
    bare = unicodedata.normalize("NFKD", said)
    letters = "".join(each for each in bare if not unicodedata.combining(each))
    return " ".join(re.findall(r"[^\W_]+", letters))
