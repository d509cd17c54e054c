"""Checks whether an entry suits a slot, and explains the first check that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from frontdesk.desks.waitlist.model import Check, Entry, Slot
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
