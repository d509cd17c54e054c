"""Receives mail with the embedded SMTP listener."""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Final

from frontdesk.connect.smtp_in import SmtpListener
from frontdesk.intake.mail import MailIn
from frontdesk.wiring.application import Application

STOP_SECONDS: Final = 10.0


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
