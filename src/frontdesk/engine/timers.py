"""Fires due timers; each is deleted in the commit of its command."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Command, TimerName
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Fired, Outcome
from frontdesk.engine.retries import RetryTracker
from frontdesk.logs import failure, log

TIMERS_AT_ONCE: Final = 64


class UnknownTimer(Exception):
    """No desk has a timer of this kind."""


class Timers:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tries = RetryTracker()
        self._stepped_at: datetime | None = None

    def step(self, now: datetime, *, without: str | None = None) -> bool:
        """Fires due timers, up to a limit. Returns whether there were any. Skips timers of the desk
        with the code `without`, whose own function fires them."""
        self._stepped_at = now
        due = [each for each in self._due(now, now) if each[0].partition("/")[0] != without]
        asked = [(name, due_at, self._submit(name, due_at, now)) for name, due_at in due]
        for name, due_at, outcome in asked:
            self._settle(name, due_at, outcome, now)
        return bool(due)

    def next_at(self) -> datetime | None:
        """Returns when the next timer is due, or a failed one is retried."""
        rested_at = self._tries.next_at(self._stepped_at)
        if self._stepped_at is None or rested_at is None:
            return self._engine.store.next_timer_at()
        before = self._due(rested_at, self._stepped_at)
        return min((due_at for _, due_at in before), default=rested_at)

    def _due(self, by: datetime, now: datetime) -> list[tuple[TimerName, datetime]]:
        """Returns the timers that are due by an instant, except those that wait for a retry."""
        limit = TIMERS_AT_ONCE + self._tries.count_paused(now)
        due = self._engine.store.due_timers(by, limit)
        return [each for each in due if not self._tries.is_paused(each[0], now)]

    def fire(self, name: TimerName, due_at: datetime, now: datetime) -> bool:
        """Fires one timer. A call that is early, repeated or after its deletion does no harm.

        Returns whether its command was answered: False if it is early, or if that failed.
        """
        return due_at <= now and self._settle(name, due_at, self._submit(name, due_at, now), now)

    def repeat(self, name: TimerName, due_at: datetime, now: datetime) -> None:
        """Runs the command of a timer that became a dead letter again."""
        self._engine.run(self._command(name, due_at), by="timer", now=now)

    def _submit(self, name: TimerName, due_at: datetime, now: datetime) -> Future[Outcome]:
        try:
            command = self._command(name, due_at)
            return self._engine.submit(command, by="timer", now=now, cause=Fired(name, due_at))
        except Exception as error:
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return failed

    def _command(self, name: TimerName, due_at: datetime) -> Command:
        code, _, rest = name.partition("/")
        desk = self._engine.desks.get(code)
        ask = desk.timers.get(rest.partition("/")[0]) if desk else None
        if ask is None:
            raise UnknownTimer(name)
        return ask(name, due_at)

    def _settle(
        self, name: TimerName, due_at: datetime, outcome: Future[Outcome], now: datetime
    ) -> bool:
        try:
            outcome.result()
        except Exception as error:
            why = failure(error)
            log("timer.failed", timer=name, why=why)
            if self._tries.count_failure(name, now) is None:
                ref = f"{name} {due_at.isoformat()}"
                self._engine.store.add_dead_letter(
                    "timer", ref, why, at=now, cause=Fired(name, due_at)
                )
            return False
        self._tries.worked(name)
        return True
