"""Runs the server from start to stop: web, writer, followers, timers and incoming mail."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from threading import Thread
from typing import Any, Final

from frontdesk.connect.smtp_in import SmtpListener
from frontdesk.desks.admin.commands import PlanTidying
from frontdesk.desks.admin.desk import first_link
from frontdesk.embedded import control
from frontdesk.embedded.http import QuietServer, address, allow_open_files, http_server, listen
from frontdesk.embedded.runner import STOP_SECONDS, Runner, Worker
from frontdesk.errors import BadSettings, os_reason
from frontdesk.intake.mail import MailIn
from frontdesk.logs import LibraryLog, log
from frontdesk.settings import Settings
from frontdesk.store.sqlite.lock import DataLock
from frontdesk.values import Frozen, replace
from frontdesk.web.unseen_work import DelayedWork
from frontdesk.wiring.application import Application
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.desks import DESKS, switched_on
from frontdesk.wiring.one_machine import Frontdesk, build, rare_collections, web_app

#: How long a busy worker keeps the interpreter while other threads wait for it. A sign-up changes
#: threads several times, so that Python's default of 5 ms adds up beside a large import.
SWITCH_SECONDS: Final = 0.0005


def smtp_listener(back: Application) -> SmtpListener:
    settings = back.settings
    mail_in = MailIn(back)
    return SmtpListener(
        settings.mail_in_host,
        settings.mail_in_port,
        accepts=mail_in.accepts,
        deliver=mail_in.deliver,
        hostname=settings.mail_domain or "frontdesk.invalid",
    )


class MailThread:
    """Runs a listener on its own event loop in its own thread.

    A mail with very many lines keeps its loop busy for a while; pages do not wait for that.
    """

    def __init__(self, listener: SmtpListener) -> None:
        self.listener = listener
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="mail in", daemon=True)

    def start(self) -> None:
        """Raises `OSError` if the address cannot be used."""
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self.listener.start(), self._loop).result()
        except OSError:
            self._end()
            raise

    def stop(self) -> None:
        """Lets deliveries in progress finish, for some seconds."""
        stopping = asyncio.run_coroutine_threadsafe(self.listener.stop(), self._loop)
        try:
            stopping.result(STOP_SECONDS)
        finally:
            self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()


class ServedAddresses(Frozen):
    """The addresses that the command prints after the start."""

    url: str
    sign_in: str
    mail_at: str


def serve(
    settings: Settings,
    *,
    before: Callable[[Settings], None] = lambda _settings: None,
    tell: Callable[[ServedAddresses], None],
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
            for desk in DESKS:
                if switched_on(desk, settings):
                    desk.start(product.site)
            product.site.unseen_work = DelayedWork()
            allow_open_files()
            with running(product):
                server = http_server(web_app(product, control.routes(product, token)), settings)
                smtp = MailThread(smtp_listener(product)) if settings.takes_mail else None

                def started() -> None:
                    lock.serves_at(address(listener), token)
                    tell(_serving(product, smtp))

                with rare_collections():
                    run(_until_signal(server, listener, smtp, started))
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
    usual_seconds = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    runner = Runner(product.runtime, product.clock)
    runner.start()
    periodic_tasks = [_periodic_worker(task) for task in product.periodic_tasks]
    try:
        yield
    finally:
        for worker in periodic_tasks:
            worker.stop()
        runner.stop()
        for worker in periodic_tasks:
            worker.join(STOP_SECONDS)
        sys.setswitchinterval(usual_seconds)


def _periodic_worker(task: PeriodicTask) -> Worker:
    """Runs a periodic task in a worker that sleeps between turns; commits do not wake it."""

    def step() -> bool:
        task.turn()
        return False

    worker = Worker(task.name, step, wait_seconds=lambda: task.every().total_seconds())
    worker.start()
    return worker


def _serving(product: Frontdesk, smtp: MailThread | None) -> ServedAddresses:
    settings = product.settings
    sign_in = first_link(product.engine, product.keys, settings.console_at, product.clock.now())
    return ServedAddresses(settings.base_url, sign_in, _mail_at(smtp) if smtp else "")


async def _until_signal(
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
        raise BadSettings(f"Mail cannot be received at {where}: {os_reason(error)}.") from error


def _mail_at(smtp: MailThread) -> str:
    return f"{smtp.listener.host}:{smtp.listener.port}"


async def _once_up(server: QuietServer, started: Callable[[], None]) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.005)
    if server.started:
        await asyncio.to_thread(started)
