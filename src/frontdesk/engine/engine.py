"""Runs any desk: a command is answered by its desk's rule and committed by the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from datetime import datetime
from types import MappingProxyType

from frontdesk.core.decision import Command, Decision
from frontdesk.engine.desk import Desk, Rule
from frontdesk.engine.ports import Ask, Cause, Outcome, Reads, Store


class Engine:
    """Knows no desk by name: it has their tables."""

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
        """Decide and commit. What has to be said or done next follows from the facts."""
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
        """`run`, without waiting for it. `patient`: others may go first, where many wait."""
        return self.store.submit(
            self.ask(command, now), by=by, at=now, cause=cause, key=key, patient=patient
        )

    async def run_async(
        self,
        command: Command,
        *,
        by: str,
        now: datetime,
        cause: Cause | None = None,
        key: str | None = None,
    ) -> Outcome:
        """`run`, for an event loop."""
        ask = self.ask(command, now)
        return await self.store.decide_async(ask, by=by, at=now, cause=cause, key=key)

    def reads(self) -> Reads:
        """For showing, not for deciding."""
        return self.store.reads()

    def ask(self, command: Command, now: datetime) -> Ask:
        """The question to the desk, for who has more to commit with its answer."""
        rule = self._rules[type(command)]

        def ask(reads: Reads) -> Decision:
            return rule.decide(rule.load(reads, command), command, now)

        return ask
