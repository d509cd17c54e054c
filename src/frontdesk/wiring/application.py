"""Builds the application without web pages: desks, engine, followers, delivery."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from frontdesk.connect.models.port import LanguageModel
from frontdesk.connect.models.writer import Writer
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
from frontdesk.engine.health import Accounts, Health, HourlyCount, health
from frontdesk.engine.ports import Store
from frontdesk.engine.replay import Replay, replay
from frontdesk.engine.runtime import Runtime
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.context import DeskContext
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.ids import fresh_id
from frontdesk.wiring.model import WatchedModel, reader_with
from frontdesk.wiring.troubles import Troubles

if TYPE_CHECKING:
    from frontdesk.reading.model import PictureReader


class HomeStore(Store, Protocol):
    """A store that also reports its health."""

    def accounts(self, settled: Callable[[int, datetime], None]) -> Accounts: ...


class Application(Frozen):
    """The application without pages: runs commands, followers, timers and delivery."""

    settings: Settings
    clock: Clock
    store: HomeStore
    engine: Engine
    runtime: Runtime
    bad_signatures: HourlyCount
    broken_pages: HourlyCount
    writer: Writer | None
    """Writes and chooses with a language model, if there is one."""
    troubles: Troubles
    model: WatchedModel | None

    def replay(self, letter_id: int, by: str) -> Replay:
        """Replays a dead letter."""

        def settled(letter_id: int, at: datetime) -> None:
            self.engine.run(SettleProblem(letter_id, replayed=True), by=by, now=at)

        accounts = self.store.accounts(settled)
        return replay(self.runtime, accounts, letter_id, by=by, now=self.clock.now())

    def health(self) -> Health:
        accounts = self.store.accounts(lambda _letter_id, _at: None)
        fd: AdminReads = self.engine.reads().desk("fd")
        troubles = [WORDS[each.part].what for each in fd.troubles() if each.is_shown]
        now = self.clock.now()
        return health(
            accounts, self.runtime.followers, self.bad_signatures, self.broken_pages, now, troubles
        )

    def try_part(self, part: Part) -> bool:
        """Retries an external system that has failed; returns whether it works."""
        return part is Part.MODEL and self.model is not None and self.model.is_reachable()

    def close(self) -> None:
        self.store.close()


def build_application(
    settings: Settings,
    store: HomeStore,
    channels: Channels,
    keys: Callable[[], Keys],
    clock: Clock,
    *,
    claim_keys: Callable[[], Keys] | None = None,
    ids: Callable[[], str] = fresh_id,
    chance: Callable[[], float] = random.random,
    model: LanguageModel | None = None,
    pictures: Callable[[], PictureReader | None] = lambda: None,
) -> Application:
    """`keys` returns the current keys for links; they rotate at run time. `claim_keys` does so for
    links about the waitlist, if these have their own.

    `model` is optional: it reads requests beside the rules, drafts thank-you notes, and writes a
    paragraph about the waitlist's month.
    """
    troubles = Troubles(clock)
    watched = WatchedModel(model, troubles) if model else None
    writer = Writer(watched) if watched else None
    context = DeskContext(
        settings=settings,
        reads=store.reads,
        clock=clock,
        keys=keys,
        claim_keys=claim_keys or keys,
        ids=ids,
        texts=channels.get(Via.TEXT),
        writer=writer,
        reader=partial(reader_with, watched) if watched else None,
        pictures=pictures,
    )
    built = [desk.build(context) for desk in DESKS]
    engine = troubles.engine = Engine(store, [each.desk for each in built], ids)
    bindings = [binding for each in built for binding in each.bindings]
    runtime = Runtime(
        engine, channels, chance=chance, bindings=bindings, text_rules=text_rules(settings)
    )
    return Application(
        settings,
        clock,
        store,
        engine,
        runtime,
        HourlyCount(),
        HourlyCount(),
        writer,
        troubles,
        watched,
    )
