"""Runs a sample of `script/fuzz` without a server: no hostile request breaks a page."""

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
from frontdesk.values import replace
from frontdesk.wiring.one_machine import TABLES, data_file
from script.fuzz_run import known_parameters
from script.hostile_requests import (
    Hostile,
    Target,
    form_fields,
    hostile_requests,
    hours_ahead,
    public_forms,
)
from tests.security.world import PUBLIC_FORMS, World, open_world, parameters

REQUESTS = 2_000
SEED = 1
SECRET = "a secret that is long enough"
TEMPLATES = Path(__file__).parents[2] / "src" / "frontdesk"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    """A separate world, because requests of an owner change many rows."""
    with open_world(
        tmp_path, webhook_secret=SECRET, cal_com_secret=SECRET, calendly_secret=SECRET
    ) as world:
        yield world


def target(world: World) -> Target:
    routes = [route for route in world.con.app.routes if isinstance(route, Route)]
    tokens = (*world.links().values(), *world.visit_links().values(), world.sign_in_token())
    days, instants = hours_ahead(world.con.desk.clock.now())
    good = {
        **{name: (value,) for name, value in world.values.items()},
        "token": tokens,
        "day": days,
        "last_day": days[-1:],
        "instant": instants,
        "service_name": ("Cut",),
        "contact": ("bea@example.org", "wim@example.org", "new@example.org"),
    }
    return Target(
        routes=[(route.path, frozenset(route.methods or ())) for route in routes],
        values={
            **good,
            "tool": ("frontdesk", "cal.com", "calendly"),
            "action": ("resend", "cancel", "remove", "arrived", "move", "undo"),
            "": (*world.values.values(), *tokens),
        },
        fields=form_fields([page.read_text() for page in TEMPLATES.rglob("*.html")]),
        forms=public_forms(good),
        secret=SECRET,
    )


@pytest.mark.spec("FD-27", "FD-29")
def test_the_script_has_valid_values_for_the_parameters_of_every_desk(fresh: World) -> None:
    """Without such a value, almost all requests to a route end with a 404 before its code runs."""
    found = {name for path, _ in target(fresh).routes for name in parameters(path)}

    assert found - known_parameters() == {"digest", "name"}, "only static files have no rows"


def test_the_script_knows_the_fields_of_every_desk(fresh: World) -> None:
    """Macros write most fields; without their names, requests end at the first check."""
    known = set(target(fresh).fields)

    assert known >= {"email", "party", "earliest", "mobile", "contact", "note", "visit", "wishes"}


def test_the_script_gets_past_the_first_checks_of_every_public_form(fresh: World) -> None:
    """A form that is always refused does not test the code behind the checks."""
    whole, now = target(fresh), fresh.con.desk.clock.now()
    assert set(whole.forms) == PUBLIC_FORMS - {"/hooks/waitlist/{tool}", "/sign-in/{token}"}

    for route in sorted(whole.forms):
        only = replace(whole, routes=[(route, frozenset({"POST"}))])
        made = hostile_requests(only, SEED, lambda: "", lambda: int(now.timestamp()))
        statuses = [asyncio.run(_status(fresh, each)) for each in islice(made, 25)]
        assert min(statuses) < 400, (route, statuses)
        assert max(statuses) < 500, (route, statuses)


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
    assert "page.failed" not in capsys.readouterr().err
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
