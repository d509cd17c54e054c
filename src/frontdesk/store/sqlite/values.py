"""How values lie in columns: instants as whole seconds, maps and lists as JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import msgspec

instant = partial(datetime.fromtimestamp, tz=UTC)
"""The instant of a column of whole seconds."""

to_json = msgspec.json.Encoder(order="deterministic").encode
_words = msgspec.json.Decoder(dict[str, str | int])
_names = msgspec.json.Decoder(tuple[str, ...])


def seconds(at: datetime) -> int:
    return int(at.timestamp())


def seconds_or_none(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp())


def instant_or_none(column: int | None) -> datetime | None:
    return None if column is None else instant(column)


def words_text(words: Mapping[str, str | int]) -> str:
    return to_json(dict(words)).decode() if words else "{}"


def words(column: str) -> dict[str, str | int]:
    return {} if column == "{}" else _words.decode(column)


def names_text(names: tuple[str, ...]) -> str:
    return to_json(names).decode() if names else "[]"


def names(column: str) -> tuple[str, ...]:
    return () if column == "[]" else _names.decode(column)
