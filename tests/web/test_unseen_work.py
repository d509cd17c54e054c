"""The time of an answer does not show which work it causes."""

from __future__ import annotations

import asyncio

import pytest

from frontdesk.web.unseen_work import LEAST_SECONDS, DelayedWork, PaddedWork


@pytest.mark.spec("FD-29")
def test_on_a_server_the_answer_is_sent_before_the_work_begins() -> None:
    done: list[str] = []

    async def asked() -> list[str]:
        later = DelayedWork(pause_seconds=lambda: 0)

        async def work() -> None:
            done.append("work")

        await later.run(work)
        answered = [*done, "answer"]
        await asyncio.gather(*later.tasks)
        return answered

    assert asyncio.run(asked()) == ["answer"]
    assert done == ["work"]


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("takes", [0.0, 0.05, LEAST_SECONDS])
def test_a_function_takes_the_same_time_whatever_is_done(takes: float) -> None:
    now = 100.0

    async def passes(seconds: float) -> None:
        nonlocal now
        now += seconds

    padded = PaddedWork(clock=lambda: now, sleep=passes)
    asyncio.run(padded.run(lambda: passes(takes)))

    assert now == pytest.approx(100 + LEAST_SECONDS)


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("way", [DelayedWork(pause_seconds=lambda: 0), PaddedWork(least_seconds=0)])
def test_a_failure_does_not_show_in_the_answer(way: DelayedWork | PaddedWork) -> None:
    async def fails() -> None:
        raise ValueError("the disk is full")

    async def asked() -> None:
        await way.run(fails)
        await asyncio.gather(*getattr(way, "tasks", ()))

    asyncio.run(asked())
