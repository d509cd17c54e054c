"""Live pages: an open page gets new values after each commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from frontdesk.engine.live import TooManyWatchers
from frontdesk.web.app import problem
from frontdesk.web.site import site_of

Counts = dict[str, str]
"""Texts by the `data-live-key` of elements on the page."""

KEEP_ALIVE_SECONDS: Final = 15.0
#: Several commits within this time cause one update.
DEBOUNCE_SECONDS: Final = 0.3
#: The longest time for a stream. The browser then reconnects, and its session is checked again.
LASTS: Final = timedelta(minutes=10)
STREAM: Final = "text/event-stream"
#: Sets the retry interval of browsers, in milliseconds, where responses cannot stay open.
RETRY: Final = b"retry: 10000\n"
HEADERS: Final = {
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
}


async def live_answer(
    request: Request, counts: Callable[[], Counts], *, by: str, subject: str = ""
) -> Response:
    """Returns a stream, or the counts once for clients that poll (`?poll=1`).

    `by` is the member who watches; an empty `subject` gets every commit.
    """
    if "poll" in request.query_params:
        return JSONResponse(await run_in_threadpool(counts), headers=HEADERS)
    if request.method == "HEAD":
        return StreamingResponse(iter(()), media_type=STREAM, headers=HEADERS)
    if not site_of(request).live.streams:
        once = RETRY + _as_event(await run_in_threadpool(counts))
        return Response(once, media_type=STREAM, headers=HEADERS)
    stream = _stream(request, counts, by, subject)
    try:
        first = await anext(stream)  # raises here, so that too many watchers get a status code
    except TooManyWatchers:
        return problem(
            request,
            429,
            "Too many pages are open for live numbers.",
            "Please close some of them, or reload this page to see changes.",
            calm=True,
        )
    return StreamingResponse(_with_first(first, stream), media_type=STREAM, headers=HEADERS)


async def _with_first(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in rest:
        yield part


async def _stream(
    request: Request, counts: Callable[[], Counts], by: str, subject: str
) -> AsyncIterator[bytes]:
    """Yields the counts after each change. Ends with the connection, with the server, or after a
    while; the browser reconnects. Each keep-alive refreshes values that change only with time."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + LASTS.total_seconds()
    with site_of(request).live.watch(subject, by=by) as watch:
        last = _as_event(await run_in_threadpool(counts))
        yield b"retry: 2000\n" + last
        while loop.time() < ends:
            try:
                await asyncio.wait_for(watch.changed(), KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"
            now = _as_event(await run_in_threadpool(counts))
            if now != last:
                yield now
                last = now
            await asyncio.sleep(DEBOUNCE_SECONDS)


def _as_event(counts: Counts) -> bytes:
    return b"event: count\ndata: " + msgspec.json.encode(counts) + b"\n\n"
