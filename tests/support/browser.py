"""A browser without JavaScript that calls the application directly: cookies, forms, redirects.

Work after a response is done when the call returns.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from starlette.applications import Starlette
from starlette.types import Message

from frontdesk.values import Frozen
from frontdesk.web.unseen_work import Work

FORM = "application/x-www-form-urlencoded"


class Answer(Frozen):
    status: int
    headers: Mapping[str, str]
    set_cookies: tuple[str, ...]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def location(self) -> str:
        return self.headers["location"]

    @property
    def heading(self) -> str:
        found = re.search(r"<h1\b[^>]*>(.*?)</h1>", self.text, re.DOTALL)
        return _plain(found[1]) if found else ""

    @property
    def says(self) -> str:
        """Returns the visible text on one line."""
        return _plain(re.sub(r"<(script|style|title)\b.*?</\1>", " ", self.text, flags=re.DOTALL))

    @property
    def flash(self) -> str:
        found = re.search(r'<span class="flash-says">(.*?)</span></span>', self.text, re.DOTALL)
        return _plain(found[1]) if found else ""

    @property
    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.text)
        assert found, "the page has no form that posts"
        return found[1]


@dataclass
class Browser:
    """Calls one application. `sends` are headers of every request, as a browser adds them."""

    app: Starlette
    base_url: str
    address: str = "192.0.2.7"
    cookies: dict[str, str] = field(default_factory=dict)
    sends: dict[str, str] = field(default_factory=dict)

    def get(self, url: str, **headers: str) -> Answer:
        return self.ask("GET", url, headers=headers)

    def open(self, url: str) -> Answer:
        """Opens an address and follows redirects; returns the last page."""
        answer = self.get(url)
        for _ in range(5):
            if answer.status != 303:
                return answer
            answer = self.get(answer.location)
        raise AssertionError(f"{url} leads in circles")

    def post(self, url: str, **fields: str) -> Answer:
        """Posts a form as from our own page, with the headers of a browser."""
        body = urlencode(fields).encode()
        headers = {"content-type": FORM, "origin": self.base_url, "sec-fetch-site": "same-origin"}
        return self.ask("POST", url, body, {**headers, **self.sends})

    def submit(self, page: str, url: str, **fields: str) -> Answer:
        """Opens a page, sends a form of it and returns the page that follows."""
        answer = self.post(url, csrf=self.get(page).csrf, **fields)
        return self.open(answer.location) if answer.status == 303 else answer

    def ask(
        self,
        method: str,
        url: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return asyncio.run(self._ask(method, url, body, headers or {}))

    async def _ask(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        parts, ours = urlsplit(url), urlsplit(self.base_url)
        sent = {"host": ours.netloc, "user-agent": "Firefox/140.0 Linux", **headers}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": ours.scheme,
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": (self.address, 50000),
            "server": (ours.hostname, ours.port or 80),
        }
        received: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            received.append(message)

        await self.app(scope, receive, send)
        return self._answer(received)

    def _answer(self, received: list[Message]) -> Answer:
        start, *rest = received
        pairs = [(name.decode().lower(), value.decode()) for name, value in start["headers"]]
        cookies = tuple(value for name, value in pairs if name == "set-cookie")
        for cookie in cookies:
            self._keep(cookie)
        body = b"".join(message.get("body", b"") for message in rest)
        return Answer(start["status"], dict(pairs), cookies, body)

    def _keep(self, cookie: str) -> None:
        for name, morsel in SimpleCookie(cookie).items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


class HeldWork:
    """Collects work after responses and starts it on demand."""

    def __init__(self) -> None:
        self.works: list[Work] = []

    async def run(self, work: Work) -> None:
        self.works.append(work)

    async def begin(self) -> None:
        for work in self.works:
            await work()
