"""Defines the facts of offers: from the held seats to the claim, the lapse or the withdrawal."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from frontdesk.desks.rsvp.facts import GuestFact


class OfferMade(GuestFact):
    """Seats are held for the guest. The message has not gone out yet (`pending`)."""

    kind: ClassVar[str] = "ev.offer_made"
    seq: int
    seats: int
    fills: int
    last_useful_at: datetime


class OfferArmed(GuestFact):
    """The message is about to go out; the offer is live until `claim_by`."""

    kind: ClassVar[str] = "ev.offer_armed"
    seq: int
    claim_by: datetime


class OfferShortened(GuestFact):
    """The event now begins before the deadline, so the offer ends at the start."""

    kind: ClassVar[str] = "ev.offer_shortened"
    seq: int
    claim_by: datetime


class OfferDisarmed(GuestFact):
    """The message was definitely refused; the offer is pending again and no window runs."""

    kind: ClassVar[str] = "ev.offer_disarmed"
    seq: int


class OfferLapsed(GuestFact):
    kind: ClassVar[str] = "ev.offer_lapsed"
    seq: int
    seats: int
    seen: int


class OfferDeclined(GuestFact):
    kind: ClassVar[str] = "ev.offer_declined"
    seq: int
    seats: int
    seen: int
    by_host: bool = False


class OfferStopped(GuestFact):
    """The host took the offer back. The seats go on to others; the guest keeps their place."""

    kind: ClassVar[str] = "ev.offer_stopped"
    seq: int
    seats: int
    seen: int
    was_live: bool
    """Whether the guest had been told of the offer."""


class OfferUndelivered(GuestFact):
    """The message could not be delivered. The seats go on, and the guest moves behind the
    others."""

    kind: ClassVar[str] = "ev.offer_undelivered"
    seq: int
    seats: int
    seen: int


class OfferTakenBack(GuestFact):
    """The offer was withdrawn because the cap was cut or the event was called off. The guest keeps
    their place."""

    kind: ClassVar[str] = "ev.offer_taken_back"
    seq: int
    seats: int
    seen: int
    was_live: bool
    """Whether the guest had been told of the offer, and claimed when there was no room left."""
