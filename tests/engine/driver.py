"""Runs the toy desk on a real store, with channels that fail on demand and with power cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.decision import Accepted, Command
from frontdesk.core.messages import Channel
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
from tests.support.data_file import run_sql
from tests.support.power_cuts import Fuse, FusedStore

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


class EngineDriver:
    """Runs one process after another on the same file."""

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

    def people(self, *names: str, mobile: str = "") -> EngineDriver:
        """Adds people. Those with a mobile number get texts."""
        emails = {name: f"{name}@example.org" for name in names}
        changes = tuple(
            AddPerson(PersonId(name), name.title(), email, email, mobile)
            for name, email in emails.items()
        )
        self.store.commit(Accepted(changes), by="cli", at=self.clock.now())
        return self

    def do(self, command: Command, key: str | None = None) -> Outcome:
        return self.engine.run(command, by="guest:someone", now=self.clock.now(), key=key)

    def settle(self) -> EngineDriver:
        self.runtime.settle(self.clock.now())
        return self

    def wait(self, how_long: timedelta) -> EngineDriver:
        advance(self.runtime, self.clock, self.clock.now() + how_long)
        return self

    def close(self) -> None:
        self.store.close()

    # --- state --------------------------------------------------------------------------

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
        """Settles a dead letter as the admin desk does. No other process may run."""
        sql = "UPDATE fd_dead_letter SET replayed_at = ? WHERE id = ?"
        run_sql(self._path, sql, int(at.timestamp()), letter_id)

    def letters(self) -> list[DeadLetter]:
        return list(reversed(self.store.reads().engine.dead_letters(100)))

    def complaints(self) -> list[tuple[str, str, str]]:
        return [(letter.what, letter.ref, letter.why) for letter in self.letters()]
