"""Which rows of the ledger of sends are for now, and which are for a schedule."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.aws.streams import Record
from frontdesk.core.sends import SendState

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
    """Said of the record alone, so that it is either shipped at once or put on a schedule.

    What is new is always for now, and nobody is asked for a schedule for it. What is held has been
    looked at just now: it is never for now.
    """
    due_at = waits(record)
    is_held = record.after is not None and record.after["state"] == SendState.HELD
    if due_at is None or is_held:
        return False
    return record.before is None or due_at <= record.at + SOON
