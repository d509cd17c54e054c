"""Reads connected calendars again just before a customer's move is decided."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from starlette.concurrency import run_in_threadpool

from frontdesk.desks.booking.calendar_job import calendar_names
from frontdesk.desks.booking.rules import Resource
from frontdesk.features.calendars.busy_times import CalendarCache
from frontdesk.logs import failure, log
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site

#: The key of the cache in `Site.shared`.
CACHE: Final = SharedKey[CalendarCache]("bk.calendars")
#: A customer waits at most so long. Then the decision uses the times that were read before.
MOST_SECONDS: Final = 8.0


async def read_again(site: Site, resources: Iterable[Resource]) -> None:
    """Reads the calendars of these resources and saves their busy times, which decisions use."""
    cache = site.shared.get(CACHE)
    names = calendar_names(resources) if cache is not None else []
    if cache is not None and names:
        reads = [asyncio.create_task(_read(cache, name)) for name in names]
        await asyncio.wait(reads, timeout=MOST_SECONDS)


async def _read(cache: CalendarCache, name: str) -> None:
    try:
        await run_in_threadpool(cache.refresh, name, at_once=True)
    except Exception as error:
        log("calendar.failed", why=failure(error))
