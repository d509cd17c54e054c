"""Warns staff of every rule that a booking breaks, before they book it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.booking.commands import Book, MoveBooking
from frontdesk.desks.booking.decide import bookings, moves
from frontdesk.desks.booking.decide.claims import NEED_MISSING, OVERRIDES
from frontdesk.desks.booking.facts import BookingMade, BookingMoved
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.reasons import Reason
from frontdesk.engine.ports import Reads
from frontdesk.values import replace

_WITHOUT_NOTICE: Final = "This is sooner than the notice in the rules."
_PASSED: Final = "This time has passed."
#: The refusals that staff may override, each with its warning.
WARNINGS: Final[Mapping[StrEnum, str]] = {
    Reason.TAKEN: "This time is taken. If you book it anyway, two bookings overlap.",
    Reason.BUSY: "The calendar is busy at this time, or cannot be read.",
    Reason.CLOSED: "This is outside working hours.",
    Reason.BLACKOUT: "The rules take no bookings at this time.",
    Reason.CAP: "This day or week has its most bookings.",
    Reason.TOO_SOON: _WITHOUT_NOTICE,
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
    """The warning of all rules that the booking breaks, as the decision names them; empty if staff
    cannot break them."""
    if reason not in WARNINGS:
        return ""
    decided = _overruled(loader, reads, replace(command, override=True), now)
    if isinstance(decided, Refused):
        return ""
    return _text(_broken(decided) or [WARNINGS[reason]], command.starts_at, now)


def move_warning(loader: Loader, reads: Reads, command: MoveBooking, now: datetime) -> str:
    """The warning of all rules that this move breaks; empty if it breaks none or is impossible."""
    decided = _overruled(loader, reads, replace(command, override=True), now)
    return "" if isinstance(decided, Refused) else _text(_broken(decided), command.starts_at, now)


def _broken(decided: Accepted) -> list[str]:
    made = (each for each in decided.facts if isinstance(each, BookingMade | BookingMoved))
    return [_BY_OVERRIDE[name] for name in next((each.booking.overrides for each in made), ())]


def _text(warnings: Iterable[str], starts_at: datetime, now: datetime) -> str:
    is_past = starts_at < now
    return " ".join(_PASSED if is_past and each == _WITHOUT_NOTICE else each for each in warnings)


def _overruled(
    loader: Loader, reads: Reads, command: Book | MoveBooking, now: datetime
) -> Decision:
    if isinstance(command, Book):
        return bookings.book(loader.book(reads, command), command, now)
    return moves.move(loader.moving(reads, command), command, now)
