"""Builds the application without web pages: desks, engine, followers, delivery."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

from frontdesk.connect.models.port import LanguageModel
from frontdesk.core.ids import new_id
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channels
from frontdesk.core.sends import Via
from frontdesk.core.text_rules import text_rules
from frontdesk.desks.admin.commands import SettleProblem
from frontdesk.desks.admin.model import Part
from frontdesk.desks.admin.reads import AdminReads
from frontdesk.desks.admin.trouble_words import WORDS
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.health import Diagnostics, Health, HourlyCount, health
from frontdesk.engine.ports import Store
from frontdesk.engine.replay import Replay, replay
from frontdesk.engine.runtime import Runtime
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.context import DeskContext
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.model import WatchedModel, reader_with
from frontdesk.wiring.troubles import Troubles
from frontdesk.wiring.unreached_people import UnreachedPeople

if TYPE_CHECKING:
    from frontdesk.connect.embeddings.port import Names, NearestNames
    from frontdesk.reading.model import PictureReader


class FreshIds:
    """Creates ids from the time in milliseconds and random bytes: new rows are adjacent on disk.

    Reads random bytes in batches, since every system call releases the interpreter lock.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._chance = b""

    def __call__(self) -> str:
        with self._turn:
            if not self._chance:
                self._chance = os.urandom(4000)
            chance, self._chance = self._chance[:10], self._chance[10:]
        return new_id((time.time_ns() // 1_000_000).to_bytes(6) + chance)


fresh_id: Final = FreshIds()


class MonitoredStore(Store, Protocol):
    """A store that also reports its health."""

    def diagnostics(self, settled: Callable[[int, datetime], None]) -> Diagnostics: ...


class Application(Frozen):
    """The application without pages: runs commands, followers, timers and delivery."""

    settings: Settings
    clock: Clock
    store: MonitoredStore
    engine: Engine
    runtime: Runtime
    bad_signatures: HourlyCount
    broken_pages: HourlyCount
    troubles: Troubles
    model: WatchedModel | None

    def replay(self, letter_id: int, by: str) -> Replay:
        def settled(letter_id: int, at: datetime) -> None:
            self.engine.run(SettleProblem(letter_id, replayed=True), by=by, now=at)

        diagnostics = self.store.diagnostics(settled)
        return replay(self.runtime, diagnostics, letter_id, by=by, now=self.clock.now())

    def health(self) -> Health:
        diagnostics = self.store.diagnostics(lambda _letter_id, _at: None)
        reads, now = self.engine.reads(), self.clock.now()
        fd: AdminReads = reads.desk("fd")
        troubles = [WORDS[each.part].what for each in fd.troubles() if each.is_shown]
        for desk in self.engine.desks.values():
            troubles += desk.alarms(reads, now)
        return health(
            diagnostics,
            self.runtime.followers,
            self.bad_signatures,
            self.broken_pages,
            now,
            troubles,
        )

    def try_part(self, part: Part) -> bool:
        """Retries an external system that has failed; returns whether it works."""
        return part is Part.MODEL and self.model is not None and self.model.is_reachable()

    def out_of_reach(self) -> int:
        """Counts people who cannot be reached until texts go out again."""
        unreached = UnreachedPeople(lambda: self.engine, text_rules(self.settings))
        return unreached.count(self.engine.reads(), self.clock.now())

    def close(self) -> None:
        self.store.close()


def build_application(
    settings: Settings,
    store: MonitoredStore,
    channels: Channels,
    keys: Callable[[], Keys],
    clock: Clock,
    *,
    claim_keys: Callable[[], Keys] | None = None,
    ids: Callable[[], str] = fresh_id,
    chance: Callable[[], float] = random.random,
    model: LanguageModel | None = None,
    pictures: Callable[[], PictureReader | None] = lambda: None,
    nearest: Callable[[Callable[[], Names]], NearestNames | None] = lambda _names: None,
) -> Application:
    """`keys` returns the current keys for links; they rotate at run time. `claim_keys` does so for
    links about the waitlist, if these have their own.

    `model` is optional: it reads requests beside the rules, drafts thank-you notes, and writes a
    paragraph about the waitlist's month.
    """
    troubles = Troubles(clock)
    watched = WatchedModel(model, troubles) if model else None
    context = DeskContext(
        settings=settings,
        reads=store.reads,
        engine=lambda: engine,
        clock=clock,
        keys=keys,
        claim_keys=claim_keys or keys,
        ids=ids,
        texts=channels.get(Via.TEXT),
        model=watched,
        reader=partial(reader_with, watched) if watched else None,
        pictures=pictures,
        nearest=nearest,
    )
    built = [desk.build(context) for desk in DESKS]
    engine = troubles.engine = Engine(store, [each.desk for each in built], ids)
    runtime = Runtime(
        engine,
        channels,
        chance=chance,
        bindings=[binding for each in built for binding in each.bindings],
        text_rules=text_rules(settings),
        tell_spending=troubles.texts_spent,
    )
    return Application(
        settings, clock, store, engine, runtime, HourlyCount(), HourlyCount(), troubles, watched
    )
