"""Settings as JSON: an event's own, and those with which events begin."""

from __future__ import annotations

from functools import lru_cache
from sqlite3 import Connection

import msgspec

from frontdesk.desks.rsvp.changes import WriteDefaults
from frontdesk.desks.rsvp.model import Settings
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import to_json

DEFAULTS_KEY = "ev.defaults"
_decode = msgspec.json.Decoder(Settings).decode


def settings_text(settings: Settings) -> str:
    return to_json(settings).decode()


@lru_cache(maxsize=256)
def settings(column: str) -> Settings:
    """Few events are busy at a time, and each sign-up reads its event's settings."""
    return _decode(column)


def defaults(db: Connection) -> Settings:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (DEFAULTS_KEY,)).fetchone()
    return Settings() if row is None else settings(row[0])


def write_defaults(db: Connection, change: WriteDefaults) -> bool:
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (DEFAULTS_KEY, settings_text(change.settings)),
    )
    return True


SETTINGS_WRITES: Writes = {
    WriteDefaults: Write("fd_setting", lambda _change: DEFAULTS_KEY, write_defaults),
}
