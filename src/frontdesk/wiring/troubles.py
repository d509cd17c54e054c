"""Records failures of external systems, and their end, so that staff hear of both."""

from __future__ import annotations

from collections.abc import Callable

from frontdesk.core.decision import Command
from frontdesk.core.text_rules import paused_until
from frontdesk.desks.admin.commands import EndTrouble, ReportTrouble
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.model import Part
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.logs import failure, log


class Troubles:
    """Safe in every thread except the writer's. If a record cannot be written, logs that and
    continues.
    """

    engine: Engine
    """Set later by the wiring: the desks that the engine runs contain watched parts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def failed(self, part: Part, why: str, *, at_once: bool) -> None:
        """`at_once` means that it keeps failing until somebody acts. `why` names no person."""
        self._run(ReportTrouble(part, why, at_once))

    def worked(self, *parts: Part) -> None:
        """Ends open troubles of these parts. Reads once if there are none."""
        try:
            known = admin(self.engine.reads()).troubles()
        except Exception as error:
            log("trouble.failed", why=failure(error))
            return
        for each in known:
            if each.part in parts and each.ended_at is None:
                self._run(EndTrouble(each.part))

    def watch(self, part: Part) -> Callable[[str], None]:
        """Returns a function to call with the reason of a failure, or with '' after a success."""

        def heard(why: str) -> None:
            if why:
                self.failed(part, why, at_once=False)
            else:
                self.worked(part)

        return heard

    def texts_spent(self, is_reached: bool) -> None:
        """Tells staff once that the month's limit on texts is reached."""
        if is_reached:
            self.failed(Part.TEXTS, paused_until(self._clock.now()), at_once=True)
        else:
            self.worked(Part.TEXTS)

    def _run(self, command: Command) -> None:
        try:
            self.engine.run(command, by="watch", now=self._clock.now())
        except Exception as error:
            log("trouble.failed", why=failure(error))
