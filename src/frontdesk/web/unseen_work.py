"""Runs work whose duration a visitor must not be able to measure.

A request for a sign-in link gets the same answer for known and unknown addresses. The work for a
known one takes longer, and the response time must not show it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from frontdesk.logs import failure, log

Work = Callable[[], Awaitable[None]]

LONGEST_PAUSE_SECONDS: Final = 0.5
LEAST_SECONDS: Final = 0.8
_CHANCE: Final = random.SystemRandom()


class UnseenWork(Protocol):
    async def run(self, work: Work) -> None: ...


class ImmediateWork:
    """Does the work before the response, for tests and tools."""

    async def run(self, work: Work) -> None:
        await work()


class DelayedWork:
    """For a server: starts the work after a random pause, so that the response goes out first."""

    def __init__(
        self,
        pause_seconds: Callable[[], float] = lambda: _CHANCE.uniform(0.1, LONGEST_PAUSE_SECONDS),
    ) -> None:
        self._pause_seconds = pause_seconds
        self.tasks: set[asyncio.Task[None]] = set()

    async def run(self, work: Work) -> None:
        task = asyncio.ensure_future(self._later(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _later(self, work: Work) -> None:
        await asyncio.sleep(self._pause_seconds())
        await _quietly(work)


class PaddedWork:
    """For a Lambda function, which ends with its response: pads it to a minimum duration."""

    def __init__(
        self,
        least_seconds: float = LEAST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._least_seconds = least_seconds
        self._clock = clock
        self._sleep = sleep

    async def run(self, work: Work) -> None:
        began = self._clock()
        await _quietly(work)
        await self._sleep(max(0.0, began + self._least_seconds - self._clock()))


async def _quietly(work: Work) -> None:
    """Logs a failure; the response does not show it."""
    try:
        await work()
    except Exception as error:
        log("unseen_work.failed", why=failure(error))
