"""Notes what lies outside and fails, so that staff hear of it, and that it works again."""

from __future__ import annotations

from frontdesk.core.decision import Command
from frontdesk.desks.admin.commands import EndTrouble, ReportTrouble
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.model import Part
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.logs import failure, log


class Troubles:
    """For any thread but the writer's. What cannot be noted is logged, and holds up nothing."""

    engine: Engine
    """Set by the wiring: what is watched is a part of the desks that the engine runs."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def failed(self, part: Part, why: str, *, at_once: bool) -> None:
        """`at_once`: it fails again until somebody does something. `why` names no person."""
        self._run(ReportTrouble(part, why, at_once))

    def worked(self, *parts: Part) -> None:
        """Quick where nothing was wrong."""
        try:
            known = admin(self.engine.reads()).troubles()
        except Exception as error:
            log("trouble.failed", why=failure(error))
            return
        for each in known:
            if each.part in parts and each.ended_at is None:
                self._run(EndTrouble(each.part))

    def _run(self, command: Command) -> None:
        try:
            self.engine.run(command, by="watch", now=self._clock.now())
        except Exception as error:
            log("trouble.failed", why=failure(error))
