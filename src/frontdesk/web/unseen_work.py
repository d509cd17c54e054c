"""Work that a visitor must not be able to time by the answer.

Whoever asks for a link to sign in gets the same answer, whether or not the address is known. What
is done about it takes longer for a known one, and must not show.
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


class AtOnce:
    """The work is done before the answer goes out. For tests and tools."""

    async def run(self, work: Work) -> None:
        await work()


class Later:
    """For a server: the work begins after a pause of random length, when the answer is gone."""

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


class Padded:
    """For a function, which ends with its answer: it takes the same time whatever is done."""

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
    """A failure shows in the log, and not in the answer."""
    try:
        await work()
    except Exception as error:
        log("unseen_work.failed", why=failure(error))
