"""The order of the list: a total order that does not depend on the order of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from frontdesk.desks.waitlist.model import Entry, OrderBy

Place = tuple[float | str, ...]

_PARTS: Final[Mapping[OrderBy, Callable[[Entry], float]]] = {
    OrderBy.PRIORITY: lambda entry: 0 if entry.priority else 1,
    OrderBy.JOINED: lambda entry: entry.joined_at.timestamp(),
}


def in_order(entries: Iterable[Entry], order: tuple[OrderBy, ...]) -> list[Entry]:
    return sorted(entries, key=lambda entry: place(entry, order))


def first_of(entries: Iterable[Entry], order: tuple[OrderBy, ...]) -> Entry | None:
    return min(entries, key=lambda entry: place(entry, order), default=None)


def place(entry: Entry, order: tuple[OrderBy, ...]) -> Place:
    """The sort key of an entry; lower comes first. The id makes it unique."""
    return (*[_PARTS[by](entry) for by in order], entry.id)
