"""The product behind a real HTTP server on a free port, and a visitor without JavaScript."""

from __future__ import annotations

import re
import socket
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlencode, urljoin

import urllib3
import uvicorn
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from starlette.applications import Starlette

from frontdesk.desks.rsvp.model import EventId
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.web.app import create_app
from frontdesk.wiring.one_machine import Frontdesk, build, web_app
from frontdesk.wiring.site import public_routes
from tests.support.rsvp import NINE, RsvpDesk

START_SECONDS = 20
FORM = "application/x-www-form-urlencoded"


class Page(Frozen):
    """A response, as plain HTTP brings it."""

    status: int
    headers: Mapping[str, str]
    body: str
    url: str

    @property
    def heading(self) -> str:
        return self._text("h1")

    @property
    def says(self) -> str:
        """Returns the visible text on one line."""
        main = self.body.partition("<main")[2].partition("</main>")[0]
        return _plain(f"<main{main}")

    @property
    def buttons(self) -> list[str]:
        return [_plain(found) for found in re.findall(r"<button[^>]*>(.*?)</button>", self.body)]

    @property
    def fields(self) -> dict[str, str]:
        """Returns the values of inputs by name."""
        parser = _Fields()
        parser.feed(self.body)
        return parser.found

    def error_at(self, field: str) -> str:
        found = re.search(rf'id="f-{field}-error">(.*?)</p>', self.body, re.DOTALL)
        return _plain(found[1]) if found else ""

    def _text(self, tag: str) -> str:
        found = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", self.body, re.DOTALL)
        return _plain(found[1]) if found else ""


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag in ("input", "select") and names.get("name"):
            self.found[names["name"] or ""] = names.get("value") or ""


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@dataclass
class Visitor:
    """Follows redirects as a browser does, and runs no script."""

    base_url: str
    http: urllib3.PoolManager

    def get(self, url: str, **headers: str) -> Page:
        return self.send("GET", url, headers=headers)

    def head(self, url: str) -> Page:
        return self.send("HEAD", url)

    def post(self, url: str, **fields: object) -> Page:
        """Posts a form and returns the page that follows."""
        page = self.send("POST", url, urlencode(fields).encode(), {"content-type": FORM})
        return self.get(page.headers["location"]) if page.status == 303 else page

    def send(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        address = urljoin(self.base_url, url)
        answer = self.http.request(
            method, address, body=body, headers=headers, redirect=False, timeout=30, retries=False
        )
        names = {name.lower(): value for name, value in answer.headers.items()}
        return Page(answer.status, names, answer.data.decode("utf-8"), address)


@dataclass
class Served:
    """The RSVP desk, its server and one visitor."""

    desk: RsvpDesk
    visitor: Visitor

    @property
    def base_url(self) -> str:
        return self.visitor.base_url

    def link(self, who: str, label: str) -> str:
        """Returns the address below a label, in the text of the latest mail to somebody that has
        it."""
        for mail in reversed(self.desk.mail_to(who)):
            lines = mail.text.splitlines()
            for line, address in pairwise(lines):
                if label.lower() in line.lower() and address.startswith("http"):
                    return address
        raise AssertionError(f"no mail to {who} has a link {label!r}")

    def dump(self) -> list[str]:
        """Returns all stored rows, to check that nothing has changed."""
        path = self.desk.product.settings.data_dir / "frontdesk.db"
        with sqlite3.connect(path) as db:
            lines = list(db.iterdump())
        db.close()
        return lines


class _Compiled(BytecodeCache):
    """Keeps compiled templates for all servers of a test run."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


@contextmanager
def serve(
    folder: Path, *, console: bool = False, start: datetime = NINE, **settings: Any
) -> Iterator[Served]:
    """Runs in virtual time; `desk.settle()` or `desk.wait()` do the work that follows a commit."""
    clock = VirtualClock(start)
    with port() as (listener, base_url):
        product = build(Settings(data_dir=folder, base_url=base_url, **settings), clock=clock)
        desk = RsvpDesk(product, clock, EventId(product.engine.new_id()), {})
        try:
            app = (
                web_app(product)
                if console
                else create_app(product.site, public_routes(product.settings))
            )
            with answering(product, app, listener, base_url) as visitor:
                yield Served(desk, visitor)
        finally:
            product.close()


@contextmanager
def port() -> Iterator[tuple[socket.socket, str]]:
    """Yields a listener on a free port, and its address."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        yield listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def answering(
    product: Frontdesk, app: Starlette, listener: socket.socket, base_url: str
) -> Iterator[Visitor]:
    product.site.renderer.templates.bytecode_cache = _Compiled()
    config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    http = urllib3.PoolManager(maxsize=16)
    try:
        yield Visitor(base_url, http)
    finally:
        http.clear()
        server.should_exit = True
        thread.join(START_SECONDS)
        assert not thread.is_alive(), "the server did not stop"


def sign_up(served: Served, who: str, **more: object) -> Page:
    return served.visitor.post(
        "/e/pottery", **{"name": who.title(), "email": f"{who}@example.org"} | more
    )
