"""What the desk's mails say, where the business has changed it."""

from __future__ import annotations

from frontdesk.core.wording import Wording
from frontdesk.desks.rsvp.changes import WriteWording
from frontdesk.store.dynamodb import wordings
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.tables import Write, Writes


def wording(look: Look, mail_kind: str) -> Wording | None:
    return wordings.read(look, _key(mail_kind))


def write(look: Look, change: WriteWording) -> tuple[TransactItem, ...]:
    return (wordings.write(look, _key(change.mail_kind), change.before, change.after),)


def _key(mail_kind: str) -> str:
    return f"ev.wording.{mail_kind}"


WORDING_WRITES: Writes = {WriteWording: Write(write)}
