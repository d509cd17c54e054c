"""Provides calendars to read: files as other programs write them, a server of files, and a real
CalDAV server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import urllib3
from radicale import config
from radicale.app import Application

from tests.support.vendor_server import Reply, Request, answering, running


def event(uid: str, title: str, start: str = "20261116T070000Z", *more: str) -> str:
    """Builds an event of one hour, unless `more` says otherwise."""
    lines = ["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{title}"]
    at = start if start.startswith(("DTSTART", ";")) else f":{start}"
    lines.append(at if at.startswith("DTSTART") else f"DTSTART{at}")
    return "\r\n".join([*lines, *(more or ("DURATION:PT1H",)), "END:VEVENT", ""])


def calendar(*events: str) -> str:
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + "".join(events) + "END:VCALENDAR\r\n"


@dataclass
class FeedServer:
    """Serves a file with an ETag and records the requests."""

    url: str = ""
    text: str = field(default_factory=calendar)
    status: int = 200
    location: str = ""
    authorization: str | None = None
    answers: list[int] = field(default_factory=list)
    asked_with: list[str | None] = field(default_factory=list)
    body: bytes | None = None

    def answer(self, headers: Mapping[str, str]) -> tuple[int, bytes]:
        self.asked_with.append(headers.get("authorization"))
        if self.status != 200:
            return self.status, b""
        if headers.get("if-none-match") == self.etag:
            return 304, b""
        return 200, self.text.encode() if self.body is None else self.body

    @property
    def etag(self) -> str:
        return f'"{hash(self.text)}"'


@contextmanager
def feed_server() -> Iterator[FeedServer]:
    served = FeedServer()

    def reply(request: Request) -> Reply:
        status, body = served.answer(request.headers)
        served.answers.append(status)
        where = {"Location": served.location} if served.location else {}
        return Reply(status, body, {"ETag": served.etag, **where})

    with answering(reply) as address:
        served.url = f"{address}/openings.ics"
        yield served


@dataclass
class Radicale:
    """A real CalDAV server. `after` makes the next request of this method fail after it was done,
    `instead` without doing it; both map a method to a status. Calls `done` with the method of each
    completed request before its answer."""

    url: str
    after: dict[str, int] = field(default_factory=dict)
    instead: dict[str, int] = field(default_factory=dict)
    done: Callable[[str], None] = lambda _method: None
    http: urllib3.PoolManager = field(default_factory=urllib3.PoolManager)

    def put(self, name: str, text: str) -> None:
        self._ask("PUT", f"{self.url}/{name}.ics", text.encode(), {"content-type": "text/calendar"})

    def text(self, name: str) -> str:
        auth = urllib3.make_headers(basic_auth="mia:secret")
        return self.http.request("GET", f"{self.url}/{name}.ics", headers=auth).data.decode()

    def delete(self, name: str) -> None:
        self._ask("DELETE", f"{self.url}/{name}.ics")

    def make(self) -> None:
        self._ask("MKCALENDAR", self.url)

    def _ask(
        self, method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> None:
        auth = urllib3.make_headers(basic_auth="mia:secret")
        answer = self.http.request(
            method, url, body=body, headers={**auth, **(headers or {})}, timeout=30, retries=False
        )
        assert answer.status in (200, 201, 204), (method, answer.status, answer.data)


@contextmanager
def radicale_server(folder: Path) -> Iterator[Radicale]:
    """Starts a server on which Mia has a calendar with the password 'secret'."""
    (folder / "users").write_text("mia:secret\n")
    settings = config.load()
    settings.update(
        {
            "auth": {
                "type": "htpasswd",
                "htpasswd_filename": str(folder / "users"),
                "htpasswd_encryption": "plain",
                "delay": "0",
            },
            "storage": {"filesystem_folder": str(folder / "collections")},
        },
        "test",
    )
    logging.getLogger("radicale").setLevel(logging.CRITICAL)

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    app = Application(settings)
    server = Radicale("")

    def failing(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        for orders in (server.instead, server.after):
            if method in orders:
                status = orders.pop(method)
                if orders is server.after:
                    list(app(environ, lambda *_: None))
                start_response(f"{status} x", [("Retry-After", "120")] if status == 503 else [])
                return []
        answer = app(environ, start_response)
        server.done(method)
        return answer

    with running(make_server("127.0.0.1", 0, failing, handler_class=Quiet)) as port:
        server.url = f"http://127.0.0.1:{port}/mia/openings"
        server.make()
        yield server
