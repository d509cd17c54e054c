"""Decides when and to whom the desk's messages go, and which commands an offer's mail causes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from frontdesk.core.decision import Command
from frontdesk.core.localtime import zone
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.rsvp.commands import ArmOffer, DisarmOffer, WithdrawOffer
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages.context import details_before
from frontdesk.desks.rsvp.messages.events import TO_STRANGERS
from frontdesk.desks.rsvp.model import Event, EventId, GuestId, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.desk import DeliveryRules, Drop, HoldUntil, Render
from frontdesk.engine.ports import Reads


def delivery_rules(render: Render) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=when,
        render=render,
        arm=arm,
        disarm=disarm,
        undeliverable=undeliverable,
        temporary_refusals=frozenset({Reason.IN_DEBT}),
        optional=frozenset({"thanks"}),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    ev = rsvp(reads)
    if note.to == To.HOSTS:
        return ev.hosts(EventId(note.subject))
    if note.kind in TO_STRANGERS:
        return (PersonId(note.to),)
    guest = ev.guest(GuestId(note.to))
    return () if guest is None else (guest.person_id,)


def when(reads: Reads, send: Send, now: datetime) -> HoldUntil | Drop | None:
    """Holds messages in quiet hours, unless the guest just asked for them or they would then come
    too late."""
    if send.quiet is Quiet.IGNORE:
        return None
    ev = rsvp(reads)
    event = ev.event(EventId(send.subject))
    if event is None:
        return Drop("there is no such event any more")
    until = event.settings.quiet.next_allowed(now, zone(event.details.zone))
    if until <= now or _cannot_wait(ev, event, send, until, now):
        return None
    if send.kind == "reminder" and until >= event.details.starts_at:
        return Drop("the event will have begun")
    return HoldUntil(until)


def _cannot_wait(ev: RsvpReads, event: Event, send: Send, until: datetime, now: datetime) -> bool:
    starts_at = event.details.starts_at
    match send.kind:
        case "called_off" | "confirmed":
            return starts_at <= until
        case "removed":
            return send.params.get("before") == State.CONFIRMED and starts_at <= until
        case "moved":
            was = details_before(ev, event, now).starts_at
            return starts_at <= until or now < was <= until
        case "offer":
            settings = event.settings
            return settings.time_critical and starts_at - until < settings.claim_window
        case _:
            return False


def arm(send: Send) -> Command | None:
    """Starts the claim window when the offer's mail goes out."""
    return ArmOffer(*_offer(send)) if send.kind == "offer" else None


def disarm(send: Send) -> Command | None:
    return DisarmOffer(*_offer(send)) if send.kind == "offer" else None


def undeliverable(send: Send) -> Command | None:
    """Ends the offer, so that the seats go to the next in line."""
    return WithdrawOffer(*_offer(send)) if send.kind == "offer" else None


def _offer(send: Send) -> tuple[GuestId, int]:
    return GuestId(send.about), int(send.params["seq"])
