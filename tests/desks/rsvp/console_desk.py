"""An RSVP desk with its console, and members who are signed in to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette

from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.admin.desk import first_link, new_nonce
from frontdesk.desks.rsvp.model import EventId
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build, web_app
from tests.support.browser import Answer, Browser
from tests.support.rsvp import NINE, RsvpDesk

EVENTS = "/console/events"


@dataclass
class ConsoleDesk:
    desk: RsvpDesk
    app: Starlette

    @property
    def url(self) -> str:
        return f"{EVENTS}/{self.desk.event_id}"

    def guest_url(self, who: str) -> str:
        return f"{self.url}/guests/{self.desk.id(who)}"

    def owner(self) -> Host:
        product = self.desk.product
        link = first_link(
            product.engine, product.keys, product.settings.base_url, self.desk.clock.now()
        )
        return self._let_in(link)

    def host(self, name: str, role: Role = Role.HOST, event_id: str = "") -> Host:
        """Invites a host of this event, or a member with another role, and signs in with the link
        in the mail."""
        new_id = self.desk.product.engine.new_id
        self.desk.do(
            InviteMember(
                MemberId(new_id()),
                PersonId(new_id()),
                name.title(),
                f"{name}@example.org",
                role,
                event_id or (self.desk.event_id if role is Role.HOST else ""),
                new_nonce(),
            )
        )
        text = self.desk.mail_to(name)[-1].text
        return self._let_in(next(line for line in text.splitlines() if line.startswith("http")))

    def _let_in(self, link: str) -> Host:
        browser = Host(self.app, self.desk.product.settings.base_url)
        answer = browser.post(urlsplit(link).path)
        assert answer.status == 303, answer.says
        return browser

    def dump(self) -> list[str]:
        db = self.desk._db()
        try:
            return list(db.iterdump())
        finally:
            db.close()


class Host(Browser):
    """Fills in the forms of the console as a browser does."""

    def send(self, page: str, action: str | None = None, **changed: str | None) -> Answer:
        """Sends the form on a page with some fields changed (None leaves a field out); returns the
        next page."""
        answer = self.press(page, action, **changed)
        return self.open(answer.location) if answer.status == 303 else answer

    def press(self, page: str, action: str | None = None, **changed: str | None) -> Answer:
        """Does the same without following the redirect."""
        fields = form_fields(self.get(page).text, action or page) | changed
        return self.post(action or page, **{k: v for k, v in fields.items() if v is not None})

    def act(self, page: str, action: str, **fields: str) -> Answer:
        """Posts any fields with the token of a page; returns the next page."""
        return self.submit(page, action, **fields)


def form_fields(html: str, action: str) -> dict[str, str | None]:
    """Returns the fields of the form that posts to this address."""
    for found in re.finditer(r"<form\b[^>]*>.*?</form>", html, re.DOTALL):
        head = found[0].partition(">")[0]
        if 'method="post"' in head and f'action="{unescape(action)}"' in head:
            parser = _Fields()
            parser.feed(found[0])
            return dict(parser.found)
    raise AssertionError(f"no form posts to {action}")


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        name = has.get("name", "")
        match tag:
            case "input" if name and has.get("type") in ("checkbox", "radio"):
                if "checked" in has:
                    self.found[name] = has.get("value", "on")
            case "input" if name:
                self.found[name] = has.get("value", "")
            case "textarea":
                self._area = name
                self.found[name] = ""
            case "select":
                self._select = name
            case "option" if self._select:
                if "selected" in has or self._select not in self.found:
                    self.found[self._select] = has.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.found[self._area] = self.found[self._area].removeprefix("\n")
            self._area = ""
        if tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.found[self._area] += data


def error_at(answer: Answer, field: str) -> str:
    found = re.search(rf'id="f-{field}-error">(.*?)</p>', answer.text, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[1])).split()) if found else ""


def multipart(
    fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]
) -> tuple[bytes, str]:
    """Returns a body and its content type."""
    parts = [
        f'--x\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    parts += [
        f'--x\r\ncontent-disposition: form-data; name="{name}"; filename="{filename}"\r\n'
        "content-type: application/octet-stream\r\n\r\n".encode()
        + body
        + b"\r\n"
        for name, (filename, body) in files.items()
    ]
    return b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x"


@contextmanager
def console_desk(folder: Path, **settings: Any) -> Iterator[ConsoleDesk]:
    clock = VirtualClock(NINE)
    given = {"base_url": "http://desk.example", **settings}
    product = build(Settings(data_dir=folder, **given), clock=clock)
    desk = RsvpDesk(product, clock, EventId(product.engine.new_id()), {})
    try:
        yield ConsoleDesk(desk, web_app(product))
    finally:
        product.close()
