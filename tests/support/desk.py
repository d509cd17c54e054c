"""Drives a desk on a real store in virtual time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self

from frontdesk.core.decision import Command, Refused
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.engine.runtime import Runtime, advance


class DrivenDesk:
    clock: VirtualClock
    engine: Engine
    runtime: Runtime

    def run(self, command: Command, by: str = "test") -> Outcome:
        """Runs a command without the work that follows; `settle` or `wait` do that."""
        return self.engine.run(command, by=by, now=self.clock.now())

    def do(self, command: Command) -> Self:
        """Runs a command that must be accepted, and all work that follows."""
        outcome = self.run(command)
        assert isinstance(outcome, Committed), outcome
        return self.settle()

    def refused(self, command: Command) -> str:
        outcome = self.run(command)
        assert isinstance(outcome, Refused), outcome
        return str(outcome.reason)

    def settle(self) -> Self:
        self.runtime.settle(self.clock.now())
        return self

    def wait(self, **span: float) -> Self:
        return self.wait_until(self.clock.now() + timedelta(**span))

    def wait_until(self, at: datetime) -> Self:
        advance(self.runtime, self.clock, at)
        return self
