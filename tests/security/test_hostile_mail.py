"""A mail that is slow to parse delays neither pages nor the writer."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from frontdesk.connect import mime_parts
from frontdesk.connect.mail_headers import Envelope
from frontdesk.connect.smtp_in import SmtpListener
from frontdesk.core.mail import FOR_A_PERSON, NOT_ANSWERED
from frontdesk.desks.admin.reads import MailFilter
from frontdesk.embedded.server import MailThread
from frontdesk.intake.mail import MailIn
from tests.desks.rsvp.console_desk import console_desk
from tests.support.mail import DESK, a_mail


@pytest.mark.spec("FD-27", "FD-29")
def test_mail_is_parsed_neither_on_the_event_loop_nor_by_the_writer(tmp_path: Path) -> None:
    parsers: set[str] = set()
    mail = Envelope("ann@example.org", (DESK,), a_mail(to=DESK), "127.0.0.1")
    with (
        _calls_into(mime_parts.__file__, parsers),
        console_desk(tmp_path, mail_in_port=25, from_email=DESK) as con,
    ):
        asyncio.run(MailIn(con.desk.product).deliver(mail))

    assert parsers
    assert {name for name in parsers if not name.startswith("asyncio_")} == set()


@contextmanager
def _calls_into(file: str, threads: set[str]) -> Iterator[None]:
    """Collects the names of threads that call functions of this file meanwhile."""

    def note(frame: FrameType, what: str, _value: Any) -> None:
        if what == "call" and frame.f_code.co_filename == file:
            threads.add(threading.current_thread().name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.mark.spec("FD-29")
def test_the_outcome_of_a_mail_for_no_desk_is_set_when_it_is_stored(tmp_path: Path) -> None:
    with console_desk(tmp_path, mail_in_port=25, from_email=DESK) as con:
        door = MailIn(con.desk.product)
        for number, automatic in enumerate(("", "auto-replied")):
            headers = {"auto_submitted": automatic} if automatic else {}
            raw = a_mail(to=DESK, message_id=f"<{number}@example.org>", **headers)
            door.take(Envelope("ann@example.org", (DESK,), raw, ""))
        found = con.desk.product.store.reads().desk("fd").mails(MailFilter(), limit=10)

    assert {row.outcome for row in found} == {FOR_A_PERSON, f"{NOT_ANSWERED}auto-reply"}


@pytest.mark.spec("FD-27", "FD-29")
def test_mail_is_taken_in_on_another_event_loop_than_pages() -> None:
    """Mail is read line by line, and a mail may have very many lines."""
    loops: list[str] = []

    async def deliver(_mail: Envelope) -> None:
        loops.append(threading.current_thread().name)

    listener = SmtpListener("127.0.0.1", 0, accepts=lambda _address: True, deliver=deliver)
    mail = MailThread(listener)
    mail.start()
    try:
        with smtplib.SMTP("127.0.0.1", listener.port, timeout=20) as server:
            server.sendmail("ann@example.org", [DESK], a_mail(to=DESK))
    finally:
        mail.stop()

    assert loops == ["mail in"]
    assert not any(each.name == "mail in" for each in threading.enumerate())


@pytest.mark.spec("FD-29")
def test_if_the_address_cannot_be_used_no_thread_is_left() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        async def deliver(_mail: Envelope) -> None: ...

        listener = SmtpListener("127.0.0.1", port, accepts=lambda _address: True, deliver=deliver)
        with pytest.raises(OSError, match="in use"):
            MailThread(listener).start()

    assert not any(each.name == "mail in" for each in threading.enumerate())
