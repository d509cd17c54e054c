"""Puts the product together. The only file that chooses adapters."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Final, Literal, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.channels.smtp import SmtpChannel
from frontdesk.core.ids import new_id
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channel
from frontdesk.core.sends import Send
from frontdesk.desks.house import console as house_console
from frontdesk.desks.house import pages as house_pages
from frontdesk.desks.house import tell as house_tell
from frontdesk.desks.house.commands import SettleProblem
from frontdesk.desks.house.console.business import look_of
from frontdesk.desks.house.desk import house_desk
from frontdesk.desks.house.facts import PersonErased
from frontdesk.desks.house.model import Business, Keep
from frontdesk.desks.rsvp import console as rsvp_console
from frontdesk.desks.rsvp import pages as rsvp_pages
from frontdesk.desks.rsvp import tell as rsvp_tell
from frontdesk.desks.rsvp.desk import rsvp_desk
from frontdesk.desks.rsvp.mails import Office
from frontdesk.desks.rsvp.pages.shelf import NAME as SHELF
from frontdesk.desks.rsvp.pages.shelf import Shelf
from frontdesk.desks.rsvp.react import Mailroom, give_up_places
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.engine.desk import Drop, Say, Telling
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.health import BadSignatures, Health, health
from frontdesk.engine.keys import link_keys
from frontdesk.engine.live import Hub
from frontdesk.engine.ports import Reads
from frontdesk.engine.replay import Replay, replay
from frontdesk.engine.works import Works
from frontdesk.settings import Settings
from frontdesk.store.sqlite.house import HOUSE
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.web import links
from frontdesk.web.app import create_app
from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.console_shell import Shell, furnish
from frontdesk.web.screen import Look, Screen
from frontdesk.web.site import Site

DATA_FILE: Final = "frontdesk.db"
TABLES: Final = (RSVP, HOUSE)
#: What one desk does about another's facts.
BINDINGS: Final = (Binding("ev.from_house", {PersonErased: give_up_places}),)


@dataclass(frozen=True, slots=True)
class Frontdesk:
    """The whole product on one machine, ready to be served, driven or asked."""

    settings: Settings
    clock: Clock
    store: SqliteStore
    engine: Engine
    works: Works
    site: Site
    bad_signatures: BadSignatures

    @property
    def keys(self) -> Keys:
        """Those that sign now; they are exchanged while it runs."""
        return self.site.keys

    def replay(self, letter_id: int, by: str) -> Replay:
        """A dead letter is tried once more, because somebody asks."""
        now = self.clock.now()

        def settled(letter_id: int, at: datetime) -> None:
            self.engine.run(SettleProblem(letter_id, replayed=True), by=by, now=at)

        return replay(self.works, self.store.accounts(settled), letter_id, by=by, now=now)

    def health(self) -> Health:
        accounts = self.store.accounts(lambda _letter_id, _at: None)
        return health(accounts, self.works.followers, self.bad_signatures, self.clock.now())

    def close(self) -> None:
        self.store.close()


class FreshIds:
    """Random, behind the time in milliseconds: new rows then lie next to each other on the disk.

    The system is asked for chance once in a while and not for each: every call of it gives the
    interpreter away.
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


def put_together(
    settings: Settings,
    *,
    clock: Clock | None = None,
    channel: Channel | None = None,
    ids: Callable[[], str] = fresh_id,
    chance: Callable[[], float] = random.random,
) -> Frontdesk:
    """Opens the data file in `settings.data_dir`, which the caller has locked."""
    clock = clock or SystemClock()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = SqliteStore(data_file(settings.data_dir), desks=TABLES)
    mailroom = Mailroom(
        ids, settings.mail_domain, settings.trusted_authserv, (settings.from_email,)
    )
    office = Office(
        base_url=settings.base_url,
        business=settings.business_name,
        from_email=settings.from_email,
        keys=lambda: site.keys,
        mail_domain=settings.mail_domain if settings.takes_mail else "",
        answering=mailroom.answering,
    )
    house_office = house_tell.Office(
        base_url=settings.base_url,
        from_email=settings.from_email,
        business_name=settings.business_name,
        keys=lambda: site.keys,
    )
    desks = (
        rsvp_desk(_in_the_name_of_the_business(office), mailroom, ids),
        house_desk(
            house_office,
            Keep(mail_days=settings.keep_mail_days, messages_days=settings.keep_messages_days),
        ),
    )
    engine = Engine(store, desks, ids)
    works = Works(engine, channel or _channel(settings), chance=chance, bindings=BINDINGS)
    hub = Hub()
    store.on_commit(hub.heard)
    screen = Screen(
        Look(settings.business_name, DEFAULT_ACCENT),
        desks={"rsvp": "frontdesk.desks.rsvp", "house": "frontdesk.desks.house"},
    )
    bad_signatures = BadSignatures()
    site = Site(
        engine,
        settings,
        clock,
        link_keys(settings.data_dir),
        hub,
        screen,
        bad_link=lambda: bad_signatures.seen(clock.now()),
    )
    screen.wear(look_of(engine.reads(), settings))
    shelf = Shelf()
    store.on_commit(shelf.heard)
    site.memory[SHELF] = shelf
    return Frontdesk(settings, clock, store, engine, works, site, bad_signatures)


def _in_the_name_of_the_business(office: Office) -> Telling:
    """Mails bear the name, the colour and the words that the business has now."""

    def render(reads: Reads, send: Send, now: datetime) -> Say | Drop:
        business: Business = reads.desk("fd").business()
        present = replace(
            office,
            business=business.name or office.business,
            from_name=business.sender_name,
            accent=business.accent,
            wording=reads.desk("ev").wording,
        )
        return rsvp_tell.render(present, reads, send, now)

    return replace(rsvp_tell.telling(office), render=render)


def web_app(product: Frontdesk, more: Sequence[BaseRoute] = ()) -> Starlette:
    """The whole site; `more` is what a front door adds of its own."""
    office = house_console.BackOffice(product.health, product.replay)
    app = create_app(
        product.site,
        [
            Route("/", _to_the_console, methods=["GET"]),
            *routes(),
            *house_pages.routes(),
            *rsvp_console.routes(),
            *house_console.routes(office),
            *more,
        ],
    )
    furnish(
        app,
        Shell(
            nav=(*house_console.NAV, *rsvp_console.NAV),
            today=(house_console.TODAY, rsvp_console.TODAY),
            places=(rsvp_console.PLACES,),
            hostable=(rsvp_console.HOSTABLE,),
            settings=rsvp_console.SETTINGS,
            addresses=(rsvp_console.addresses(product.settings.mail_domain),),
        ),
    )
    return app


def routes() -> list[BaseRoute]:
    """What guests see, and the one route for the links that they were sent."""
    return [*rsvp_pages.routes(), *links.routes(rsvp_pages.LINKS)]


async def _to_the_console(_request: Request) -> Response:
    return RedirectResponse("/console", 303)


def data_file(data_dir: Path) -> Path:
    return data_dir / DATA_FILE


def _channel(settings: Settings) -> Channel:
    if settings.channel == "mailbox":
        return MailboxChannel()
    return SmtpChannel(
        settings.smtp_host,
        settings.smtp_port,
        username=settings.smtp_user,
        password=settings.smtp_password,
        tls=cast(Literal["starttls", "implicit", "none"], settings.smtp_tls),
    )
