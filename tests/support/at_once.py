"""Runs calls in threads that begin at the same time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from frontdesk.core.decision import Command
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.errors import Busy
from tests.support.desk import DrivenDesk

TRIES = 50


def all_at_once(calls: Sequence[Callable[[], object]]) -> list[Any]:
    begin = threading.Barrier(len(calls))

    def one(call: Callable[[], object]) -> object:
        begin.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def run_until_answered(desk: DrivenDesk, command: Command) -> Outcome:
    """Repeats a busy command, as a browser would."""
    for _ in range(TRIES):
        try:
            return desk.run(command)
        except Busy:
            continue
    raise AssertionError(f"{command} is never answered")


def run_at_once(desk: DrivenDesk, commands: Sequence[Command]) -> list[Outcome]:
    return all_at_once([partial(run_until_answered, desk, each) for each in commands])


def facts_at_once(desk: DrivenDesk, commands: Sequence[Command]) -> Counter[str]:
    """Runs all commands at once; returns the kinds of their facts."""
    committed = (one for one in run_at_once(desk, commands) if isinstance(one, Committed))
    return Counter(each.fact.kind for one in committed for each in one.facts)
