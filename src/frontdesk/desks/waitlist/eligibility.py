"""Checks whether an entry suits a slot, and orders the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from frontdesk.desks.waitlist.model import Check, Entry, OrderBy, Slot
from frontdesk.values import Frozen


class Failure(Frozen):
    """The first check that an entry fails for a slot."""

    check: Check
    sentence: str


def failure(entry: Entry, slot: Slot) -> Failure | None:
    """The first failed check by the slot's own rules; None if the entry suits the slot."""
    for check, fails in _CHECKS.items():
        counts = check is Check.SERVICE or check in slot.rules.checks
        if counts and (sentence := fails(entry, slot)):
            return Failure(check, sentence)
    return None


def _service(entry: Entry, slot: Slot) -> str:
    if entry.service == slot.opening.service:
        return ""
    return f"They are waiting for {entry.service}; this is {slot.opening.service}."


def _party(entry: Entry, slot: Slot) -> str:
    party, capacity = entry.party, slot.opening.capacity
    if party > capacity:
        return f"Their party of {party} is too large: there is room for {capacity}."
    if party < slot.least_party:
        return f"Their party of {party} would leave too much of {capacity} places empty."
    return ""


def _date(entry: Entry, slot: Slot) -> str:
    on = slot.on
    if on < entry.earliest_on:
        return f"It is on {on}; they can come from {entry.earliest_on} on."
    if on > entry.latest_on:
        return f"It is on {on}; they can come until {entry.latest_on}."
    return ""


def _staff(entry: Entry, slot: Slot) -> str:
    if not entry.staff or entry.staff == slot.opening.staff:
        return ""
    return f"They asked for {entry.staff}; this is with {slot.opening.staff or 'anyone'}."


#: The checks, in the order of `Check`.
_CHECKS: Final[Mapping[Check, Callable[[Entry, Slot], str]]] = {
    Check.SERVICE: _service,
    Check.PARTY: _party,
    Check.DATE: _date,
    Check.STAFF: _staff,
}


Place = tuple[float | str, ...]

_PARTS: Final[Mapping[OrderBy, Callable[[Entry], float]]] = {
    OrderBy.PRIORITY: lambda entry: 0 if entry.priority else 1,
    OrderBy.JOINED: lambda entry: entry.joined_at.timestamp(),
}


def in_order(entries: Iterable[Entry], order: tuple[OrderBy, ...]) -> list[Entry]:
    return sorted(entries, key=lambda entry: place(entry, order))


def first_of(entries: Iterable[Entry], order: tuple[OrderBy, ...]) -> Entry | None:
    """The first entry in line. A single entry, which is what a store usually gives, needs no sort
    key."""
    found = list(entries)
    if len(found) < 2:
        return found[0] if found else None
    return min(found, key=lambda entry: place(entry, order))


def place(entry: Entry, order: tuple[OrderBy, ...]) -> Place:
    """The sort key of an entry; lower comes first. The id makes it unique."""
    return (*[_PARTS[by](entry) for by in order], entry.id)
