"""Reads and writes offers. Their rows are never deleted.

Each offer has a second row in its entry's partition, so that no entry gets a slot offered twice.
"""

from __future__ import annotations

from typing import Any, Final

from frontdesk.desks.waitlist.changes import AddOffer, MoveOffer
from frontdesk.desks.waitlist.model import Offer, OfferState
from frontdesk.store.dynamodb.items import TransactItem, apply, check, put_new
from frontdesk.store.dynamodb.schema import WL_ENTRIES, WL_OFFERS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Item
from frontdesk.store.rows import DynamoRows

OFFER: Final = DynamoRows(Offer)
_OPEN: Final = (OfferState.PENDING, OfferState.LIVE)


def offer(reader: TableReader, slot_id: str, seq: int) -> Offer | None:
    row = reader.get(WL_OFFERS, slot_id, seq)
    return OFFER.read_or_none(row)


def of_slot(reader: TableReader, slot_id: str) -> list[Offer]:
    """Returns a slot's offers. A hypothetical slot has no id and no offers."""
    if not slot_id:
        return []
    return [OFFER.read(row) for row in reader.query(WL_OFFERS, "slot_id = :slot", slot=slot_id)]


def slots_of_entry(reader: TableReader, entry_id: str) -> list[str]:
    """Returns the ids of the slots that were offered to an entry."""
    theirs = reader.query(WL_ENTRIES, "shelf = :entry", entry=_entry_shelf(entry_id))
    return [row["entry_id"] for row in theirs]


def open_of_entry(reader: TableReader, entry_id: str) -> list[Offer]:
    """Returns an entry's pending and live offers, sorted by slot."""
    theirs = reader.query(WL_ENTRIES, "shelf = :entry", entry=_entry_shelf(entry_id))
    found = reader.get_many(WL_OFFERS, [(row["entry_id"], row["seq"]) for row in theirs])
    offers = [each for row in found.values() if (each := OFFER.read(row)).state in _OPEN]
    return sorted(offers, key=lambda each: each.slot_id)


def add(_reader: TableReader, change: AddOffer) -> tuple[TransactItem, ...]:
    """Adds an offer. Condition also: the slot's previous offer has ended."""
    offer = change.offer
    of_entry: Item = {
        "shelf": _entry_shelf(offer.entry_id),
        "entry_id": offer.slot_id,
        "seq": offer.seq,
    }
    added = (
        put_new(WL_OFFERS.name, WL_OFFERS.key.names, OFFER.row(offer)),
        put_new(WL_ENTRIES.name, WL_ENTRIES.key.names, of_entry),
    )
    if offer.seq == 1:
        return added
    before: dict[str, Any] = {"slot_id": offer.slot_id, "seq": offer.seq - 1}
    return *added, check(WL_OFFERS.name, before, when="attribute_exists(ended_at)")


def move(change: MoveOffer) -> TransactItem:
    """Moves an offer. Live starts its window, pending clears it, any other state ends the offer."""
    match change.after:
        case OfferState.LIVE:
            assert change.claim_by is not None, "a live offer has an end"
            moves = "SET #state = :after, armed_at = :at, claim_by = :claim_by REMOVE ended_at"
        case OfferState.PENDING:
            refusals = "refusals + :one" if change.refused else "refusals"
            moves = (
                f"SET #state = :after, refusals = {refusals} REMOVE armed_at, claim_by, ended_at"
            )
        case _:
            moves = "SET #state = :after, ended_at = :at"
    key: dict[str, Any] = {"slot_id": change.slot_id, "seq": change.seq}
    return apply(WL_OFFERS.name, key, change, moves, when="#state = :before")


def _entry_shelf(entry_id: str) -> str:
    return f"entry#{entry_id}"


OFFER_WRITES: Writes = {AddOffer: Write(add), MoveOffer: one(move)}
