"""A timer that a schedule says is due. Its desk decides whether that still matters."""

from __future__ import annotations

from datetime import datetime

from frontdesk.aws.home import home
from frontdesk.aws.streams import Payload
from frontdesk.aws.waiting import until
from frontdesk.core.decision import TimerName


class NotFired(Exception):
    """Raised so that AWS tries again; what went wrong is in the log already."""


def fire(payload: Payload) -> None:
    back = home().back
    name, due_at = TimerName(payload["timer"]), datetime.fromisoformat(payload["due_at"])
    until(back.clock, due_at)
    if not back.works.timers.fire(name, due_at, back.clock.now()):
        raise NotFired(name)
