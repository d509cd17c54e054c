"""A send that is due: checked once more, and shipped."""

from __future__ import annotations

from datetime import datetime

from frontdesk.aws.due import WAITING
from frontdesk.aws.waiting import until
from frontdesk.core.sends import SendId
from frontdesk.wiring.back_room import BackRoom


def ship(back: BackRoom, send_id: SendId, due_at: datetime) -> None:
    """If it is still to be sent, and then. Again does no harm."""
    until(back.clock, due_at)
    send, now = back.engine.reads().engine.send(send_id), back.clock.now()
    if send is not None and send.state in WAITING and send.due_at <= now:
        back.works.shipper.ship([send], now)
