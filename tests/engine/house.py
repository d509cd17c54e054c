"""An installation with the toy desk: a real store, channels that fail on demand, and power cuts."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.decision import Accepted, Command
from frontdesk.core.messages import Channel, Message, SendFailed, Text
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.core.sends import Send, SendState, Via
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.desk import Desk
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.health import Diagnostics
from frontdesk.engine.ports import DeadLetter, Outcome, Store
from frontdesk.engine.runtime import Runtime, advance
from frontdesk.store.sqlite.store import SqliteStore
from tests.engine.bell import BELL, Bell, open_store

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


class PowerCut(BaseException):
    """The process is gone, at once."""


class Fuse:
    """Blows after a number of commits."""

    def __init__(self, commits: int | None = None) -> None:
        self._left = commits

    def burn(self) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise PowerCut


class FusedStore:
    """A store whose process dies right after a commit: the rows are on disk, but no listener was
    called."""

    def __init__(self, store: Store, fuse: Fuse) -> None:
        self._store = store
        self._fuse = fuse

    def decide(self, *args: Any, **named: Any) -> Outcome:
        outcome = self._store.decide(*args, **named)
        self._fuse.burn()
        return outcome

    def submit(self, *args: Any, patient: bool = False, **named: Any) -> Future[Outcome]:
        answer: Future[Outcome] = Future()
        try:
            answer.set_result(self.decide(*args, **named))
        except Exception as error:
            answer.set_exception(error)
        return answer

    def pass_over(self, *args: Any) -> None:
        self._store.pass_over(*args)
        self._fuse.burn()

    def bury(self, *args: Any, **named: Any) -> None:
        self._store.bury(*args, **named)
        self._fuse.burn()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@dataclass
class Post:
    """A channel for mail or texts that accepts messages and fails on demand."""

    local: bool = False
    name: str = "post"
    failures: list[SendFailed | BaseException] = field(default_factory=list)
    delivered: list[Message | Text] = field(default_factory=list)
    lose_answers: bool = False
    """Delivers the message and then fails."""

    def send(self, message: Message | Text) -> str | None:
        failure = self.failures.pop(0) if self.failures else None
        if failure is None or self.lose_answers:
            self.delivered.append(message)
        if failure is not None:
            raise failure
        return None

    def times(self) -> Counter[str]:
        return Counter(message.message_id for message in self.delivered)


class House:
    """Runs one process after another on one file."""

    def __init__(
        self,
        path: Path,
        *,
        channel: Channel | None = None,
        texts: Channel | None = None,
        desk: Desk = BELL,
        bindings: Iterable[Binding] = (),
        fuse: Fuse | None = None,
        chance: Callable[[], float] = lambda: 0.5,
        now: datetime = NINE,
    ) -> None:
        self._path = path
        self.store: SqliteStore = open_store(path)
        self.clock = VirtualClock(now)
        store = cast(Store, FusedStore(self.store, fuse or Fuse()))
        self.engine = Engine(store, [desk], new_id=lambda: "unused")
        channels = {Via.MAIL: channel or MailboxChannel(), Via.TEXT: texts or MailboxChannel()}
        self.runtime = Runtime(self.engine, channels, chance=chance, bindings=bindings)

    def people(self, *names: str, mobile: str = "") -> House:
        """People with a mobile number get texts."""
        emails = {name: f"{name}@example.org" for name in names}
        changes = tuple(
            AddPerson(PersonId(name), name.title(), email, email, mobile)
            for name, email in emails.items()
        )
        self.store.commit(Accepted(changes), by="cli", at=self.clock.now())
        return self

    def do(self, command: Command, key: str | None = None) -> Outcome:
        return self.engine.run(command, by="guest:someone", now=self.clock.now(), key=key)

    def settle(self) -> House:
        self.runtime.settle(self.clock.now())
        return self

    def wait(self, how_long: timedelta) -> House:
        advance(self.runtime, self.clock, self.clock.now() + how_long)
        return self

    def close(self) -> None:
        self.store.close()

    # --- what can be seen ---------------------------------------------------------------

    def bell(self, bell: str = "door") -> Bell:
        return self.store.reads().desk("bl").bell(bell)  # type: ignore[no-any-return]

    def prizes(self) -> dict[tuple[str, int], str]:
        return self.store.reads().desk("bl").prizes()  # type: ignore[no-any-return]

    def person(self, name: str) -> Person:
        person = self.store.reads().engine.person(name)
        assert person is not None
        return person

    def ledger(self) -> list[Send]:
        sends = [send for state in SendState for send in self.store.sends_in(state, 1000)]
        return sorted(sends, key=lambda send: send.key)

    def states(self) -> dict[str, str]:
        return {send.key: send.state.value for send in self.ledger()}

    def texts(self) -> dict[str, str]:
        reads = self.store.reads().engine
        kept = {send.key: reads.sent_message(send.id) for send in self.ledger()}
        return {key: message.text for key, message in kept.items() if message}

    def diagnostics(self) -> Diagnostics:
        return self.store.diagnostics(self._settle_letter)

    def _settle_letter(self, letter_id: int, at: datetime) -> None:
        """Settles a dead letter as the admin desk does. Nothing else is running."""
        sql = "UPDATE fd_dead_letter SET replayed_at = ? WHERE id = ?"
        db = sqlite3.connect(self._path)
        with db:
            db.execute(sql, (int(at.timestamp()), letter_id))
        db.close()

    def letters(self) -> list[DeadLetter]:
        return list(reversed(self.store.reads().engine.dead_letters(100)))

    def complaints(self) -> list[tuple[str, str, str]]:
        return [(letter.what, letter.ref, letter.why) for letter in self.letters()]
