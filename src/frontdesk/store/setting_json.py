"""Encodes values as JSON text, with the same spelling in both stores, and decodes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec

from frontdesk.core.saved_settings import SavedSetting

T = TypeVar("T")

_encode = msgspec.json.Encoder(order="deterministic").encode


def to_text(value: object) -> str:
    return _encode(value).decode()


def decoded(kind: type[T], text: str) -> T:
    """Decodes a text. Values are frozen, so equal texts share one cached value."""
    value: T = _decoded(kind, text)
    return value


def value_of(setting: SavedSetting[T], text: str | None) -> T:
    if text is None:
        return setting.default
    value: T = _decoded(setting.type, text)
    return value


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


_decoded: Callable[[Any, str], Any] = lru_cache(maxsize=512)(
    lambda kind, text: _decoder(kind).decode(text)
)
