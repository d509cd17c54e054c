"""Wakes live pages after a commit that concerns their subject. It sends no data."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Final

from frontdesk.engine.ports import Recorded

MOST_WATCHERS: Final = 1_000
#: For one member, so that somebody with many open pages does not use up all places.
MOST_OF_ONE: Final = 20


class TooManyWatchers(Exception):
    """No place is free: the page gets no live updates for now."""


class PageSubscription:
    """One open page. Several changes between two calls of `changed` cause one wake-up."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._woken = asyncio.Event()
        self._told = False

    async def changed(self) -> None:
        """Returns once something has changed since the last time."""
        await self._woken.wait()
        self._told = False
        self._woken.clear()

    def wake(self) -> None:
        """Wakes the page. Safe from any thread. Calls the loop once until the page has woken up."""
        if self._told:
            return
        self._told = True
        try:
            self._loop.call_soon_threadsafe(self._woken.set)
        except RuntimeError:
            return  # the loop is closed, and with it the page


class LiveUpdates:
    """Knows the open pages by the subject that they watch; `""` watches all subjects."""

    streams = True
    """Whether a response can stay open. If not, pages poll."""

    def __init__(self, most: int = MOST_WATCHERS, most_of_one: int = MOST_OF_ONE) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._lock = Lock()
        self._watchers: dict[str, set[PageSubscription]] = {}
        self._by: Counter[str] = Counter()

    def on_commit(self, facts: Sequence[Recorded]) -> None:
        """Wakes the pages that watch these facts' subjects. The callback for `Store.on_commit`."""
        if not facts or not self._watchers:
            return
        subjects = {recorded.fact.subject for recorded in facts} | {""}
        with self._lock:
            woken = [watch for each in subjects for watch in self._watchers.get(each, ())]
        for watch in woken:
            watch.wake()

    @contextmanager
    def watch(self, subject: str = "", *, by: str) -> Iterator[PageSubscription]:
        """Registers a page, inside a running loop. Raises `TooManyWatchers` at either limit."""
        watch = PageSubscription(asyncio.get_running_loop())
        with self._lock:
            if self._by.total() >= self._most or self._by[by] >= self._most_of_one:
                raise TooManyWatchers
            self._by[by] += 1
            self._watchers.setdefault(subject, set()).add(watch)
        try:
            yield watch
        finally:
            self._leave(subject, watch, by)

    def _leave(self, subject: str, watch: PageSubscription, by: str) -> None:
        with self._lock:
            self._by[by] -= 1
            if not self._by[by]:
                del self._by[by]
            watchers = self._watchers[subject]
            watchers.discard(watch)
            if not watchers:
                del self._watchers[subject]
