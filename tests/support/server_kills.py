"""Kills a server while it waits for the answer of a mail server or a calendar."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tests.smtp_sink import SmtpSink
from tests.support.machine import Machine


class KillingSink(SmtpSink):
    """Accepts mails, and kills the server before it gets the answer to these ones."""

    one: Machine
    kill_at: Collection[int] = ()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        if len(self.received) in self.kill_at and self.one.process is not None:
            self.one.process.kill()
        return answer


@dataclass
class KillAfterWrites:
    """Kills the server after these writes to the calendar, before it gets the answer."""

    one: Machine
    kill_at: Collection[int]
    writes: int = 0

    def __call__(self, method: str) -> None:
        self.writes += method == "PUT"
        if method == "PUT" and self.writes in self.kill_at:
            killed = self.one.process  # soon another process replaces it
            assert killed is not None
            killed.kill()
            killed.wait()
