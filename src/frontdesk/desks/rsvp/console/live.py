"""Sends current counts to open pages after each commit."""

from __future__ import annotations

import hashlib
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.jobs import Job
from frontdesk.core.members import Role
from frontdesk.desks.rsvp.console.formatting import fullness
from frontdesk.desks.rsvp.console.page import ev_of, event_of, member
from frontdesk.desks.rsvp.model import Event, EventState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.web.console.shell import staff
from frontdesk.web.live import Counts, live_answer
from frontdesk.web.site import site_of

MOST_EVENTS: Final = 50


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

    return await live_answer(request, counts, by=member(request).id, subject=event_id)


async def all_events(request: Request) -> Response:
    """Sends the counts of upcoming events; keys begin with the event's id."""
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

    return await live_answer(request, counts, by=who.id)


# --- counts ---------------------------------------------------------------------------------


def seat_counts(event: Event, prefix: str) -> Counts:
    """Returns the counts under the keys of the seat meter."""
    seats = event.seats
    return {
        f"{prefix}.taken": str(seats.taken),
        f"{prefix}.held": str(seats.offered),
        f"{prefix}.free": str(max(seats.free, 0)),
        f"{prefix}.waiting": str(seats.waiting),
        f"{prefix}.says": fullness(seats),
    }


def headcount(ev: RsvpReads, event: Event) -> Counts:
    """Returns the counts that the overview shows."""
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
    """Returns a hash that changes when anything on the page may have changed."""
    offers = [(one.guest_id, one.seq, one.state) for one in ev.offers(event.id, open_only=True)]
    seen = (
        event.version,
        event.state is EventState.OPEN,
        event.seats,
        offers,
        sorted(counts.items()),
    )
    return hashlib.blake2b(repr(seen).encode(), digest_size=8).hexdigest()
