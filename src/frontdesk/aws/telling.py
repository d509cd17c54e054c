"""Who is told of a fact, and the messages that are due: the same for every desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.aws.container import deployment
from frontdesk.aws.facts import act_on, tells
from frontdesk.aws.outbox import detail
from frontdesk.aws.shipping import ship, ship_about
from frontdesk.aws.streams import Payload, Record, every
from frontdesk.core.sends import SendId


def tell(payload: Payload) -> dict[str, Any] | None:
    """A fact from the bus, facts from the outbox, or one row of the ledger that is due.

    What a fact says is shipped in the same run. A row comes by itself if somebody else has queued
    it (staff who send something again), and if it is tried again.
    """
    if "detail" in payload:
        _tell_of(payload["detail"])
    elif "Records" in payload:
        return every(payload, _take_up)
    elif "send" in payload:
        ship(deployment().back, SendId(payload["send"]), datetime.fromisoformat(payload["due_at"]))
    return None


def _tell_of(fact: Mapping[str, Any]) -> None:
    back = deployment().back
    ship_about(back, act_on(back, fact, tells))


def _take_up(record: Record) -> None:
    """Facts that come in numbers, like reminders, are brought by the outbox itself."""
    if record.after is not None:
        _tell_of(detail(record.after))
