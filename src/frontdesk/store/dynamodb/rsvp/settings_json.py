"""Settings as JSON: an event's own, and those with which events begin."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from frontdesk.desks.rsvp.changes import WriteDefaults
from frontdesk.desks.rsvp.model import Settings
from frontdesk.store.dynamodb import setting_rows
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.tables import Writes, one

DEFAULTS_KEY = "ev.defaults"
_decode = msgspec.json.Decoder(Settings).decode

settings_text = setting_rows.to_text


@lru_cache(maxsize=256)
def settings(text: str) -> Settings:
    """Few events are busy at a time, and each sign-up reads its event's settings."""
    return _decode(text)


def defaults(look: Look) -> Settings:
    text = setting_rows.setting(look, DEFAULTS_KEY)
    return Settings() if text is None else settings(text)


def write_defaults(change: WriteDefaults) -> TransactItem:
    return setting_rows.write(DEFAULTS_KEY, change.settings)


SETTINGS_WRITES: Writes = {WriteDefaults: one(write_defaults)}
