"""What mails say, where the business has changed it: one setting for each."""

from __future__ import annotations

from functools import lru_cache
from sqlite3 import Connection

import msgspec

from frontdesk.core.wording import Wording
from frontdesk.store.sqlite.values import to_json

_decode = lru_cache(maxsize=64)(msgspec.json.Decoder(Wording).decode)


def read(db: Connection, key: str) -> Wording | None:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (key,)).fetchone()
    return None if row is None else _decode(row[0])


def write(db: Connection, key: str, before: Wording | None, after: Wording | None) -> bool:
    if read(db, key) != before:
        return False
    if after is None:
        db.execute("DELETE FROM fd_setting WHERE key = ?", (key,))
        return True
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, to_json(after).decode()),
    )
    return True
