"""What the desk's mails say, where the business has changed it."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.core.wording import Wording
from frontdesk.desks.rsvp.changes import WriteWording
from frontdesk.store.sqlite import wordings
from frontdesk.store.sqlite.tables import Write, Writes


def wording(db: Connection, mail_kind: str) -> Wording | None:
    return wordings.read(db, _key(mail_kind))


def write(db: Connection, change: WriteWording) -> bool:
    return wordings.write(db, _key(change.mail_kind), change.before, change.after)


def _key(mail_kind: str) -> str:
    return f"ev.wording.{mail_kind}"


WORDING_WRITES: Writes = {WriteWording: Write("fd_setting", attrgetter("mail_kind"), write)}
