"""Sends that are due: checked once more, and shipped."""

from __future__ import annotations

from datetime import datetime

from frontdesk.aws.due import WAITING
from frontdesk.aws.waiting import until
from frontdesk.core.decision import Fact
from frontdesk.core.sends import SendId
from frontdesk.engine.follow import sends_about
from frontdesk.wiring.application import Application


def ship(back: Application, send_id: SendId, due_at: datetime) -> None:
    """If it is still to be sent, and then. Again does no harm."""
    until(back.clock, due_at)
    send, now = back.engine.reads().engine.send(send_id), back.clock.now()
    if send is not None and send.state in WAITING and send.due_at <= now:
        back.runtime.sender.deliver([send], now)


def ship_about(back: Application, fact: Fact) -> None:
    """What this fact had queued, by whomever: the ids say so, no index that may be behind.

    So a run that died between the two is made good when the bus brings its fact again.
    """
    reads, now = back.engine.reads(), back.clock.now()
    for desk in back.engine.desks.values():
        if type(fact) in desk.notes:
            for send in sends_about(desk, reads, fact, now):
                ship(back, send.send_id, now)
