"""Runs the server from start to stop: web, writer, followers, timers and incoming mail."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from frontdesk.desks.admin.commands import PlanTidying
from frontdesk.desks.admin.desk import first_link
from frontdesk.embedded import control
from frontdesk.embedded.http import QuietServer, address, allow_open_files, http_server, listen
from frontdesk.embedded.mail_in import MailThread, smtp_listener
from frontdesk.embedded.runner import STOP_SECONDS, Runner
from frontdesk.embedded.worker import Worker
from frontdesk.errors import BadSettings, os_reason
from frontdesk.logs import LibraryLog, log
from frontdesk.settings import Settings
from frontdesk.store.sqlite.lock import DataLock
from frontdesk.values import Frozen, replace
from frontdesk.web.unseen_work import Later
from frontdesk.wiring.one_machine import Frontdesk, build, web_app
from frontdesk.wiring.periodic_tasks import PeriodicTask


class Serving(Frozen):
    """The addresses that the command prints after the start."""

    url: str
    sign_in: str
    mail_at: str


def serve(
    settings: Settings,
    *,
    before: Callable[[Settings], None] = lambda _settings: None,
    tell: Callable[[Serving], None],
) -> None:
    """Serves until a signal. `before` runs when the directory is locked and nothing is open yet.

    Raises `AlreadyRunning` or `BadSettings` if it cannot start.
    """
    logging.basicConfig(handlers=[LibraryLog()])
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with DataLock(settings.data_dir) as lock, contextlib.closing(listen(settings)) as listener:
        settings = reachable(settings, address(listener))
        before(settings)
        product = build(settings)
        token = secrets.token_urlsafe(32)
        try:
            product.engine.run(PlanTidying(), by="start", now=product.clock.now())
            product.slot_intake.documents.open()
            product.site.unseen_work = Later()
            allow_open_files()
            with running(product):
                server = http_server(web_app(product, control.routes(product, token)), settings)
                smtp = MailThread(smtp_listener(product)) if settings.takes_mail else None

                def started() -> None:
                    lock.serves_at(address(listener), token)
                    tell(_serving(product, smtp))

                run(_until_told(server, listener, smtp, started))
        finally:
            product.close()
            log("server.stopped")


def reachable(settings: Settings, served_at: str) -> Settings:
    """Uses the real address for links unless the settings have another."""
    if settings.base_url == Settings().base_url:
        return replace(settings, base_url=served_at)
    return settings


def run(main: Coroutine[Any, Any, None]) -> None:
    """Uses uvloop if it is installed, since it is faster."""
    try:
        import uvloop
    except ModuleNotFoundError:
        asyncio.run(main)
    else:
        uvloop.run(main)


@contextlib.contextmanager
def running(product: Frontdesk) -> Iterator[None]:
    """Runs followers, timers, jobs, delivery and periodic tasks, each in its own thread."""
    runner = Runner(product.runtime, product.clock)
    runner.start()
    periodic_tasks = [_at_work(task) for task in product.periodic_tasks]
    try:
        yield
    finally:
        for worker in periodic_tasks:
            worker.stop()
        runner.stop()
        for worker in periodic_tasks:
            worker.join(STOP_SECONDS)


def _at_work(task: PeriodicTask) -> Worker:
    """Runs a periodic task in a worker that sleeps between turns; commits do not wake it."""

    def step() -> bool:
        task.turn()
        return False

    worker = Worker(task.name, step, wait_seconds=lambda: task.every().total_seconds())
    worker.start()
    return worker


def _serving(product: Frontdesk, smtp: MailThread | None) -> Serving:
    settings = product.settings
    sign_in = first_link(product.engine, product.keys, settings.console_at, product.clock.now())
    return Serving(settings.base_url, sign_in, _mail_at(smtp) if smtp else "")


async def _until_told(
    server: QuietServer,
    listener: socket.socket,
    smtp: MailThread | None,
    started: Callable[[], None],
) -> None:
    """Serves until a signal. A first signal stops in order, a second one at once."""

    def told() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, told)
    if smtp is not None:
        await _listening(smtp)
    try:
        await asyncio.gather(server.serve([listener]), _once_up(server, started))
    finally:
        if smtp is not None:
            await asyncio.to_thread(smtp.stop)


async def _listening(smtp: MailThread) -> None:
    try:
        await asyncio.to_thread(smtp.start)
    except OSError as error:
        where = _mail_at(smtp)
        raise BadSettings(f"Mail cannot be taken in at {where}: {os_reason(error)}.") from error


def _mail_at(smtp: MailThread) -> str:
    return f"{smtp.listener.host}:{smtp.listener.port}"


async def _once_up(server: QuietServer, started: Callable[[], None]) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.005)
    if server.started:
        await asyncio.to_thread(started)
