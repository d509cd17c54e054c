"""The engine answers each command by its desk's rule and commits the answer to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from datetime import datetime
from types import MappingProxyType

from frontdesk.core.decision import Command, Decision
from frontdesk.engine.desk import Desk, Rule
from frontdesk.engine.ports import Ask, Cause, Outcome, Reads, Store


class Engine:
    """Finds the rule for each command in the tables of the desks."""

    def __init__(self, store: Store, desks: Iterable[Desk], new_id: Callable[[], str]) -> None:
        self.store = store
        self.desks: Mapping[str, Desk] = MappingProxyType({desk.code: desk for desk in desks})
        self.new_id = new_id
        self._rules: dict[type[Command], Rule] = {}
        for desk in self.desks.values():
            self._rules.update(desk.rules)

    def run(
        self,
        command: Command,
        *,
        by: str,
        now: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """Decides a command and commits. Followers act on its facts afterwards."""
        return self.store.decide(self.ask(command, now), by=by, at=now, cause=cause, key=key)

    def submit(
        self,
        command: Command,
        *,
        by: str,
        now: datetime,
        cause: Cause | None = None,
        key: str | None = None,
        patient: bool = False,
    ) -> Future[Outcome]:
        """Like `run`, but does not wait. `patient`: all other writes go first."""
        return self.store.submit(
            self.ask(command, now), by=by, at=now, cause=cause, key=key, patient=patient
        )

    async def run_async(
        self,
        command: Command,
        *,
        by: str,
        now: datetime,
        key: str | None = None,
    ) -> Outcome:
        """Like `run`, for callers in an event loop."""
        ask = self.ask(command, now)
        return await self.store.decide_async(ask, by=by, at=now, key=key)

    def reads(self) -> Reads:
        """Reads for display. Decisions use the reads that the store passes to `ask`."""
        return self.store.reads()

    def ask(self, command: Command, now: datetime) -> Ask:
        """Returns the decision as a function, for callers that commit more together with it."""
        rule = self._rules[type(command)]

        def ask(reads: Reads) -> Decision:
            return rule.decide(rule.load(reads, command), command, now)

        return ask
