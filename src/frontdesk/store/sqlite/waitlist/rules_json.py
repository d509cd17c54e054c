"""Rules as JSON: those in force, and a slot's own."""

from __future__ import annotations

from functools import lru_cache
from sqlite3 import Connection

import msgspec

from frontdesk.desks.waitlist.changes import WriteRules
from frontdesk.desks.waitlist.model import Rules
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import to_json

RULES_KEY = "wl.rules"
_decode = msgspec.json.Decoder(Rules).decode


def rules_text(rules: Rules) -> str:
    return to_json(rules).decode()


@lru_cache(maxsize=64)
def rules(column: str) -> Rules:
    """Slots that came free under the same rules share them."""
    return _decode(column)


def in_force(db: Connection) -> Rules:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (RULES_KEY,)).fetchone()
    return Rules() if row is None else rules(row[0])


def write(db: Connection, change: WriteRules) -> bool:
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (RULES_KEY, rules_text(change.rules)),
    )
    return True


RULES_WRITES: Writes = {WriteRules: Write("fd_setting", lambda _change: RULES_KEY, write)}
