"""Packs the rows of a sheet version as compressed JSON, and erases people from them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Final

import msgspec

from frontdesk.features.sheet_sync.model import Row, SheetProblem, Version, VersionHead
from frontdesk.values import Frozen, replace

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.schema import Columns

_LEVEL: Final = 6
#: A number with fewer digits is not a phone number.
_LEAST_DIGITS: Final = 7


class _Body(Frozen):
    rows: tuple[Row, ...]
    unsettled: tuple[int, ...] = ()
    unseen: tuple[str, ...] = ()
    problems: tuple[SheetProblem, ...] = ()


_encode = msgspec.json.Encoder(order="deterministic").encode
_head = msgspec.json.Decoder(VersionHead)
_body = msgspec.json.Decoder(_Body)


def without_problems(head: VersionHead) -> VersionHead:
    """Removes the problems, which may be many: they are stored with the rows."""
    return replace(head, problems=())


def head_text(head: VersionHead) -> str:
    return _encode(without_problems(head)).decode()


def read_head(text: str) -> VersionHead:
    return _head.decode(text)


def packed(version: Version) -> bytes:
    body = _Body(
        version.rows,
        tuple(sorted(version.unsettled)),
        tuple(sorted(version.unseen)),
        version.head.problems,
    )
    return zlib.compress(_encode(body), _LEVEL)


def unpacked(head: VersionHead, body: bytes) -> Version:
    found = _body.decode(zlib.decompress(body))
    return Version(
        replace(head, problems=found.problems),
        found.rows,
        frozenset(found.unsettled),
        frozenset(found.unseen),
    )


def ids_at(body: bytes, address: str, columns: Columns) -> set[str]:
    """Returns the ids of the rows with this address or number. In other versions, rows with these
    ids may have a former address."""
    from frontdesk.features.sheet_sync.layout import layout_of  # only erasing needs it

    rows = _body.decode(zlib.decompress(body)).rows
    layout = layout_of(rows, columns)
    place = None if layout is None else layout.places.get("id")
    is_theirs = _mentions(address)
    return {row.cell(place) for row in rows if any(map(is_theirs, row.cells))} - {""}


def without(body: bytes, address: str, ids: Set[str] = frozenset()) -> bytes | None:
    """Returns the body without rows that have the address, number or an id; None if unchanged."""
    found = _body.decode(zlib.decompress(body))
    is_theirs = _mentions(address)
    kept = tuple(
        row
        for row in found.rows
        if ids.isdisjoint(row.cells) and not any(map(is_theirs, row.cells))
    )
    if len(kept) == len(found.rows):
        return None
    return zlib.compress(_encode(replace(found, rows=kept)), _LEVEL)


def _mentions(address: str) -> Callable[[str], bool]:
    """Returns a test for cells: an address as a whole word, or a number in any spelling, also
    without its country code."""
    if "@" in address:
        whole = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)
        return lambda cell: whole.search(cell) is not None
    digits = re.sub(r"\D", "", address)

    def mentions(cell: str) -> bool:
        numbers = (re.sub(r"\D", "", part).lstrip("0") for part in re.split(r"[,;\n]", cell))
        return any(len(each) >= _LEAST_DIGITS and digits.endswith(each) for each in numbers)

    return mentions
