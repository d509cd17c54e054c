"""Sends that are due: those that a stream brings at once, and those that a schedule rings for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.aws.streams import Record
from frontdesk.aws.waiting import until
from frontdesk.core.sends import SendId, SendState
from frontdesk.wiring.back_room import BackRoom

WAITING: Final = (SendState.QUEUED, SendState.HELD)
#: Clocks differ a little. What is due so soon is waited for.
SOON: Final = timedelta(seconds=2)


def waits(record: Record) -> datetime | None:
    """When this row is to be sent, if it still is."""
    row = record.after
    if row is None or row["state"] not in WAITING:
        return None
    return datetime.fromtimestamp(row["due_at"], record.at.tzinfo)


def is_for_now(record: Record) -> bool:
    """Said of the record alone, so that it is either shipped at once or put on a schedule."""
    due_at = waits(record)
    return due_at is not None and due_at <= record.at + SOON


def ship(back: BackRoom, send_id: SendId, due_at: datetime) -> None:
    """If it is still to be sent, and then. Again does no harm."""
    until(back.clock, due_at)
    send, now = back.engine.reads().engine.send(send_id), back.clock.now()
    if send is not None and send.state in WAITING and send.due_at <= now:
        back.works.shipper.ship([send], now)
