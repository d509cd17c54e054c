"""Offers: one row each, never deleted."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any, Final

from frontdesk.desks.waitlist.changes import AddOffer, MoveOffer
from frontdesk.desks.waitlist.model import Offer, OfferState
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, instant_or_none, seconds, seconds_or_none

OFFER_COLUMNS: Final = (
    "slot_id, seq, entry_id, state, made_at, refusals, armed_at, claim_by, ended_at"
)


def read_offer(row: Sequence[Any]) -> Offer:
    """From `OFFER_COLUMNS`."""
    slot_id, seq, entry_id, state, made_at, refusals, armed_at, claim_by, ended_at = row
    return Offer(
        slot_id,
        seq,
        entry_id,
        OfferState(state),
        instant(made_at),
        refusals,
        instant_or_none(armed_at),
        instant_or_none(claim_by),
        instant_or_none(ended_at),
    )


def add(db: Connection, change: AddOffer) -> bool:
    offer = change.offer
    return (
        db.execute(
            f"INSERT INTO wl_offer ({OFFER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                offer.slot_id,
                offer.seq,
                offer.entry_id,
                offer.state.value,
                seconds(offer.made_at),
                offer.refusals,
                seconds_or_none(offer.armed_at),
                seconds_or_none(offer.claim_by),
                seconds_or_none(offer.ended_at),
            ),
        ).rowcount
        == 1
    )


def move(db: Connection, change: MoveOffer) -> bool:
    """Live: its window begins. Pending again: it never began. Anything else: it has ended."""
    return (
        db.execute(
            "UPDATE wl_offer SET state = :after,"
            " armed_at = CASE :after WHEN 'live' THEN :at WHEN 'pending' THEN NULL"
            " ELSE armed_at END,"
            " claim_by = CASE :after WHEN 'live' THEN :claim_by WHEN 'pending' THEN NULL"
            " ELSE claim_by END,"
            " refusals = refusals + :refused,"
            " ended_at = CASE WHEN :after IN ('live', 'pending') THEN NULL ELSE :at END"
            " WHERE slot_id = :slot AND seq = :seq AND state = :before",
            {
                "after": change.after.value,
                "refused": int(change.refused),
                "at": seconds(change.at),
                "claim_by": seconds_or_none(change.claim_by),
                "slot": change.slot_id,
                "seq": change.seq,
                "before": change.before.value,
            },
        ).rowcount
        == 1
    )


OFFER_WRITES: Writes = {
    AddOffer: Write("wl_offer", attrgetter("offer.slot_id", "offer.seq"), add),
    MoveOffer: Write("wl_offer", attrgetter("slot_id", "seq"), move),
}
