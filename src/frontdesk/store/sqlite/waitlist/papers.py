"""What the business has written down, as JSON in its settings: rules, documents, the shop; and what
their calendar said."""

from __future__ import annotations

from functools import lru_cache
from sqlite3 import Connection
from typing import Final

import msgspec

from frontdesk.desks.waitlist.changes import WriteDocument, WriteRules, WriteShop
from frontdesk.desks.waitlist.model import Document, DocumentName, Rules, Shop
from frontdesk.features.calendars.state import CalendarState, WriteCalendarState
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import to_json

RULES: Final = "wl.rules"
SHOP: Final = "wl.shop"
CALENDAR: Final = "wl.calendar"


def document_key(name: DocumentName) -> str:
    return f"wl.document.{name}"


_rules = msgspec.json.Decoder(Rules).decode
_shop = lru_cache(maxsize=8)(msgspec.json.Decoder(Shop).decode)
_document = msgspec.json.Decoder(Document).decode
_calendar = msgspec.json.Decoder(CalendarState).decode


def rules_text(rules: Rules) -> str:
    return to_json(rules).decode()


@lru_cache(maxsize=64)
def rules(column: str) -> Rules:
    """Slots that came free under the same rules share them."""
    return _rules(column)


def in_force(db: Connection) -> Rules:
    column = _read(db, RULES)
    return Rules() if column is None else rules(column)


def shop(db: Connection) -> Shop:
    column = _read(db, SHOP)
    return Shop() if column is None else _shop(column)


def document(db: Connection, name: DocumentName) -> Document:
    column = _read(db, document_key(name))
    return Document(name, "", "") if column is None else _document(column)


def calendar(db: Connection) -> CalendarState:
    column = _read(db, CALENDAR)
    return CalendarState() if column is None else _calendar(column)


def _read(db: Connection, key: str) -> str | None:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _write(db: Connection, key: str, value: object) -> bool:
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, to_json(value).decode()),
    )
    return True


def write_document(db: Connection, change: WriteDocument) -> bool:
    name = change.document.name
    return document(db, name) == change.before and _write(db, document_key(name), change.document)


PAPER_WRITES: Writes = {
    WriteRules: Write(
        "fd_setting", lambda _change: RULES, lambda db, change: _write(db, RULES, change.rules)
    ),
    WriteShop: Write(
        "fd_setting", lambda _change: SHOP, lambda db, change: _write(db, SHOP, change.shop)
    ),
    WriteCalendarState: Write(
        "fd_setting",
        lambda _change: CALENDAR,
        lambda db, change: _write(db, CALENDAR, change.state),
    ),
    WriteDocument: Write(
        "fd_setting", lambda change: document_key(change.document.name), write_document
    ),
}
