"""The recipe for a channel: its example sends a real mail of a desk, and the page quotes the
example."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.ids import new_id
from frontdesk.core.messages import Message, SendFailed, SendLater, SendRefused, SendUnknown
from frontdesk.core.sends import SendState
from frontdesk.desks.rsvp.model import EventId
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.wiring import channels
from frontdesk.wiring.one_machine import build
from tests.examples import channel_webhook
from tests.examples.channel_webhook.channel import WebhookChannel
from tests.examples.source_lines import ROOT, lines_of, misquoted, quotes
from tests.support.rsvp import NINE, RsvpDesk

PAGE = ROOT / "docs" / "adding-a-channel.md"
MOST_LINES = 80


@dataclass
class Receiver:
    """Accepts mails and returns prepared answers. 0 closes the connection."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    requests: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    def take(self, target: str, key: str, mail: dict[str, Any]) -> int:
        self.requests.append((target, key, mail))
        return self.answers.pop(0) if self.answers else 202


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = one.take(self.path, self.headers["Idempotency-Key"], json.loads(body))
            if answer:
                self.send_response(answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        one.url = f"http://127.0.0.1:{server.server_port}/mail?team=salon"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield one
        server.shutdown()
        thread.join()


@pytest.fixture
def desk(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[RsvpDesk]:
    """Adds a line to the table of channels; the settings name it."""
    line = partial(channel_webhook.build, url=receiver.url)
    monkeypatch.setitem(channels.MAIL, "webhook", line)
    clock = VirtualClock(NINE)
    product = build(Settings(data_dir=tmp_path, channel="webhook"), clock=clock)
    with closing(product):
        yield RsvpDesk(product, clock, EventId(new_id(os.urandom(16))), {}).given(cap=4)


def sends(desk: RsvpDesk, state: SendState) -> list[tuple[str, int, str]]:
    return [(each.kind, each.attempts, each.why) for each in desk.product.store.sends_in(state, 9)]


def test_a_confirmation_of_the_desk_goes_out_through_the_channel(
    desk: RsvpDesk, receiver: Receiver
) -> None:
    desk.sign_up("ann")
    desk.settle()

    (kept,) = desk.mail_to("ann")
    mail = {
        "id": kept.message_id,
        "to": "ann@example.org",
        "subject": kept.subject,
        "text": kept.text,
    }
    assert receiver.requests == [("/mail?team=salon", kept.message_id, mail)]
    assert (kept.channel, "Pottery workshop" in kept.subject) == ("webhook", True)


def test_a_refused_recipient_gets_no_more_mail(desk: RsvpDesk, receiver: Receiver) -> None:
    receiver.answers = [410]

    desk.sign_up("ann")
    desk.wait(days=1)

    assert len(receiver.requests) == 1
    assert sends(desk, SendState.FAILED) == [("confirmed", 1, "webhook: answers with 410")]
    person = desk.product.engine.reads().engine.person(desk.guest("ann").person_id)
    assert person is not None
    assert person.bounced == "webhook: answers with 410"


def test_a_mail_with_an_unknown_outcome_is_sent_again_with_the_same_id(
    desk: RsvpDesk, receiver: Receiver
) -> None:
    receiver.answers = [0]

    desk.sign_up("ann")
    desk.wait(days=1)

    assert [target for target, _, _ in receiver.requests] == ["/mail?team=salon"] * 2
    assert receiver.requests[0] == receiver.requests[1]
    assert [kept.message_id for kept in desk.mail_to("ann")] == [receiver.requests[0][1]]


def failure(channel: WebhookChannel) -> SendFailed:
    message = Message(
        message_id="<one@frontdesk.example>",
        to_email="ann@example.org",
        from_email="events@frontdesk.example",
        subject="Hello",
        text="Hello, Ann.",
        date=datetime.fromisoformat("2026-11-16T09:00+08:00"),
    )
    with pytest.raises(SendFailed) as failed:
        channel.send(message)
    return failed.value


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        (400, SendRefused, "webhook: answers with 400"),
        (410, SendRefused, "webhook: answers with 410"),
        (429, SendLater, "webhook: answers with 429"),
        (503, SendLater, "webhook: answers with 503"),
        (0, SendUnknown, "webhook: no answer (RemoteDisconnected)"),
    ],
)
def test_each_answer_is_one_of_three_failures(
    receiver: Receiver, answer: int, kind: type[SendFailed], reason: str
) -> None:
    receiver.answers = [answer]

    failed = failure(WebhookChannel(receiver.url))

    assert (type(failed), failed.reason) == (kind, reason)
    assert getattr(failed, "about_recipient", False) is (answer == 410)


def test_without_a_connection_nothing_was_sent() -> None:
    with socket.socket() as bound_but_deaf:
        bound_but_deaf.bind(("127.0.0.1", 0))
        port = bound_but_deaf.getsockname()[1]

        failed = failure(WebhookChannel(f"http://127.0.0.1:{port}/"))

    assert type(failed) is SendLater
    assert failed.reason == "webhook: cannot connect (ConnectionRefusedError)"


def test_the_example_is_short() -> None:
    assert lines_of(Path(channel_webhook.__file__).parent) <= MOST_LINES


def test_the_page_quotes_the_example_as_it_is() -> None:
    assert misquoted(PAGE) == []
    assert len(quotes(PAGE)) > 0
