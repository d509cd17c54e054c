"""How the server shares the interpreter: the faster event loop, and short turns for threads."""

import asyncio
import sys
from pathlib import Path

import pytest
import uvloop

from frontdesk.embedded.server import SWITCH_SECONDS, run, running
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build


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


def test_no_worker_keeps_the_interpreter_long_while_somebody_signs_up(tmp_path: Path) -> None:
    before = sys.getswitchinterval()
    product = build(Settings(data_dir=tmp_path))
    try:
        with running(product):
            served_with = sys.getswitchinterval()
    finally:
        product.close()

    assert served_with == pytest.approx(SWITCH_SECONDS)
    assert served_with < before
    assert sys.getswitchinterval() == before
