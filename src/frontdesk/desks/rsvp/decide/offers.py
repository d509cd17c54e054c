"""Decides offers: makes, arms, claims, declines, withdraws and lapses them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from frontdesk.core.decision import Accepted, Decision, DropTimer, Refused, SetTimer
from frontdesk.desks.rsvp import changes, commands
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.seats import confirmation, confirmed, refuse_if_closed
from frontdesk.desks.rsvp.facts import PartyPassedOver
from frontdesk.desks.rsvp.model import Event, Guest, Offer, OfferState, State
from frontdesk.desks.rsvp.offer_facts import (
    OfferArmed,
    OfferDeclined,
    OfferDisarmed,
    OfferLapsed,
    OfferMade,
    OfferStopped,
    OfferTakenBack,
    OfferUndelivered,
)
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import FillView, GuestView
from frontdesk.values import replace


def fill(view: FillView, _command: commands.Fill, now: datetime) -> Decision:
    """Makes one offer, or takes one back while the cap is exceeded. Repeating it is harmless."""
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if event.seats.free < 0:
        return _take_back(event, view.last_pending, now)
    if view.fits is None or view.first is None:
        return Refused(Reason.NOTHING_TO_DO)
    return _offer(event, view.fits, view.first, now)


def _offer(event: Event, guest: Guest, first: Guest, now: datetime) -> Accepted:
    seats = event.seats
    assert guest.party <= seats.free
    offered = replace(
        guest,
        state=State.OFFERED,
        seq=guest.seq + 1,
        live=False,
        claim_by=None,
        version=guest.version + 1,
    )
    made = OfferMade(
        event.id,
        guest.id,
        offered.version,
        seq=offered.seq,
        seats=guest.party,
        fills=seats.round,
        last_useful_at=event.details.starts_at,
    )
    offer = Offer(
        event.id, guest.id, offered.seq, guest.party, OfferState.PENDING, now, fills=seats.round
    )
    passed = (
        ()
        if first.id == guest.id
        else (PartyPassedOver(event.id, first.id, party=first.party, free=seats.free),)
    )
    hold = changes.HoldSeats(event.id, event.version, guest.party, rev=seats.rev)
    return Accepted((hold, changes.WriteGuest(offered), changes.AddOffer(offer)), (*passed, made))


def _take_back(event: Event, guest: Guest | None, now: datetime) -> Decision:
    """Takes back the last pending offer after a cut of the cap. The guest waits again."""
    if guest is None:
        return Refused(Reason.NOTHING_TO_DO)
    return Accepted(
        (
            changes.TakeBackSeats(event.id, guest.party, rev=event.seats.rev),
            changes.WriteGuest(_waits_again(guest)),
            _ended(guest, OfferState.WITHDRAWN, now),
        ),
        (_taken_back(guest, was_live=False),),
    )


def arm(view: GuestView | None, command: commands.ArmOffer, now: datetime) -> Decision:
    """Starts the claim window just before the message goes out. If the event has begun, withdraws
    the offer instead."""
    if view is None or not _is_current(view.guest, command.seq):
        return Refused(Reason.OFFER_GONE)
    event, guest = view.event, view.guest
    if refusal := refuse_if_closed(event, now):
        if refusal.reason is Reason.BEGUN:
            return _passed_on(view, now, OfferState.WITHDRAWN, OfferUndelivered, lapsed=True)
        return refusal
    if guest.live:
        return Refused(Reason.TOO_LATE) if _is_over(guest, now) else Accepted()
    if event.seats.free < 0:
        return Refused(Reason.IN_DEBT)

    claim_by = min(now + event.settings.claim_window, event.details.starts_at)
    live = replace(guest, live=True, claim_by=claim_by, version=guest.version + 1)
    return Accepted(
        (
            changes.NotInDebt(event.id, event.version),
            changes.WriteGuest(live),
            changes.MoveOffer(
                event.id,
                guest.id,
                guest.seq,
                OfferState.PENDING,
                OfferState.LIVE,
                at=now,
                claim_by=claim_by,
            ),
        ),
        (OfferArmed(event.id, guest.id, live.version, seq=guest.seq, claim_by=claim_by),),
        (SetTimer(timers.offer_timer(guest.id, guest.seq), claim_by),),
    )


def disarm(view: GuestView | None, command: commands.DisarmOffer, now: datetime) -> Decision:
    """Makes the offer pending again after its message was definitely refused. No window runs."""
    if view is None or not _is_current(view.guest, command.seq) or not view.guest.live:
        return Refused(Reason.OFFER_GONE)
    guest = view.guest
    pending = replace(guest, live=False, claim_by=None, version=guest.version + 1)
    back = changes.MoveOffer(
        guest.event_id, guest.id, guest.seq, OfferState.LIVE, OfferState.PENDING, at=now
    )
    return Accepted(
        (changes.WriteGuest(pending), back),
        (OfferDisarmed(guest.event_id, guest.id, pending.version, seq=guest.seq),),
        (_drop_timer(guest),),
    )


def claim(view: GuestView | None, command: commands.ClaimOffer, now: datetime) -> Decision:
    """Confirms the offered seats, if the deadline has not been reached and there is room."""
    if view is None or not _is_current(view.guest, command.seq):
        return Refused(Reason.OFFER_GONE)
    event, guest = view.event, view.guest
    if not guest.live and not command.by_host:
        return Refused(Reason.OFFER_GONE)
    if _is_over(guest, now):
        return Refused(Reason.TOO_LATE)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if event.seats.room < guest.party:
        return _no_room_left(event, guest, now)

    reminders = timers.reminders(event, guest.id, now, told_at=now)
    left_out = timers.left_out(event, now, told_at=now)
    seated = confirmed(replace(guest, version=guest.version + 1), timers.names(reminders))
    return Accepted(
        (
            changes.ClaimSeats(event.id, event.version, guest.party),
            changes.WriteGuest(seated),
            _ended(guest, OfferState.CLAIMED, now),
        ),
        (
            replace(
                confirmation(seated, State.OFFERED, seq=guest.seq, left_out=left_out),
                by_host=command.by_host,
            ),
        ),
        (_drop_timer(guest), *reminders),
    )


def _no_room_left(event: Event, guest: Guest, now: datetime) -> Accepted:
    """Returns the guest to their place in line, because the host has cut the cap."""
    return Accepted(
        (
            changes.KeepPlace(event.id, guest.party),
            changes.WriteGuest(_waits_again(guest)),
            _ended(guest, OfferState.WITHDRAWN, now),
        ),
        (_taken_back(guest, was_live=True),),
        (_drop_timer(guest),),
    )


def decline(view: GuestView | None, command: commands.DeclineOffer, now: datetime) -> Decision:
    """Returns the seats for the next in line. The guest keeps their place."""
    if view is None or not _is_current(view.guest, command.seq):
        return Refused(Reason.OFFER_GONE)
    if _is_over(view.guest, now):
        return Refused(Reason.TOO_LATE)
    return _passed_on(
        view,
        now,
        OfferState.DECLINED,
        partial(OfferDeclined, by_host=command.by_host),
        lapsed=view.guest.lapsed,
    )


def stop(view: GuestView | None, command: commands.StopOffer, now: datetime) -> Decision:
    """Takes an offer back for the host. The guest waits again; others get their chance first."""
    if view is None or not _is_current(view.guest, command.seq):
        return Refused(Reason.OFFER_GONE)
    if _is_over(view.guest, now):
        return Refused(Reason.TOO_LATE)
    stopped = partial(OfferStopped, was_live=view.guest.live)
    return _passed_on(view, now, OfferState.WITHDRAWN, stopped, lapsed=view.guest.lapsed)


def lapse(view: GuestView | None, command: commands.LapseOffer, now: datetime) -> Decision:
    """Ends an offer whose window has closed. If its timer fires early, sets it again."""
    if view is None or not _is_current(view.guest, command.seq) or not view.guest.live:
        return Refused(Reason.OFFER_GONE)
    guest = view.guest
    assert guest.claim_by is not None
    if now < guest.claim_by:
        return Accepted(timers=(SetTimer(timers.offer_timer(guest.id, guest.seq), guest.claim_by),))
    return _passed_on(view, now, OfferState.EXPIRED, OfferLapsed, lapsed=True)


def withdraw(view: GuestView | None, command: commands.WithdrawOffer, now: datetime) -> Decision:
    """Ends an offer whose message cannot be delivered, so that the seats go to the next in line."""
    if view is None or not _is_current(view.guest, command.seq):
        return Refused(Reason.OFFER_GONE)
    return _passed_on(view, now, OfferState.WITHDRAWN, OfferUndelivered, lapsed=True)


def _passed_on(
    view: GuestView,
    now: datetime,
    after: OfferState,
    fact: Callable[..., OfferDeclined | OfferLapsed | OfferStopped | OfferUndelivered],
    *,
    lapsed: bool,
) -> Accepted:
    """Ends the offer and returns the guest to the line, without another chance in this round."""
    event, guest = view.event, view.guest
    back = replace(_waits_again(guest), seen=event.seats.round, lapsed=lapsed)
    return Accepted(
        (
            changes.ReturnSeats(event.id, guest.party, round=event.seats.round),
            changes.WriteGuest(back),
            _ended(guest, after, now),
        ),
        (fact(event.id, guest.id, back.version, seq=guest.seq, seats=guest.party, seen=back.seen),),
        (_drop_timer(guest),),
    )


def _is_current(guest: Guest, seq: int) -> bool:
    return guest.state is State.OFFERED and guest.seq == seq


def _is_over(guest: Guest, now: datetime) -> bool:
    return guest.claim_by is not None and now >= guest.claim_by


def _waits_again(guest: Guest) -> Guest:
    """Returns the guest as waiting, with the same place and chance as before."""
    return replace(guest, state=State.WAITING, live=False, claim_by=None, version=guest.version + 1)


def _ended(guest: Guest, after: OfferState, now: datetime) -> changes.MoveOffer:
    before = OfferState.LIVE if guest.live else OfferState.PENDING
    return changes.MoveOffer(guest.event_id, guest.id, guest.seq, before, after, at=now)


def _taken_back(guest: Guest, *, was_live: bool) -> OfferTakenBack:
    return OfferTakenBack(
        guest.event_id,
        guest.id,
        guest.version + 1,
        seq=guest.seq,
        seats=guest.party,
        seen=guest.seen,
        was_live=was_live,
    )


def _drop_timer(guest: Guest) -> DropTimer:
    return DropTimer(timers.offer_timer(guest.id, guest.seq))
