"""Who is told of a fact, and the messages that are due: the same for every desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.aws.due import is_for_now, waits
from frontdesk.aws.facts import act_on, tells
from frontdesk.aws.home import home
from frontdesk.aws.outbox import detail
from frontdesk.aws.shipping import ship, ship_about
from frontdesk.aws.streams import Payload, Record, every
from frontdesk.core.sends import SendId


def tell(payload: Payload) -> dict[str, Any] | None:
    """A fact from the bus, many from the outbox, rows of the ledger, or a schedule for one of them.

    What a fact says is shipped in the same run. The stream brings only what others have queued
    (staff who send something again) and what is to be tried again: see its filters.
    """
    if "detail" in payload:
        _tell_of(payload["detail"])
    elif "Records" in payload:
        return every(payload, _take_up)
    elif "send" in payload:
        ship(home().back, SendId(payload["send"]), datetime.fromisoformat(payload["due_at"]))
    return None


def _tell_of(fact: Mapping[str, Any]) -> None:
    back = home().back
    ship_about(back, act_on(back, fact, tells))


def _take_up(record: Record) -> None:
    """Facts that come in numbers, like reminders, are brought by the outbox itself."""
    row = record.after
    if row is None:
        return
    if "send_id" not in row:
        _tell_of(detail(row))
    elif (due_at := waits(record)) and is_for_now(record):
        ship(home().back, SendId(row["send_id"]), due_at)
