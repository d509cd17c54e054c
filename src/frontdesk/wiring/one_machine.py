"""Builds the product for one machine: a data file, and everything in one process."""

from __future__ import annotations

import contextlib
import gc
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import asdict
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.channels.slack import check as check_slack
from frontdesk.connect.models.port import LanguageModel
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channel
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.engine.keys import link_keys
from frontdesk.errors import BadSettings
from frontdesk.reading.ocr import tesseract
from frontdesk.settings import Settings
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.web.app import create_app
from frontdesk.web.limits import Limits
from frontdesk.web.site import Site
from frontdesk.wiring import console
from frontdesk.wiring.application import Application, build_application, fresh_id
from frontdesk.wiring.channels import MAIL, channels, sms_channel, this_machine
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.desks import DESKS, switched_on
from frontdesk.wiring.embeddings import nearest_on_this_machine
from frontdesk.wiring.model import of_this_machine
from frontdesk.wiring.site import home, public_routes, site_on
from frontdesk.wiring.text_reports import watch_reports

DATA_FILE: Final = "frontdesk.db"
TABLES: Final = tuple(desk.sqlite() for desk in DESKS)
#: The number of new objects between garbage collections. A request leaves hardly any cycles behind.
#: With Python's default of 700, collections take a twentieth of its time, and a quarter of a
#: simulation's.
OBJECTS_BETWEEN_COLLECTIONS: Final = 10_000


class Frontdesk(Application):
    """The whole product on one machine, with its site and periodic tasks."""

    site: Site
    periodic_tasks: tuple[PeriodicTask, ...] = ()

    @property
    def keys(self) -> Keys:
        """Returns the current keys for links; they rotate at run time."""
        return self.site.keys


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    channel: Channel | None = None,
    texts: Channel | None = None,
    model: LanguageModel | None = None,
    ids: Callable[[], str] = fresh_id,
    chance: Callable[[], float] = random.random,
    durable: bool = True,
) -> Frontdesk:
    """Opens the data file in `settings.data_dir`; the caller holds its lock. A simulation needs no
    `durable` commits, and is faster without."""
    check_slack(settings)
    mail = channel or _mail_channel(settings)
    sms = texts or sms_channel(settings, this_machine(settings))
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = SqliteStore(data_file(settings.data_dir), desks=TABLES, durable=durable)
    back = build_application(
        settings,
        store,
        channels(mail, sms),
        lambda: site.keys,
        clock or SystemClock(),
        ids=ids,
        chance=chance,
        model=model or of_this_machine(settings),
        pictures=tesseract,
        nearest=nearest_on_this_machine(settings),
    )
    keys = link_keys(settings.data_dir)
    site = site_on(back, lambda: keys, Limits())
    installed = [(desk, desk.install(back, site)) for desk in DESKS]
    tasks = [each for desk, found in installed if switched_on(desk, settings) for each in found]
    if settings.texts_by == "sns":
        tasks.append(watch_reports(back, lambda: this_machine(settings).client("logs")))
    return Frontdesk(**asdict(back), site=site, periodic_tasks=tuple(tasks))


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Collects garbage rarely, and never the objects of the start, which live until the end."""
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def web_app(product: Frontdesk, more: Sequence[BaseRoute] = ()) -> Starlette:
    """Returns the whole site; `more` are the server's own routes."""
    settings = product.settings
    routes = [home(), *public_routes(settings), *console.routes(product), *more]
    app = create_app(product.site, routes)
    console.install_console(app, settings)
    return app


def data_file(data_dir: Path) -> Path:
    return data_dir / DATA_FILE


def _mail_channel(settings: Settings) -> Channel:
    if settings.channel == "ses":
        raise BadSettings("channel should be mailbox or smtp: ses is for AWS.")
    return MAIL[settings.channel](settings, this_machine(settings))
