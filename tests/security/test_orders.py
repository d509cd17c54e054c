"""Commands on the command line, and files that only their owner can read."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from frontdesk.embedded import control
from frontdesk.simulate.scenario_file import BadScenario, read
from frontdesk.store.sqlite.backup import back_up
from frontdesk.store.sqlite.lock import LOCK_NAME, DataLock
from frontdesk.web.app import create_app
from frontdesk.wiring.one_machine import data_file
from tests.security.world import World, open_world
from tests.support.browser import Answer, Browser

TOKEN = "t" * 43
LOCAL = "127.0.0.1"


@pytest.fixture
def ordered(tmp_path: Path) -> Iterator[tuple[World, Starlette]]:
    with open_world(tmp_path) as world:
        product = world.con.desk.product
        yield world, create_app(product.site, control.routes(product, TOKEN))


def order(app: Starlette, address: str = LOCAL, **headers: str) -> Answer:
    sent = {
        "authorization": f"Bearer {TOKEN}",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    return Browser(app, "http://desk.example", address).ask(
        "POST", "/control/rotate-keys", b"{}", sent
    )


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("address", "headers"),
    [
        (LOCAL, {"authorization": ""}),
        (LOCAL, {"authorization": "Bearer "}),
        (LOCAL, {"authorization": f"Bearer {TOKEN[:-1]}"}),
        (LOCAL, {"authorization": f"Bearer {TOKEN}x"}),
        (LOCAL, {"authorization": f"Basic {TOKEN}"}),
        (LOCAL, {"authorization": "Bearer é"}),
        (LOCAL, {"x_forwarded_for": "127.0.0.1"}),
        (LOCAL, {"forwarded": "for=127.0.0.1"}),
        ("192.0.2.7", {}),
        ("::ffff:192.0.2.7", {}),
        ("testclient", {}),
    ],
)
def test_an_order_from_elsewhere_or_without_the_token_gets_a_404(
    ordered: tuple[World, Starlette], address: str, headers: dict[str, str]
) -> None:
    world, app = ordered
    before, keys = world.dump(), world.con.desk.product.keys

    assert order(app, address, **headers).status == 404
    assert (world.dump(), world.con.desk.product.keys) == (before, keys)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("name", sorted(control.ORDERS))
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'"x"', b"[" * 100_000, b"\xff", b'{"event": 7}', b'{"letters": "x"}'],
)
def test_an_odd_order_is_answered(ordered: tuple[World, Starlette], name: str, body: bytes) -> None:
    _, app = ordered
    browser = Browser(app, "http://desk.example", LOCAL)
    headers = {"authorization": f"Bearer {TOKEN}"}

    assert browser.ask("POST", f"/control/{name}", body, headers).status < 500


def test_a_good_order_is_done(ordered: tuple[World, Starlette]) -> None:
    world, app = ordered
    key = world.con.desk.product.keys.current.id

    answer = order(app)

    assert (answer.status, json.loads(answer.text)["older"]) == (200, [key])


@pytest.mark.spec("FD-29")
def test_data_keys_and_lock_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with open_world(tmp_path), DataLock(tmp_path) as lock:
            lock.serves_at("http://127.0.0.1:1", TOKEN)
            back_up(data_file(tmp_path), tmp_path / "copy.db")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)

    assert {LOCK_NAME, "frontdesk.db", "frontdesk.db-wal", "link-keys.json", "copy.db"} <= set(
        modes
    )
    assert {name for name, mode in modes.items() if mode & 0o077} == set()


# --- scenarios ------------------------------------------------------------------------------

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "\n".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]" for n in range(12)
)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "- a",
        "a: b: c",
        "!!python/object/apply:os.system ['true']",
        "about: !!python/name:os.system",
        "about: &a [*a]\nevent: *a",
        LAUGHS,
        "event: " + "[" * 200,
        "event: " + "{a: " * 1_000,
        "about: " + "x" * 150_000,
        "event: {name: x, seats: 99999999999999999999, starts: 2026-01-01 10:00}\ntimeline: []",
        "event: {seats: .nan}\ntimeline: {}",
        "? [a]\n: b",
    ],
)
def test_an_odd_scenario_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadScenario):
        read(text, "odd")
