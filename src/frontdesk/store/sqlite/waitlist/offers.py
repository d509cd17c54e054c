"""Writes offers. Their rows are never deleted."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from frontdesk.desks.waitlist.changes import AddOffer, MoveOffer
from frontdesk.desks.waitlist.model import Offer
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, adds, statement

OFFER: Final = SqliteRows(Offer, remembered=500)


OFFER_WRITES: Writes = {
    AddOffer: adds("wl_offer", OFFER, "offer", "slot_id", "seq"),
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
