"""The product between its own mail server and another one: mail in, mail out."""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.smtp_in import SmtpListener
from frontdesk.embedded.server import smtp_listener
from frontdesk.intake.mail import MailIn
from tests.smtp_sink import SmtpSink
from tests.support.data_file import run_sql
from tests.support.rsvp import RsvpDesk
from tests.support.server import Served, serve

DOMAIN = "frontdesk.example"
PARTY = f"pottery@{DOMAIN}"
DESK = f"events@{DOMAIN}"
AUTHSERV = "mx.frontdesk.example"
#: The header that the trusted server adds to an authenticated mail.
VOUCHED = f"{AUTHSERV}; dmarc=pass header.from=example.org"


def a_mail(
    body: str = "Count me in!\n",
    *,
    sender: str = "Ann Lee <ann@example.org>",
    to: str = PARTY,
    subject: str = "Pottery?",
    message_id: str = "<one@example.org>",
    **headers: str,
) -> bytes:
    """Writes a mail as a mail program does; `in_reply_to=…` becomes the header In-Reply-To."""
    mail = EmailMessage(policy=SMTP)
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    if message_id:
        mail["Message-ID"] = message_id
    mail["Date"] = "Mon, 16 Nov 2026 01:00:00 +0000"
    mail.set_content(body)
    return mail.as_bytes()


@dataclass
class MailLane:
    """The RSVP desk behind its listener; mails that it sends arrive in the sink."""

    served: Served
    sink: SmtpSink
    port: int

    @property
    def desk(self) -> RsvpDesk:
        return self.served.desk

    def takes(
        self, raw: bytes, *, sender: str = "ann@example.org", to: str | Sequence[str] = PARTY
    ) -> dict[str, tuple[int, bytes]]:
        """Plays an SMTP conversation and settles; returns the refused recipients."""
        with smtplib.SMTP("127.0.0.1", self.port, local_hostname="me", timeout=20) as server:
            refused = server.sendmail(sender, [to] if isinstance(to, str) else list(to), raw)
        self.desk.settle()
        return refused

    def answers(self, who: str) -> list[EmailMessage]:
        """Returns the mails sent to them over SMTP, the oldest first."""
        address = f"{who}@example.org"
        return [mail.message for mail in self.sink.received if mail.rcpt_to == (address,)]

    def answer(self, who: str) -> EmailMessage:
        """Returns the only mail that was sent to them."""
        (mail,) = self.answers(who)
        return mail

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Returns the recipient and outcome of each incoming mail."""
        return [
            (str(to), str(outcome))
            for to, outcome in self.rows("SELECT recipient, outcome FROM fd_mail ORDER BY rowid")
        ]

    def guests(self) -> dict[str, str]:
        """Returns the state of everybody on the list, by address."""
        rows = self.desk.reads.guest_rows(self.desk.event_id)
        return {row.person.email: str(row.guest.state) for row in rows}

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return run_sql(self.desk.product.settings.data_dir, sql)


@contextmanager
def mail_lane(folder: Path, *, most_mails: int = 0, **settings: Any) -> Iterator[MailLane]:
    """Runs in virtual time, over real sockets on free ports.

    `most_mails` is the limit per minute for one peer, for tests that send many.
    """
    with (
        SmtpSink() as sink,
        serve(
            folder,
            channel="smtp",
            smtp_port=sink.port,
            smtp_tls="none",
            mail_in_port=25,
            mail_domain=DOMAIN,
            from_email=DESK,
            trusted_authserv=AUTHSERV,
            **settings,
        ) as served,
    ):
        listener = smtp_listener(served.desk.product)
        if most_mails:
            door = MailIn(served.desk.product)
            listener = SmtpListener(
                "127.0.0.1",
                0,
                accepts=door.accepts,
                deliver=door.deliver,
                max_mails_per_peer_per_minute=most_mails,
            )
        listener.port = 0  # any free port
        with listening(listener):
            yield MailLane(served, sink, listener.port)


@contextmanager
def listening(listener: SmtpListener) -> Iterator[None]:
    """Runs the listener in its own thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(listener.start(), loop).result(timeout=10)
        yield
        asyncio.run_coroutine_threadsafe(listener.stop(), loop).result(timeout=10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[MailLane]:
    with mail_lane(tmp_path) as lane:
        yield lane
