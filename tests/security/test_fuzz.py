"""A sample of what `script/fuzz` sends to a server, without one: nothing hostile breaks a page."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from starlette.routing import Route
from starlette.types import Message

from frontdesk.doctor import check_up
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from script.fuzz_run import known_parameters
from script.hostile_requests import Hostile, Target, form_fields, hostile_requests
from tests.security.world import World, open_world, parameters

REQUESTS = 2_000
SEED = 1
SECRET = "a secret that is long enough"
TEMPLATES = Path(__file__).parents[2] / "src" / "frontdesk"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    """A separate server: requests of an owner change many rows."""
    with open_world(
        tmp_path, webhook_secret=SECRET, cal_com_secret=SECRET, calendly_secret=SECRET
    ) as world:
        yield world


def target(world: World) -> Target:
    routes = [route for route in world.con.app.routes if isinstance(route, Route)]
    good = {name: (value,) for name, value in world.values.items()}
    tokens = (*world.links().values(), world.sign_in_token())
    return Target(
        routes=[(route.path, frozenset(route.methods or ())) for route in routes],
        values={
            **good,
            "token": tokens,
            "tool": ("frontdesk", "cal.com", "calendly"),
            "action": ("resend", "cancel", "remove", "arrived", "move", "undo"),
            "": (*world.values.values(), *tokens),
        },
        fields=form_fields([page.read_text() for page in TEMPLATES.rglob("*.html")]),
        secret=SECRET,
    )


@pytest.mark.spec("FD-27", "FD-29")
def test_the_script_has_valid_values_for_the_parameters_of_every_desk(fresh: World) -> None:
    """Without one, almost all requests to a route end with a 404 before its code runs."""
    found = {name for path, _ in target(fresh).routes for name in parameters(path)}

    assert found - known_parameters() == {"digest", "name"}, "only static files have no rows"


@pytest.mark.spec("FD-27", "FD-29")
def test_no_hostile_request_breaks_a_page(fresh: World, capsys: pytest.CaptureFixture[str]) -> None:
    desk = fresh.con.desk
    now = desk.clock.now
    csrf = fresh.owner.get("/console/team").csrf
    made = hostile_requests(target(fresh), SEED, lambda: csrf, lambda: int(now().timestamp()))
    asked: Counter[str] = Counter()
    broken: list[tuple[int, Hostile]] = []

    for hostile in islice(made, REQUESTS):
        asked[hostile.pattern] += 1
        status = asyncio.run(_status(fresh, hostile))
        if status >= 500:
            broken.append((status, hostile))
    desk.settle()

    assert broken == []
    assert set(asked) == {pattern for pattern, _ in target(fresh).routes}
    assert "a page broke" not in capsys.readouterr().err
    with open_view(data_file(desk.product.settings.data_dir), TABLES) as view:
        found = check_up(view, now(), served=False).problems
    assert [each for each in found if "could not be processed" not in each] == []


async def _status(world: World, hostile: Hostile) -> int:
    """Calls the application directly and does not wait for the end of a stream."""
    parts = urlsplit(hostile.path)
    headers = {"host": "desk.example", "origin": "http://desk.example", **hostile.headers}
    if hostile.as_member:
        cookies = world.owner.cookies.items()
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in cookies)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": hostile.method,
        "scheme": "http",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("192.0.2.7", 50000),
        "server": ("desk.example", 80),
    }
    answered = asyncio.Event()
    status = 0

    async def receive() -> Message:
        return {"type": "http.request", "body": hostile.body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        status = status or message.get("status", 0)
        if message["type"] == "http.response.body":
            answered.set()

    page = asyncio.ensure_future(world.con.app(scope, receive, send))
    first = asyncio.ensure_future(answered.wait())
    await asyncio.wait({page, first}, return_when=asyncio.FIRST_COMPLETED)
    for task in (page, first):
        task.cancel()
    await asyncio.gather(page, first, return_exceptions=True)
    return status or 599
