"""The faster event loop is used where there is one, and not missed where there is none."""

import asyncio
import sys

import pytest
import uvloop

from frontdesk.embedded.server import run


async def loop_in_use(found: list[type]) -> None:
    found.append(type(asyncio.get_running_loop()))


def test_the_faster_event_loop_is_used() -> None:
    found: list[type] = []
    run(loop_in_use(found))

    assert found == [uvloop.Loop]


def test_where_it_does_not_exist_the_plain_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    found: list[type] = []
    run(loop_in_use(found))

    assert uvloop.Loop not in found
    assert len(found) == 1
