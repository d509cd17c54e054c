"""Explains why a free seat is not offered to anybody."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.words import count
from frontdesk.desks.rsvp.console.formatting import fullness
from frontdesk.desks.rsvp.model import Event, EventState, Guest
from frontdesk.values import Frozen


class Line(Frozen):
    """The guests in line that the explanation needs."""

    first: Guest | None
    """The first in line who has had no offer since seats were last freed."""
    fits: Guest | None
    """The first in line who fits into the free seats."""


def why_nobody(event: Event, line: Line, now: datetime) -> str:
    """Explains in one or two sentences; '' if no seat is free or nobody waits."""
    seats = event.seats
    if event.state is EventState.CALLED_OFF or now >= event.details.starts_at:
        return ""
    if seats.free < 0:
        rest = "Nobody loses a seat, and nothing new is offered until there is room again."
        return f"{fullness(seats)} {rest}"
    if seats.free == 0 or seats.waiting == 0:
        return ""
    if line.first is None:
        return (
            "Everybody in line has had an offer for these seats and let it pass. They are open to"
            " the next who signs up and to those in line, who can take one on their own page. They"
            " are offered again when another seat comes free."
        )
    if line.fits is None:
        return _too_large(event, line.first)
    if event.settings.strict_order and line.first.party > seats.free:
        return _too_large(event, line.first)
    return "The next in line is being offered a seat at this moment."


def _too_large(event: Event, first: Guest) -> str:
    free, needs = count(event.seats.free, "seat"), count(first.party, "seat")
    if event.settings.strict_order:
        return (
            f"{free} free, and the first in line needs {needs}. In strict order the others wait"
            " behind them. You can give the seats to somebody, or change the order in the settings."
        )
    return (
        f"{free} free, and the parties in line that still wait for an offer need more. They keep"
        " their places until enough seats are free."
    )


def too_large(event: Event, parties: int, now: datetime) -> str:
    """Warns of parties in line that are larger than the event; '' if there are none."""
    if parties == 0 or event.state is EventState.CALLED_OFF or now >= event.details.starts_at:
        return ""
    who = "1 party in line is" if parties == 1 else f"{parties:,} parties in line are"
    return (
        f"{who} larger than the event, which has {count(event.seats.cap, 'seat')}. They can get no"
        " offer unless you raise the number of seats or they come with fewer."
    )


def why_pending(event: Event, now: datetime) -> str:
    """Explains why an offer has not gone out yet."""
    tz = zone(event.details.zone)
    until = event.settings.quiet.next_allowed(now, tz)
    if until > now:
        waits = spoken_deadline(until, now, tz)
        return f"Held back {waits} by quiet hours. The time to answer starts when it is sent."
    if event.seats.free < 0:
        return "Held back while more seats are taken than there are."
    return "The mail is on its way. The time to answer starts when it is sent."
