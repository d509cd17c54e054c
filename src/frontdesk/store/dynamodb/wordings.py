"""What mails say, where the business has changed it: one setting for each."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from frontdesk.core.wording import Wording
from frontdesk.store.dynamodb import setting_rows
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look

_decode = lru_cache(maxsize=64)(msgspec.json.Decoder(Wording).decode)


def read(look: Look, key: str) -> Wording | None:
    return _read(setting_rows.setting(look, key))


def write(look: Look, key: str, before: Wording | None, after: Wording | None) -> TransactItem:
    return setting_rows.write_from(look, key, _read, before=before, after=after)


def _read(text: str | None) -> Wording | None:
    return None if text is None else _decode(text)
