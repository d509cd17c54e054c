"""Offers: one row each, never deleted.

Beside an offer lies a row on its entry's shelf: nobody is offered the same slot twice.
"""

from __future__ import annotations

from typing import Any, Final

from frontdesk.desks.waitlist.changes import AddOffer, MoveOffer
from frontdesk.desks.waitlist.model import Offer, OfferState
from frontdesk.store.dynamodb.items import TransactItem, check, put_new, update
from frontdesk.store.dynamodb.look import Look, Row
from frontdesk.store.dynamodb.schema import WL_ENTRIES, WL_OFFERS
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import (
    Item,
    instant,
    instant_or_none,
    seconds,
    seconds_or_none,
)

_OPEN: Final = (OfferState.PENDING, OfferState.LIVE)


def read_offer(row: Row) -> Offer:
    return Offer(
        row["slot_id"],
        row["seq"],
        row["entry_id"],
        OfferState(row["state"]),
        instant(row["made_at"]),
        row["refusals"],
        instant_or_none(row.get("armed_at")),
        instant_or_none(row.get("claim_by")),
        instant_or_none(row.get("ended_at")),
    )


def offer(look: Look, slot_id: str, seq: int) -> Offer | None:
    row = look.get(WL_OFFERS, slot_id, seq)
    return None if row is None else read_offer(row)


def of_slot(look: Look, slot_id: str) -> list[Offer]:
    """A slot that is only imagined has no id, for which DynamoDB cannot be asked, and no offers."""
    if not slot_id:
        return []
    return [read_offer(row) for row in look.query(WL_OFFERS, "slot_id = :slot", slot=slot_id)]


def slots_of_entry(look: Look, entry_id: str) -> list[str]:
    """Those that were offered to it."""
    theirs = look.query(WL_ENTRIES, "shelf = :entry", entry=_entry_shelf(entry_id))
    return [row["entry_id"] for row in theirs]


def open_of_entry(look: Look, entry_id: str) -> list[Offer]:
    """By their slot."""
    theirs = look.query(WL_ENTRIES, "shelf = :entry", entry=_entry_shelf(entry_id))
    found = look.get_many(WL_OFFERS, [(row["entry_id"], row["seq"]) for row in theirs])
    offers = [each for row in found.values() if (each := read_offer(row)).state in _OPEN]
    return sorted(offers, key=lambda each: each.slot_id)


def add(_look: Look, change: AddOffer) -> tuple[TransactItem, ...]:
    """Condition as well: the slot's offer before this one has ended."""
    offer = change.offer
    row: Item = {
        "slot_id": offer.slot_id,
        "seq": offer.seq,
        "entry_id": offer.entry_id,
        "state": offer.state.value,
        "made_at": seconds(offer.made_at),
        "refusals": offer.refusals,
        "armed_at": seconds_or_none(offer.armed_at),
        "claim_by": seconds_or_none(offer.claim_by),
        "ended_at": seconds_or_none(offer.ended_at),
    }
    of_entry: Item = {
        "shelf": _entry_shelf(offer.entry_id),
        "entry_id": offer.slot_id,
        "seq": offer.seq,
    }
    added = (
        put_new(WL_OFFERS.name, WL_OFFERS.key.names, row),
        put_new(WL_ENTRIES.name, WL_ENTRIES.key.names, of_entry),
    )
    if offer.seq == 1:
        return added
    before: dict[str, Any] = {"slot_id": offer.slot_id, "seq": offer.seq - 1}
    return *added, check(WL_OFFERS.name, before, when="attribute_exists(ended_at)")


def move(change: MoveOffer) -> TransactItem:
    """Live: its window begins. Pending again: it never began. Anything else: it has ended."""
    values: dict[str, Any] = {"after": change.after.value}
    match change.after:
        case OfferState.LIVE:
            assert change.claim_by is not None, "a live offer has an end"
            values |= {"at": seconds(change.at), "claim_by": seconds(change.claim_by)}
            moves = "SET #state = :after, armed_at = :at, claim_by = :claim_by REMOVE ended_at"
        case OfferState.PENDING:
            values["refused"] = int(change.refused)
            moves = (
                "SET #state = :after, refusals = refusals + :refused"
                " REMOVE armed_at, claim_by, ended_at"
            )
        case _:
            values["at"] = seconds(change.at)
            moves = "SET #state = :after, ended_at = :at"
    return update(
        WL_OFFERS.name,
        {"slot_id": change.slot_id, "seq": change.seq},
        moves,
        when="#state = :before",
        before=change.before.value,
        **values,
    )


def _entry_shelf(entry_id: str) -> str:
    return f"entry#{entry_id}"


OFFER_WRITES: Writes = {AddOffer: Write(add), MoveOffer: one(move)}
