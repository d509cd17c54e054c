"""Who comes first: a total order, the same for the same list, whatever order it is read in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from frontdesk.desks.waitlist.model import Entry, OrderBy

Place = tuple[float | str, ...]


def in_order(entries: Iterable[Entry], order: tuple[OrderBy, ...]) -> list[Entry]:
    return sorted(entries, key=lambda entry: place(entry, order))


def place(entry: Entry, order: tuple[OrderBy, ...]) -> Place:
    """Lower comes first. No two entries have the same, as the id is its last part."""
    return (*(_part(entry, by) for by in order), entry.id)


def _part(entry: Entry, by: OrderBy) -> float:
    match by:
        case OrderBy.PRIORITY:
            return 0 if entry.priority else 1
        case OrderBy.JOINED:
            return entry.joined_at.timestamp()
        case _:
            assert_never(by)
