"""Who is told of a fact, and the messages that are due: the same for every desk."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from frontdesk.aws.due import is_for_now, waits
from frontdesk.aws.facts import act_on, tells
from frontdesk.aws.home import home
from frontdesk.aws.shipping import ship, ship_about
from frontdesk.aws.streams import Payload, Record, each
from frontdesk.core.sends import SendId


def tell(payload: Payload) -> dict[str, Any] | None:
    """A fact from the bus, rows of the ledger, or a schedule that was set for one of them.

    What a fact says is shipped in the same run. The stream brings only what others have queued
    (staff who send something again) and what is to be tried again: see its filters.
    """
    if "detail" in payload:
        back = home().back
        ship_about(back, act_on(back, payload, tells))
    elif "Records" in payload:
        return each(payload, _ship)
    elif "send" in payload:
        ship(home().back, SendId(payload["send"]), datetime.fromisoformat(payload["due_at"]))
    return None


def _ship(record: Record) -> None:
    due_at = waits(record)
    if due_at is not None and record.after is not None and is_for_now(record):
        ship(home().back, SendId(record.after["send_id"]), due_at)
