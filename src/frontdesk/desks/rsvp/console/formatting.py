"""Formats rows for hosts: chips for states, fullness and parties; and explains refusals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import zone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.model import Event, EventState, Guest, Lane, Seats, State, open_until
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.web.console.formatting import Chip

LANES: Final = {
    Lane.FORM: "By the form",
    Lane.EMAIL: "By mail",
    Lane.IMPORT: "From an import",
    Lane.HOST: "Added by a host",
}


def event_chip(event: Event, now: datetime) -> Chip:
    if event.state is EventState.CALLED_OFF:
        return Chip("Called off", "gone")
    if now >= event.details.ends_at:
        return Chip("Over", "gone")
    if now >= event.details.starts_at:
        return Chip("On now", "good")
    if event.seats.free < 0:
        return Chip("More taken than seats", "ending")
    if event.seats.free == 0:
        return Chip("Full", "waiting")
    if event.seats.owed > 0:
        return Chip("The line goes first", "waiting")
    return Chip("Open", "good")


def guest_chip(event: Event, guest: Guest, now: datetime) -> Chip:
    match guest.state:
        case State.PENDING if guest.signed_up_themselves:
            return Chip("Confirming address")
        case State.PENDING:
            return Chip("Invited")
        case State.CONFIRMED if guest.arrived:
            return Chip(arrival_text(guest), "good")
        case State.CONFIRMED:
            return Chip("Confirmed", "good")
        case State.WAITING:
            return Chip("In line", "waiting")
        case State.OFFERED if now >= (open_until(event, guest) or event.details.starts_at):
            return Chip("Offer ended", "gone")
        case State.OFFERED if (until := open_until(event, guest)) is not None:
            return Chip(f"Offer {words.until(event, until, now)}", "ending")
        case State.OFFERED:
            return Chip("Offer going out", "waiting")
        case State.CANCELLED:
            return Chip("Cancelled", "gone")
        case _:
            assert_never(guest.state)


def arrival_text(guest: Guest) -> str:
    """Returns 'Here' or '2 of 3 here'."""
    return "Here" if guest.arrived >= guest.party else f"{guest.arrived} of {guest.party} here"


def party(n: int) -> str:
    return "1 person" if n == 1 else f"Party of {n}"


def fullness(seats: Seats) -> str:
    """Says in one sentence how full the event is."""
    if seats.free < 0:
        over = "1 more seat is" if seats.free == -1 else f"{-seats.free:,} more seats are"
        return f"{over} taken or on offer than there are."
    if seats.cap == 0:
        return "There are no seats."
    if seats.cap == 1:
        return f"The only seat is {_only_seat(seats)}."
    if seats.free == seats.cap:
        return f"All {seats.cap:,} seats are free."
    if seats.free == 0:
        on_offer = f", {seats.offered:,} of them on offer" if seats.offered else ""
        return f"All {seats.cap:,} seats are gone{on_offer}."
    are = "is" if seats.free == 1 else "are"
    return f"{seats.free:,} of {seats.cap:,} seats {are} free."


def _only_seat(seats: Seats) -> str:
    if seats.free:
        return "free"
    return "on offer" if seats.offered else "taken"


def event_zone(event: Event) -> ZoneInfo:
    return zone(event.details.zone)


#: Every reason has an entry.
_WORDS: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.NO_SUCH_EVENT: "This event is not there any more. Nothing was changed.",
        Reason.NO_SUCH_GUEST: "This guest is not there any more. Nothing was changed.",
        Reason.CALLED_OFF: "This event has been called off. Nothing was changed.",
        Reason.BEGUN: "The event has begun, so no seat changes hands any more.",
        Reason.ALREADY_ON_THE_LIST: "This person is on the list already. Nothing was changed.",
        Reason.ALREADY_CANCELLED: "This guest had cancelled before. Nothing was changed.",
        Reason.PARTY_TOO_LARGE: "That is more people than one sign-up or the event can take.",
        Reason.PARTY_NOT_SMALLER: "A party can only become smaller, and at least one comes.",
        Reason.NOT_PENDING: "The invitation has been answered already.",
        Reason.NOT_WAITING: "This guest is not in line any more. Nothing was changed.",
        Reason.NOT_CONFIRMED: "This guest has no seat. Nothing was changed.",
        Reason.OFFER_GONE: "That offer is over. Nothing was changed.",
        Reason.TOO_LATE: "The time for this offer is over. Nothing was changed.",
        Reason.IN_DEBT: "More seats are taken than there are, so nothing new is given.",
        Reason.FULL: "There are not enough free seats for this party. Nothing was changed.",
        Reason.NOTHING_TO_DO: "There was nothing to do.",
        Reason.EDITED_MEANWHILE: "Somebody else has changed this meanwhile. Nothing was saved.",
        Reason.ADDRESS_IN_USE: "Another event has this page address.",
        Reason.BAD_TIMES: "The event has to end after it begins.",
        Reason.IN_THE_PAST: "This time is over already. Choose one that is still to come.",
        Reason.BAD_CAP: "Write the number of seats in digits, from 0 to 1,000,000.",
        Reason.NOT_OVER: "Thanks can go out once the event is over.",
        Reason.ALREADY_SENT: "The thanks have gone out already. Nothing was sent again.",
        Reason.UNCHANGED: "That is how it was already. Nothing was changed.",
        Reason.JOB_DONE: "That was done already.",
    }
)


def refusal(reason: StrEnum) -> str:
    return _WORDS[Reason(reason)]
