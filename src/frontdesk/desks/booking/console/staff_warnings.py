"""Warns staff of every rule that a booking breaks, before they book it anyway."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from frontdesk.core.decision import Accepted
from frontdesk.desks.booking.commands import Book, MoveBooking
from frontdesk.desks.booking.decide import bookings, moves
from frontdesk.desks.booking.decide.claims import NEED_MISSING, OVERRIDES
from frontdesk.desks.booking.facts import BookingMade, BookingMoved
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.reasons import Reason
from frontdesk.engine.ports import Reads
from frontdesk.values import replace

#: Refusals that staff may overrule, with the warning.
WARNINGS: Final[Mapping[StrEnum, str]] = {
    Reason.TAKEN: "This time is taken. If you book it anyway, two bookings overlap.",
    Reason.BUSY: "The calendar is busy at this time, or cannot be read.",
    Reason.CLOSED: "This is outside working hours.",
    Reason.BLACKOUT: "The rules take no bookings at this time.",
    Reason.CAP: "This day or week has its most bookings.",
    Reason.TOO_SOON: "This is sooner than the notice in the rules.",
    Reason.TOO_FAR: "This is further ahead than the rules allow.",
    Reason.OFF_GRID: "Bookings of this service do not start at this time.",
    Reason.TOO_MANY: "This customer has the most upcoming bookings that the rules allow.",
}
_BY_OVERRIDE: Final = {
    **{name: WARNINGS[reason] for reason, name in OVERRIDES.items() if reason in WARNINGS},
    OVERRIDES[Reason.BAD_PARTY]: "This party is too large for the service.",
    NEED_MISSING: "A room or device that it needs cannot be booked at this time.",
}


def warning(
    loader: Loader, reads: Reads, command: Book | MoveBooking, reason: StrEnum, now: datetime
) -> str:
    """All that staff would overrule, by the decision itself; empty if they cannot overrule it."""
    if reason not in WARNINGS:
        return ""
    broken = _broken(loader, reads, replace(command, override=True), now)
    return " ".join(_BY_OVERRIDE[each] for each in broken) or WARNINGS[reason]


def _broken(
    loader: Loader, reads: Reads, command: Book | MoveBooking, now: datetime
) -> tuple[str, ...]:
    if isinstance(command, Book):
        decided = bookings.book(loader.book(reads, command), command, now)
    else:
        decided = moves.move(loader.moving(reads, command), command, now)
    facts = decided.facts if isinstance(decided, Accepted) else ()
    made = (each.booking for each in facts if isinstance(each, BookingMade | BookingMoved))
    return next((booking.overrides for booking in made), ())
