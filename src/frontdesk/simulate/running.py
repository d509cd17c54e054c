"""Runs the whole product in virtual time on a real data file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from frontdesk.core.decision import Command, Refused
from frontdesk.core.messages import Channel
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Outcome
from frontdesk.engine.runtime import advance
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import Frontdesk, build, data_file


class Running(AbstractContextManager["Running"]):
    """`ids` and `chance` make every run reproducible."""

    def __init__(
        self,
        settings: Settings,
        start: datetime,
        *,
        channel: Channel | None = None,
        texts: Channel | None = None,
        ids: Callable[[], str],
        chance: Callable[[], float] = lambda: 0.5,
    ) -> None:
        self.clock = VirtualClock(start)
        self._settings = settings
        self._channel = channel
        self._texts = texts
        self._ids = ids
        self._chance = chance
        self.product = self._open()

    def _open(self) -> Frontdesk:
        return build(
            self._settings,
            clock=self.clock,
            channel=self._channel,
            texts=self._texts,
            ids=self._ids,
            chance=self._chance,
        )

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.product.close()

    def __enter__(self) -> Self:
        return self

    def restart(self) -> None:
        """Simulates a crash: the process ends and another takes over."""
        self.product.close()
        self._begin_again()

    def forget_places(self) -> None:
        """Makes all followers start again at the first fact."""
        self.product.close()
        with self.data() as db, db:
            db.execute("DELETE FROM fd_follower")
        self._begin_again()

    def _begin_again(self) -> None:
        self.product = self._open()
        self.product.runtime.start(self.clock.now())

    def data(self) -> closing[sqlite3.Connection]:
        """Opens the data file."""
        return closing(sqlite3.connect(data_file(self._settings.data_dir)))

    def pass_until(self, at: datetime) -> None:
        advance(self.product.runtime, self.clock, at)

    def settle(self) -> None:
        self.product.runtime.settle(self.clock.now())

    def run(self, command: Command, *, by: str) -> Outcome:
        """Commits a command; `settle` or `pass_until` runs its followers."""
        return self.product.engine.run(command, by=by, now=self.clock.now())


def refused(outcome: Outcome | None) -> str:
    """Returns the reason for a refusal; empty if the command was accepted."""
    match outcome:
        case None:
            return "not on the list"
        case Refused(reason):
            return reason.value.replace("_", " ")
        case _:
            return ""


def server_settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, base_url="http://frontdesk.example")


def sent_by_kind(db: sqlite3.Connection, where: str) -> dict[str, int]:
    rows = db.execute(
        f"SELECT kind, count(*) FROM fd_send WHERE {where} GROUP BY kind ORDER BY kind"
    )
    return dict(rows.fetchall())
