"""What mails say, where the business has changed it."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from frontdesk.desks.rsvp.changes import WriteWording
from frontdesk.desks.rsvp.model import Wording
from frontdesk.store.dynamodb import setting_rows
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.tables import Write, Writes

_decode = lru_cache(maxsize=64)(msgspec.json.Decoder(Wording).decode)


def wording(look: Look, mail_kind: str) -> Wording | None:
    return _read(setting_rows.setting(look, _key(mail_kind)))


def _read(text: str | None) -> Wording | None:
    return None if text is None else _decode(text)


def write(look: Look, change: WriteWording) -> tuple[TransactItem, ...]:
    key, before, after = _key(change.mail_kind), change.before, change.after
    return (setting_rows.write_from(look, key, _read, before=before, after=after),)


def _key(mail_kind: str) -> str:
    return f"ev.wording.{mail_kind}"


WORDING_WRITES: Writes = {WriteWording: Write(write)}
