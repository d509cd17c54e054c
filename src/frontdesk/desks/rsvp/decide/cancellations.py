"""Decides cancellations, smaller parties and unsubscribing: what guests give up."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from frontdesk.core.decision import Accepted, Decision, DropTimer, Refused
from frontdesk.core.people import OptOut
from frontdesk.desks.rsvp.changes import (
    DropHeldSeats,
    LeaveLine,
    LineChanged,
    MoveOffer,
    ReleaseSeats,
    WriteGuest,
)
from frontdesk.desks.rsvp.commands import Cancel, ReduceParty, Unsubscribe
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.incoming_mail import send_status, settle_mail
from frontdesk.desks.rsvp.facts import GuestCancelled, GuestUnsubscribed, PartyReduced, SeatsFreed
from frontdesk.desks.rsvp.model import Event, Guest, OfferState, State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import GuestView
from frontdesk.values import replace


def cancel(view: GuestView | None, command: Cancel, now: datetime) -> Decision:
    """Releases whatever the guest has. `Fill` decides who gets it."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is State.CANCELLED:
        if not command.mail_id:
            return Refused(Reason.ALREADY_CANCELLED)
        return send_status(guest, command, Reason.ALREADY_CANCELLED)

    gone = replace(
        guest,
        state=State.CANCELLED,
        version=guest.version + 1,
        live=False,
        claim_by=None,
        reminders=(),
        arrived=0,
    )
    seats = event.seats
    taken_after = seats.taken - guest.party if guest.state is State.CONFIRMED else seats.taken
    fact = GuestCancelled(
        event.id,
        guest.id,
        gone.version,
        before=guest.state,
        party=guest.party,
        seq=guest.seq,
        taken_before=seats.taken,
        taken_after=taken_after,
        by_host=command.by_host,
        mail_id=command.mail_id,
    )
    given_up = _given_up(event, guest, now)
    return Accepted(
        (*given_up.changes, WriteGuest(gone), *settle_mail(command, guest, "cancelled")),
        (fact, *given_up.facts),
        (*given_up.timers, *timers.drop_reminders(guest)),
    )


def _given_up(event: Event, guest: Guest, now: datetime) -> Accepted:
    """Returns the changes to the event's row, the offer and its timer."""
    match guest.state:
        case State.CONFIRMED:
            return release(event, guest, guest.party)
        case State.WAITING:
            owed = guest.seen < event.seats.round
            return Accepted((LeaveLine(event.id, event.seats.round, owed),))
        case State.OFFERED:
            was = OfferState.LIVE if guest.live else OfferState.PENDING
            withdraw = MoveOffer(event.id, guest.id, guest.seq, was, OfferState.WITHDRAWN, at=now)
            timer = DropTimer(timers.offer_timer(guest.id, guest.seq))
            return Accepted((DropHeldSeats(event.id, guest.party), withdraw), (), (timer,))
        case State.PENDING | State.CANCELLED:
            return Accepted()
        case _:
            assert_never(guest.state)


def release(event: Event, guest: Guest, party: int) -> Accepted:
    """Frees seats. A new round begins if a seat is free afterwards."""
    seats = event.seats
    opens = seats.free > -party
    fact = SeatsFreed(
        event.id,
        guest_id=guest.id,
        seats=party,
        taken_before=seats.taken,
        taken_after=seats.taken - party,
        round=seats.round + 1 if opens else seats.round,
    )
    change = ReleaseSeats(event.id, party, taken=seats.taken, round=seats.round, opens=opens)
    return Accepted((change,), (fact,))


def reduce_party(view: GuestView | None, command: ReduceParty, _now: datetime) -> Decision:
    """Reduces a party and frees the other seats."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is State.CANCELLED:
        return Refused(Reason.ALREADY_CANCELLED)
    if not 1 <= command.party < guest.party:
        return Refused(Reason.PARTY_NOT_SMALLER)

    smaller = replace(
        guest,
        party=command.party,
        version=guest.version + 1,
        arrived=min(guest.arrived, command.party),
    )
    fact = PartyReduced(
        event.id,
        guest.id,
        smaller.version,
        state=guest.state,
        before=guest.party,
        after=smaller.party,
    )
    less = guest.party - smaller.party
    match guest.state:
        case State.CONFIRMED:
            freed = release(event, guest, less)
        case State.WAITING:
            freed = Accepted((LineChanged(event.id),))
        case State.OFFERED:
            freed = Accepted((DropHeldSeats(event.id, less),))
        case State.PENDING:
            freed = Accepted()
        case _:
            assert_never(guest.state)
    return Accepted((*freed.changes, WriteGuest(smaller)), (fact, *freed.facts))


def unsubscribe(view: GuestView | None, command: Unsubscribe, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    guest = view.guest
    return Accepted(
        (OptOut(guest.person_id, command.out),),
        (GuestUnsubscribed(guest.event_id, guest.id, guest.version, out=command.out),),
    )
