"""Settings that a desk keeps as JSON, each under its key; the same JSON as in the other store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from frontdesk.store.dynamodb.items import TransactItem, delete, put
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.schema import FD_SETTINGS

_TABLE: Final = FD_SETTINGS.name
_KEY: Final = FD_SETTINGS.key.names
_encode = msgspec.json.Encoder(order="deterministic").encode


def to_text(value: Any) -> str:
    return _encode(value).decode()


def setting(look: Look, key: str) -> str | None:
    row = look.get(FD_SETTINGS, key)
    return None if row is None else str(row["value"])


def write(key: str, value: Any) -> TransactItem:
    return put(_TABLE, _KEY, {"key": key, "value": to_text(value)})


def write_from(
    look: Look, key: str, read: Callable[[str | None], Any], *, before: Any, after: Any
) -> TransactItem:
    """No row any more if `after` is None. Condition: what is there still means `before`.

    `read` says what a text means, or none at all: two versions may spell one value differently.
    """
    text = setting(look, key)
    if read(text) != before:
        text = to_text(before)  # which it is not, so that the condition fails
    when = "attribute_not_exists(#value)" if text is None else "#value = :before"
    values = {} if text is None else {"before": text}
    if after is None:
        return delete(_TABLE, {"key": key}, when=when, **values)
    row = {"key": key, "value": to_text(after)}
    return put(_TABLE, _KEY, row, when=when, **values)
