"""Guests and their offers."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.desks.rsvp.changes import AddGuest, AddOffer, CutOffer, MoveOffer, WriteGuest
from frontdesk.desks.rsvp.model import Guest, Lane, Offer, OfferState, State
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import (
    instant,
    instant_or_none,
    names,
    names_text,
    seconds,
    seconds_or_none,
)

GUEST_COLUMNS = (
    "g.guest_id, g.event_id, g.person_id, g.state, g.party, g.lane, g.version, g.ticket, g.lapsed,"
    " g.seen, g.seq, g.live, g.claim_by, g.reminders, g.arrived, g.joined_at,"
    " g.name, g.email, g.own_name"
)
OFFER_COLUMNS = (
    "event_id, guest_id, seq, seats, state, made_at, armed_at, claim_by, ended_at, fills"
)
_STATES = {state.value: state for state in State}
_LANES = {lane.value: lane for lane in Lane}


def read_guest(row: Sequence[Any]) -> Guest:
    """From `GUEST_COLUMNS`."""
    (guest_id, event_id, person_id, state, party, lane, version, ticket, lapsed) = row[:9]
    seen, seq, live, claim_by, reminders, arrived, joined_at, name, email, own_name = row[9:]
    return Guest(
        guest_id,
        event_id,
        person_id,
        _STATES[state],
        party,
        _LANES[lane],
        version,
        ticket,
        lapsed == 1,
        seen,
        seq,
        live == 1,
        instant_or_none(claim_by),
        names(reminders),
        arrived,
        instant_or_none(joined_at),
        name,
        email,
        own_name == 1,
    )


def read_offer(row: Sequence[Any]) -> Offer:
    """From `OFFER_COLUMNS`."""
    event_id, guest_id, seq, seats, state, made_at, armed_at, claim_by, ended_at, fills = row
    return Offer(
        event_id,
        guest_id,
        seq,
        seats,
        OfferState(state),
        instant(made_at),
        instant_or_none(armed_at),
        instant_or_none(claim_by),
        instant_or_none(ended_at),
        fills,
    )


def add(db: Connection, change: AddGuest) -> bool:
    guest = change.guest
    return (
        db.execute(
            "INSERT INTO ev_guest (guest_id, event_id, person_id, state, party, lane, version,"
            " ticket, lapsed, seen, seq, live, claim_by, reminders, arrived, joined_at, name,"
            " email, own_name)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (guest.id, guest.event_id, guest.person_id, *_columns(guest)),
        ).rowcount
        == 1
    )


def write(db: Connection, change: WriteGuest) -> bool:
    """A decision from before a person was erased does not bring their name back."""
    guest = change.guest
    return (
        db.execute(
            "UPDATE ev_guest SET state = ?, party = ?, lane = ?, version = ?, ticket = ?,"
            " lapsed = ?, seen = ?, seq = ?, live = ?, claim_by = ?, reminders = ?, arrived = ?,"
            " joined_at = ?, name = ?, email = ?, own_name = ?"
            " WHERE event_id = ? AND guest_id = ? AND person_id = ? AND version = ?"
            " AND (? = '' OR NOT EXISTS (SELECT 1 FROM fd_person p"
            " WHERE p.person_id = ev_guest.person_id AND p.erased))",
            (
                *_columns(guest),
                *(guest.event_id, guest.id, guest.person_id, guest.version - 1),
                guest.name,
            ),
        ).rowcount
        == 1
    )


def _columns(guest: Guest) -> tuple[Any, ...]:
    return (
        guest.state.value,
        guest.party,
        guest.lane.value,
        guest.version,
        guest.ticket,
        int(guest.lapsed),
        guest.seen,
        guest.seq,
        int(guest.live),
        seconds_or_none(guest.claim_by),
        names_text(guest.reminders),
        guest.arrived,
        seconds_or_none(guest.joined_at),
        guest.name,
        guest.email,
        int(guest.own_name),
    )


def forget_person(db: Connection, person_id: str) -> None:
    """An erased person's sign-ups name nobody."""
    db.execute("UPDATE ev_guest SET name = '', email = '' WHERE person_id = ?", (person_id,))


def add_offer(db: Connection, change: AddOffer) -> bool:
    offer = change.offer
    return (
        db.execute(
            f"INSERT INTO ev_offer ({OFFER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                offer.event_id,
                offer.guest_id,
                offer.seq,
                offer.seats,
                offer.state.value,
                seconds(offer.made_at),
                seconds_or_none(offer.armed_at),
                seconds_or_none(offer.claim_by),
                seconds_or_none(offer.ended_at),
                offer.fills,
            ),
        ).rowcount
        == 1
    )


def move_offer(db: Connection, change: MoveOffer) -> bool:
    """Live: its window begins. Pending again: it never began. Anything else: it has ended."""
    return (
        db.execute(
            "UPDATE ev_offer SET state = :after,"
            " armed_at = CASE :after WHEN 'live' THEN :at WHEN 'pending' THEN NULL"
            " ELSE armed_at END,"
            " claim_by = CASE :after WHEN 'live' THEN :claim_by WHEN 'pending' THEN NULL"
            " ELSE claim_by END,"
            " ended_at = CASE WHEN :after IN ('live', 'pending') THEN NULL ELSE :at END"
            " WHERE guest_id = :guest AND seq = :seq AND event_id = :event AND state = :before",
            {
                "after": change.after.value,
                "at": seconds(change.at),
                "claim_by": seconds_or_none(change.claim_by),
                "guest": change.guest_id,
                "seq": change.seq,
                "event": change.event_id,
                "before": change.before.value,
            },
        ).rowcount
        == 1
    )


def cut_offer(db: Connection, change: CutOffer) -> bool:
    return (
        db.execute(
            "UPDATE ev_offer SET claim_by = :claim_by"
            " WHERE guest_id = :guest AND seq = :seq AND event_id = :event AND state = 'live'"
            " AND claim_by > :claim_by",
            {
                "claim_by": seconds(change.claim_by),
                "guest": change.guest_id,
                "seq": change.seq,
                "event": change.event_id,
            },
        ).rowcount
        == 1
    )


_guest_row = attrgetter("guest.id")
GUEST_WRITES: Writes = {
    AddGuest: Write("ev_guest", _guest_row, add),
    WriteGuest: Write("ev_guest", _guest_row, write),
    AddOffer: Write("ev_offer", attrgetter("offer.guest_id", "offer.seq"), add_offer),
    MoveOffer: Write("ev_offer", attrgetter("guest_id", "seq"), move_offer),
    CutOffer: Write("ev_offer", attrgetter("guest_id", "seq"), cut_offer),
}
