"""Puts the product together. The only file that chooses adapters."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.channels.smtp import SmtpChannel
from frontdesk.core.ids import new_id
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channel
from frontdesk.desks.rsvp.desk import rsvp_desk
from frontdesk.desks.rsvp.mails import Office
from frontdesk.desks.rsvp.react import Mailroom
from frontdesk.desks.rsvp.tell import telling
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.keys import link_keys
from frontdesk.engine.live import Hub
from frontdesk.engine.works import Works
from frontdesk.settings import Settings
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.web.colours import DEFAULT_ACCENT
from frontdesk.web.screen import Look, Screen
from frontdesk.web.site import Site

DATA_FILE = "frontdesk.db"


@dataclass(frozen=True, slots=True)
class Frontdesk:
    """The whole product on one machine, ready to be served, driven or asked."""

    settings: Settings
    clock: Clock
    keys: Keys
    store: SqliteStore
    engine: Engine
    works: Works
    site: Site

    def close(self) -> None:
        self.store.close()


def fresh_id() -> str:
    return new_id(os.urandom(16))


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
    keys = link_keys(settings.data_dir)
    store = SqliteStore(data_file(settings.data_dir), desks=(RSVP,))
    office = Office(
        base_url=settings.base_url,
        business=settings.business_name,
        from_email=settings.from_email,
        keys=lambda: keys,
        mail_domain=settings.mail_domain if settings.takes_mail else "",
    )
    mailroom = Mailroom(
        ids, settings.mail_domain, settings.trusted_authserv, (settings.from_email,)
    )
    engine = Engine(store, (rsvp_desk(telling(office), mailroom, ids),), ids)
    works = Works(engine, channel or _channel(settings), chance=chance)
    hub = Hub()
    store.on_commit(hub.heard)
    screen = Screen(
        Look(settings.business_name, DEFAULT_ACCENT), desks={"rsvp": "frontdesk.desks.rsvp"}
    )
    site = Site(engine, settings, clock, keys, hub, screen)
    return Frontdesk(settings, clock, keys, store, engine, works, site)


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
