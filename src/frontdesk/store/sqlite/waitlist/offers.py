"""Writes offers. Their rows are never deleted."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.waitlist.changes import AddOffer, MoveOffer
from frontdesk.desks.waitlist.model import Offer
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, add_row, statement

OFFER: Final = SqliteRows(Offer, remembered=500)


def add(db: Connection, change: AddOffer) -> bool:
    return add_row(db, "wl_offer", OFFER, change.offer)


OFFER_WRITES: Writes = {
    AddOffer: Write("wl_offer", attrgetter("offer.slot_id", "offer.seq"), add),
    # Moves an offer. Live starts its window, pending clears it, any other state ends the offer.
    MoveOffer: Write(
        "wl_offer",
        attrgetter("slot_id", "seq"),
        statement(
            "UPDATE wl_offer SET state = :after,"
            " armed_at = CASE :after WHEN 'live' THEN :at WHEN 'pending' THEN NULL"
            " ELSE armed_at END,"
            " claim_by = CASE :after WHEN 'live' THEN :claim_by WHEN 'pending' THEN NULL"
            " ELSE claim_by END,"
            " refusals = refusals + :refused,"
            " ended_at = CASE WHEN :after IN ('live', 'pending') THEN NULL ELSE :at END"
            " WHERE slot_id = :slot_id AND seq = :seq AND state = :before"
        ),
    ),
}
