"""Runs the whole product in virtual time on a real data file, with channels that fail on demand."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from frontdesk.core.decision import Command, Refused
from frontdesk.core.messages import Channel, Message, SendLater, SendRefused, SendUnknown, Text
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.engine.runtime import advance
from frontdesk.settings import Settings
from frontdesk.simulate.scenario import Moment
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.wiring.one_machine import Frontdesk, build, data_file

#: The kind of a moment that is a message.
MESSAGE: Final = "message"
NO_SUCH_MAILBOX: Final = "550 no such mailbox"
_LINK: Final = re.compile(r"https?://\S+")


class Simulation(AbstractContextManager["Simulation"]):
    """`ids` and `chance` make every run reproducible. `heard` gets the facts of every commit."""

    def __init__(
        self,
        settings: Settings,
        start: datetime,
        *,
        channel: Channel | None = None,
        texts: Channel | None = None,
        ids: Callable[[], str],
        chance: Callable[[], float] = lambda: 0.5,
        heard: Callable[[Sequence[Recorded]], None] | None = None,
    ) -> None:
        self.clock = VirtualClock(start)
        self._settings = settings
        self._channel = channel
        self._texts = texts
        self._ids = ids
        self._chance = chance
        self._heard = heard
        self.product = self._open()

    def _open(self) -> Frontdesk:
        product = build(
            self._settings,
            clock=self.clock,
            channel=self._channel,
            texts=self._texts,
            ids=self._ids,
            chance=self._chance,
            durable=False,
        )
        if self._heard is not None:
            product.engine.store.on_commit(self._heard)
        return product

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
        self.flush()
        return closing(sqlite3.connect(data_file(self._settings.data_dir)))

    def flush(self) -> None:
        """Makes sure that other connections to the data file see all commits."""
        if isinstance(self.product.store, SqliteStore):
            self.product.store.flush()

    def advance_until(self, at: datetime) -> None:
        advance(self.product.runtime, self.clock, at)

    def settle(self) -> None:
        self.product.runtime.settle(self.clock.now())

    def run(self, command: Command, *, by: str) -> Outcome:
        """Commits a command; `settle` or `advance_until` runs its followers."""
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


class MessageLog:
    """Reports each message once."""

    def __init__(self) -> None:
        self._last = 0

    def new(self, db: sqlite3.Connection) -> Iterator[Moment]:
        """Yields the messages since the last call."""
        rows = db.execute(
            "SELECT rowid, sent_at, to_name, to_mobile, subject, text FROM fd_message"
            " WHERE rowid > ? ORDER BY rowid",
            (self._last,),
        ).fetchall()
        for self._last, sent_at, name, mobile, subject, text in rows:
            said = f"Text to {name}: {_LINK.sub('(link)', text)}" if mobile else None
            words = " ".join((said or f"Mail to {name}: {subject}").split())
            yield Moment(datetime.fromtimestamp(sent_at, UTC), MESSAGE, words)


class Crash(BaseException):
    """Simulates a crash of the process. Code below must not catch it."""


@dataclass
class SimulatedMail:
    """A mail server that can fail. If `local`, it never fails and keeps the mail."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    taken: Counter[str] = field(default_factory=Counter)
    """How often it took each mail, by its Message-ID."""
    name: Final[str] = "simulation"

    def send(self, message: Message) -> None:
        if self.is_down:
            raise SendLater("the mail server does not answer")
        if message.to_email in self.refuses:
            raise SendRefused(NO_SUCH_MAILBOX, about_recipient=True)
        self.taken[message.message_id] += 1


@dataclass
class SimulatedTexts:
    """A phone network that can fail; the sets have the numbers for which it does."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    loses: set[str] = field(default_factory=set)
    """For these numbers the outcome of a send is unknown."""
    crashes: set[str] = field(default_factory=set)
    """The process crashes during the next text to one of these numbers."""
    taken: Counter[str] = field(default_factory=Counter)
    """How often it took each text, by its id."""
    name: Final[str] = "simulation"

    def send(self, message: Text) -> None:
        if self.is_down:
            raise SendLater("the phone network does not answer")
        if message.to_mobile in self.crashes:
            self.crashes.remove(message.to_mobile)
            raise Crash
        if message.to_mobile in self.loses:
            raise SendUnknown("the connection was lost")
        if message.to_mobile in self.refuses:
            raise SendRefused("there is no such number", about_recipient=True)
        self.taken[message.message_id] += 1
