"""What the business has written down, as JSON in its settings: rules, documents, the shop; and what
their calendar said."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

import msgspec

from frontdesk.desks.waitlist.changes import WriteDocument, WriteRules, WriteShop
from frontdesk.desks.waitlist.model import Document, DocumentName, Rules, Shop
from frontdesk.features.calendars.state import CalendarState, WriteCalendarState
from frontdesk.store.dynamodb import setting_rows
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.tables import Write, Writes, one

RULES: Final = "wl.rules"
SHOP: Final = "wl.shop"
CALENDAR: Final = "wl.calendar"


def document_key(name: DocumentName) -> str:
    return f"wl.document.{name}"


_rules = msgspec.json.Decoder(Rules).decode
_shop = lru_cache(maxsize=8)(msgspec.json.Decoder(Shop).decode)
_document = msgspec.json.Decoder(Document).decode
_calendar = msgspec.json.Decoder(CalendarState).decode

rules_text = setting_rows.to_text


@lru_cache(maxsize=64)
def rules(text: str) -> Rules:
    """Slots that came free under the same rules share them."""
    return _rules(text)


def in_force(look: Look) -> Rules:
    text = setting_rows.setting(look, RULES)
    return Rules() if text is None else rules(text)


def shop(look: Look) -> Shop:
    text = setting_rows.setting(look, SHOP)
    return Shop() if text is None else _shop(text)


def document(look: Look, name: DocumentName) -> Document:
    return _of_name(name, setting_rows.setting(look, document_key(name)))


def _of_name(name: DocumentName, text: str | None) -> Document:
    return Document(name, "", "") if text is None else _document(text)


def calendar(look: Look) -> CalendarState:
    text = setting_rows.setting(look, CALENDAR)
    return CalendarState() if text is None else _calendar(text)


def write_document(look: Look, change: WriteDocument) -> tuple[TransactItem, ...]:
    name = change.document.name
    written = setting_rows.write_from(
        look,
        document_key(name),
        partial(_of_name, name),
        before=change.before,
        after=change.document,
    )
    return (written,)


PAPER_WRITES: Writes = {
    WriteRules: one(lambda change: setting_rows.write(RULES, change.rules)),
    WriteShop: one(lambda change: setting_rows.write(SHOP, change.shop)),
    WriteCalendarState: one(lambda change: setting_rows.write(CALENDAR, change.state)),
    WriteDocument: Write(write_document),
}
