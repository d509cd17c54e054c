"""Each desk can be switched off alone: then neither messages nor pages link to its pages."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.routing import Match
from starlette.types import Scope

from frontdesk.core.messages import Message, Text
from frontdesk.core.sends import Send, SendState
from frontdesk.desks.admin.desk import first_link
from frontdesk.embedded.demo import fill, for_demo
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.desk import SendNow
from frontdesk.settings import Settings
from frontdesk.wiring.desks import DESKS, closed_pages
from frontdesk.wiring.one_machine import Frontdesk, build, web_app
from tests.desks.rsvp.console_desk import Host

BASE = "http://desk.example"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
NAMES = [desk.name for desk in DESKS if desk.name != "admin"]
#: The pages of each desk have their own address, as on AWS.
APART = {
    "waitlist_url": "https://list.example",
    "claims_url": "https://claims.example",
    "booking_url": "https://book.example",
    "replies_url": "https://replies.example",
    "console_url": "https://console.example",
}
LINK = re.compile(r'(?:href|action|formaction)="([^"]+)"')
URL = re.compile(r"https?://[^\s\"'<>]+")
#: Copies of messages stay as they were sent, and so do the facts of the audit.
AS_SENT = re.compile(r"/console/messages/[^/]+(/html|/source)?$|/console/audit")
MOST_PAGES = 400


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates the demo business, which uses all four desks."""
    folder = tmp_path_factory.mktemp("demo")
    fill(Settings(data_dir=folder, base_url=BASE), NOON)
    return folder


def opened(demo: Path, folder: Path, off: str, **more: Any) -> Frontdesk:
    shutil.copytree(demo, folder / "data")
    settings = Settings(data_dir=folder / "data", base_url=BASE, desks_off=off, **more)
    return build(for_demo(settings), clock=VirtualClock(NOON))


def all_sends(product: Frontdesk) -> list[Send]:
    return [
        send for state in SendState for send in product.engine.store.sends_in(state, limit=100_000)
    ]


def rendered(product: Frontdesk) -> Iterator[tuple[str, str]]:
    """Yields every past message as it would be written today, with its kind."""
    reads = product.engine.reads()
    for send in all_sends(product):
        said = product.engine.desks[send.desk].delivery.render(reads, send, send.due_at)
        if isinstance(said, SendNow):
            yield f"{send.desk}/{send.kind}", " ".join(parts_of(said.message))


def parts_of(message: Message | Text) -> Iterator[str]:
    yield message.text
    if isinstance(message, Message):
        yield message.html or ""
        yield (message.calendar or b"").decode().replace("\r\n ", "")


@pytest.mark.parametrize("more", [{}, APART], ids=["one-machine", "addresses-apart"])
@pytest.mark.parametrize("off", NAMES)
def test_no_message_links_to_a_desk_that_is_off(
    demo: Path, tmp_path: Path, off: str, more: dict[str, str]
) -> None:
    product = opened(demo, tmp_path, off, **more)
    closed = [each for each in closed_pages(product.settings) if each.startswith("http")]
    kinds: Counter[str] = Counter()
    dead: set[tuple[str, str]] = set()
    for kind, text in rendered(product):
        kinds[kind] += 1
        urls = {unescape(each).rstrip(".,") for each in URL.findall(text)}
        dead |= {(kind, url) for url in urls if url.startswith(tuple(closed))}
    product.close()

    assert dead == set()
    assert len(kinds) > 20


@pytest.mark.timeout(300)
@pytest.mark.parametrize("off", NAMES)
def test_no_page_links_to_a_desk_that_is_off(demo: Path, tmp_path: Path, off: str) -> None:
    """Visits all pages of the console, and opens every link in messages."""
    product = opened(demo, tmp_path, off)
    app = web_app(product)
    host = Host(app, BASE)
    owner = first_link(product.engine, product.keys, BASE, NOON)
    links = sorted(set(links_in_messages(product)))
    assert host.post(owner.removeprefix(BASE)).status == 303

    def leads_somewhere(url: str) -> bool:
        scope: Scope = {"type": "http", "method": "GET", "path": url, "root_path": ""}
        return any(route.matches(scope)[0] is not Match.NONE for route in app.routes)

    addresses = count(int(IPv4Address("192.0.2.1")), 256)
    seen, ahead, dead = set[str](), ["/console", *links], set[tuple[str, str]]()
    while ahead and len(seen) < MOST_PAGES + len(links):
        page = ahead.pop(0)
        host.address = str(IPv4Address(next(addresses)))  # rate limits would stop one address
        answer = host.get(page)
        assert answer.status != 429
        if "html" not in answer.headers.get("content-type", ""):
            continue
        for url in {own_path(unescape(each)) for each in LINK.findall(answer.text)} - {""}:
            path = urlsplit(url).path
            if not leads_somewhere(path):
                dead.add((page, url))
            elif path not in seen and path.startswith("/console") and not AS_SENT.match(path):
                seen.add(path)
                ahead.append(url)
    product.close()

    assert dead == set()
    assert len(seen) > 40
    assert len(links) > 40


@pytest.mark.parametrize("off", ["", *NAMES])
def test_a_desk_that_is_off_posts_nothing_in_slack(demo: Path, tmp_path: Path, off: str) -> None:
    """Each post would link to a page of its desk."""
    slack = {"slack_channel": "C1", "slack_token": "xoxb-1", "slack_signing_secret": "s" * 32}
    product = opened(demo, tmp_path, off, **slack)
    found = {each.name for each in product.runtime.followers if each.name.endswith(".slack")}
    product.close()

    posting = {"waitlist": "wl.slack", "reminders": "ar.slack"}
    assert found == {name for desk, name in posting.items() if desk != off}


def own_path(url: str) -> str:
    """Returns the path of an address of ours; empty for any other."""
    if url.startswith(f"{BASE}/"):
        return url.removeprefix(BASE)
    return url if url.startswith("/") and not url.startswith("//") else ""


def links_in_messages(product: Frontdesk) -> Iterator[str]:
    reads = product.engine.reads()
    for send in all_sends(product):
        kept = reads.engine.sent_message(send.id)
        found = URL.findall(kept.text) if kept else []
        yield from (own_path(url) for url in found if url.startswith(f"{BASE}/l/"))
