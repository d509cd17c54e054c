"""The application as all intake uses it, and a desk's reaction to a message that did not arrive."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from frontdesk.core.decision import Accepted
from frontdesk.core.sends import Send
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads


class IntakeApplication(Protocol):
    @property
    def engine(self) -> Engine: ...
    @property
    def clock(self) -> Clock: ...


def undeliverable(app: IntakeApplication, reads: Reads, send: Send, now: datetime) -> Accepted:
    """Asks the desk of a send what follows if the send did not arrive; perhaps nothing."""
    command = app.engine.desks[send.desk].delivery.undeliverable(send)
    answer = app.engine.ask(command, now)(reads) if command else None
    return answer if isinstance(answer, Accepted) else Accepted()
