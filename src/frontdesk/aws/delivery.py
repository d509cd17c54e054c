"""The functions that queue and deliver messages: `messenger`, `sender`, `bk-sender` and
`dispatch`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.aws.container import deployment
from frontdesk.aws.facts import act_on, tells
from frontdesk.aws.outbox import detail
from frontdesk.aws.streams import ChangedRow, Payload, handle_all
from frontdesk.aws.timers import wait_until
from frontdesk.core.decision import Fact
from frontdesk.core.sends import SendId
from frontdesk.engine.follow import sends_about
from frontdesk.store.dynamodb.sends import WAITING
from frontdesk.wiring.application import Application


def messenger(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Queues and delivers the messages of the RSVP and admin desks."""
    return _handle(payload)


def sender(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Queues and delivers the messages of the waitlist."""
    return _handle(payload)


def bk_sender(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Queues and delivers the messages of the booking desk."""
    return _handle(payload)


def dispatch(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Queues and delivers reminders, and what staff are told of them."""
    return _handle(payload)


def _handle(payload: Payload) -> dict[str, Any] | None:
    """Handles a fact from the bus, facts from the outbox, or one due row of the ledger.

    Delivers the messages about a fact in the same run. A row comes by itself if another process
    queued it (staff send a message again), and for a retry.
    """
    if "detail" in payload:
        _queue_and_deliver(payload["detail"])
    elif "Records" in payload:
        return handle_all(payload, _from_outbox)
    elif "send" in payload:
        due_at = datetime.fromisoformat(payload["due_at"])
        _deliver(deployment().back, SendId(payload["send"]), due_at)
    return None


def _queue_and_deliver(fact: Mapping[str, Any]) -> None:
    back = deployment().back
    deliver_about(back, act_on(back, fact, tells))


def _from_outbox(record: ChangedRow) -> None:
    """The stream of the outbox brings bulk facts, like reminders, directly."""
    if record.after is not None:
        _queue_and_deliver(detail(record.after))


def deliver_about(back: Application, fact: Fact) -> None:
    """Delivers every send of this fact. Finds them by id, since an index may lag. The next run for
    the same fact repairs a run that died.
    """
    reads, now = back.engine.reads(), back.clock.now()
    for desk in back.engine.desks.values():
        if type(fact) in desk.notes:
            for send in sends_about(desk, reads, fact, now):
                _deliver(back, send.send_id, now)


def _deliver(back: Application, send_id: SendId, due_at: datetime) -> None:
    """Delivers a send once it is due, if it still waits. A repeat does no harm."""
    wait_until(back.clock, due_at)
    send, now = back.engine.reads().engine.send(send_id), back.clock.now()
    if send is not None and send.state in WAITING and send.due_at <= now:
        back.runtime.sender.deliver([send], now)
