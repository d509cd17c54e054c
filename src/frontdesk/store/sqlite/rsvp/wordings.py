"""What mails say, where the business has changed it."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from sqlite3 import Connection

import msgspec

from frontdesk.desks.rsvp.changes import WriteWording
from frontdesk.desks.rsvp.model import Wording
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import to_json

_decode = lru_cache(maxsize=64)(msgspec.json.Decoder(Wording).decode)


def wording(db: Connection, mail_kind: str) -> Wording | None:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (_key(mail_kind),)).fetchone()
    return None if row is None else _decode(row[0])


def write(db: Connection, change: WriteWording) -> bool:
    if wording(db, change.mail_kind) != change.before:
        return False
    if change.after is None:
        db.execute("DELETE FROM fd_setting WHERE key = ?", (_key(change.mail_kind),))
        return True
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_key(change.mail_kind), to_json(change.after).decode()),
    )
    return True


def _key(mail_kind: str) -> str:
    return f"ev.wording.{mail_kind}"


WORDING_WRITES: Writes = {WriteWording: Write("fd_setting", attrgetter("mail_kind"), write)}
