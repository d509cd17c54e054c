"""Live counts: a page that is open hears of each commit and is told the numbers as they are."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from frontdesk.core.jobs import Job
from frontdesk.core.members import Role
from frontdesk.desks.rsvp.console.frame import ev_of, event_of, member
from frontdesk.desks.rsvp.console.looks import fullness
from frontdesk.desks.rsvp.model import Event, EventId, EventState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.live import TooManyWatchers
from frontdesk.web.app import problem
from frontdesk.web.console_shell import staff
from frontdesk.web.site import site_of

Counts = dict[str, str]

KEEP_ALIVE_SECONDS: Final = 15.0
#: A rush of commits is told as one.
BREATH_SECONDS: Final = 0.3
#: Then the browser asks again, and whether its session is still good is looked at anew.
LASTS: Final = timedelta(minutes=10)
MOST_EVENTS: Final = 50
STREAM: Final = "text/event-stream"
#: Said to browsers where no answer stays open: in milliseconds.
ASK_AGAIN: Final = b"retry: 10000\n"
HEADERS: Final = {
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
}


def routes() -> list[BaseRoute]:
    return [
        Route("/console/live", staff(all_events, role=Role.HOST)),
        Route("/console/events/{event}/live", staff(one_event, event_param="event")),
    ]


async def one_event(request: Request) -> Response:
    event_id, ev = event_of(request).id, ev_of(request)
    at_the_door = "door" in request.query_params
    job_id = request.query_params.get("job", "")

    def counts() -> Counts:
        event = ev.event(event_id)
        assert event is not None, "events are never deleted"
        found = headcount(ev, event)
        if at_the_door:
            found |= door_counts(ev, event)
        if job_id and (job := ev.job(job_id)) is not None and job.subject == event_id:
            found |= job_counts(job)
        return found | {"stamp": stamp(ev, event, found)}

    return await _answer(request, event_id, counts)


async def all_events(request: Request) -> Response:
    """What is to come, for lists: the keys begin with the event's id."""
    ev, who, now = ev_of(request), member(request), site_of(request).clock.now()

    def counts() -> Counts:
        coming = [
            event for event in ev.events() if who.may_see(event.id) and now < event.details.ends_at
        ]
        coming.sort(key=lambda event: event.details.starts_at)
        found: Counts = {}
        for event in coming[:MOST_EVENTS]:
            found |= seat_counts(event, event.id)
        return found

    return await _answer(request, "", counts)


# --- the numbers ----------------------------------------------------------------------------


def seat_counts(event: Event, prefix: str) -> Counts:
    """With the keys that the seat meter follows."""
    seats = event.seats
    return {
        f"{prefix}.taken": str(seats.taken),
        f"{prefix}.held": str(seats.offered),
        f"{prefix}.free": str(max(seats.free, 0)),
        f"{prefix}.waiting": str(seats.waiting),
        f"{prefix}.says": fullness(seats),
    }


def headcount(ev: RsvpReads, event: Event) -> Counts:
    """As the overview shows them."""
    by_state = ev.counts(event.id)
    return seat_counts(event, "seats") | {
        "cancelled": str(by_state[State.CANCELLED][0]),
        "invited": str(by_state[State.PENDING][0]),
    }


def door_counts(ev: RsvpReads, event: Event) -> Counts:
    return {"arrived": str(ev.arrived(event.id)), "expected": str(event.seats.taken)}


def job_counts(job: Job) -> Counts:
    return {"done": str(job.done), "total": str(job.total), "finished": str(int(job.finished))}


def stamp(ev: RsvpReads, event: Event, counts: Counts) -> str:
    """Differs when something on the page may differ: a page with another one is out of date."""
    offers = [(one.guest_id, one.seq, one.state) for one in ev.offers(event.id, open_only=True)]
    seen = (
        event.version,
        event.state is EventState.OPEN,
        event.seats,
        offers,
        sorted(counts.items()),
    )
    return hashlib.blake2b(repr(seen).encode(), digest_size=8).hexdigest()


# --- the stream -----------------------------------------------------------------------------


async def _answer(request: Request, subject: str, counts: Callable[[], Counts]) -> Response:
    """A stream, or the numbers once for who asks again and again instead (`?poll=1`)."""
    if "poll" in request.query_params:
        return JSONResponse(await run_in_threadpool(counts), headers=HEADERS)
    if request.method == "HEAD":
        return StreamingResponse(iter(()), media_type=STREAM, headers=HEADERS)
    if not site_of(request).live.streams:
        once = ASK_AGAIN + _told(await run_in_threadpool(counts))
        return Response(once, media_type=STREAM, headers=HEADERS)
    stream = _stream(request, EventId(subject), counts)
    try:
        first = await anext(stream)  # so that a full house is said as a status, not in the stream
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
    request: Request, subject: str, counts: Callable[[], Counts]
) -> AsyncIterator[bytes]:
    """Ends with the connection, with the server, or after a while; the browser comes back."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + LASTS.total_seconds()
    with site_of(request).live.watch(subject, by=member(request).id) as watch:
        yield b"retry: 2000\n" + _told(await run_in_threadpool(counts))
        while loop.time() < ends:
            try:
                await asyncio.wait_for(watch.changed(), KEEP_ALIVE_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            yield _told(await run_in_threadpool(counts))
            await asyncio.sleep(BREATH_SECONDS)


def _told(counts: Counts) -> bytes:
    return b"event: count\ndata: " + msgspec.json.encode(counts) + b"\n\n"
