"""Shows the overview of an event, and sends current counts to open pages after each commit."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.jobs import Job
from frontdesk.core.members import Role
from frontdesk.core.words import count
from frontdesk.desks.rsvp import guest_questions, words
from frontdesk.desks.rsvp.answers import Answer
from frontdesk.desks.rsvp.calendar_file import event_url as public_url
from frontdesk.desks.rsvp.console.formatting import fullness
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url, member
from frontdesk.desks.rsvp.console.stories import (
    WaitingLine,
    timeline,
    too_large_warning,
    why_not_offered,
    why_pending,
)
from frontdesk.desks.rsvp.load import larger_than_the_event
from frontdesk.desks.rsvp.model import Event, EventState, State, open_until
from frontdesk.desks.rsvp.pages.api import snippets
from frontdesk.desks.rsvp.pages.texts import spoken_window
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.stories import full_name
from frontdesk.web.console.shell import staff
from frontdesk.web.live import Counts, live_answer
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site, site_of

MOST_OFFERS: Final = 6
MOST_NEXT: Final = 3
MOST_STEPS: Final = 8
#: The most guests in line who are checked for a party larger than the event.
MOST_IN_LINE: Final = 100
#: The key in `Site.shared` of the language model that understands questions.
ASSISTANT: Final = SharedKey[guest_questions.Assistant]("rsvp.assistant")
QUESTIONS: Final = ("How many seats are open?", "Who cancelled yesterday?", "Who is next in line?")


def routes() -> list[BaseRoute]:
    return [Route(f"{EVENTS}/{{event}}", staff(overview, event_param="event"), methods=["GET"])]


async def overview(request: Request) -> Response:
    site, event, ev = site_of(request), event_of(request), ev_of(request)
    now = site.clock.now()
    counts = headcount(ev, event)
    question = request.query_params.get("ask", "")[: guest_questions.MOST_QUESTION].strip()
    public = public_url(site.settings.base_url, event)
    return event_page(
        request,
        "overview.html",
        event,
        tab="Overview",
        counts=counts,
        stamp=stamp(ev, event, counts),
        offers=offer_cards(ev, event, now, MOST_OFFERS),
        next_up=_next_up(ev, event),
        why=why_not_offered(event, waiting_line_of(ev, event), now),
        too_large=too_large_warning(
            event, len(larger_than_the_event(ev, event, MOST_IN_LINE)), now
        ),
        question=question,
        answer=await _answer(site, question, ev, event) if question else None,
        questions=QUESTIONS,
        story=timeline(request, event, reversed(ev.latest_facts(event.id, MOST_STEPS))),
        public=public,
        qr=qr_image(public),
        embed=snippets(site.settings.base_url, event),
        is_open=event.state is EventState.OPEN,
        is_over=now >= event.details.ends_at,
        **facts_of(event),
    )


async def _answer(site: Site, question: str, ev: RsvpReads, event: Event) -> Answer:
    """Answers a question. Uses a thread if a model is asked, because that is slow."""
    assistant = site.shared.get(ASSISTANT)
    now = site.clock.now()
    if assistant is None:
        return guest_questions.answer(question, ev, event, now)
    return await run_in_threadpool(guest_questions.answer, question, ev, event, now, assistant)


def waiting_line_of(ev: RsvpReads, event: Event) -> WaitingLine:
    """Returns the guests in line that decide whether a free seat can be offered."""
    seats = event.seats
    if seats.free <= 0 or seats.waiting == 0:
        return WaitingLine(None, None)
    first = next(iter(ev.next_in_line(event.id, seats.round, 1)), None)
    return WaitingLine(first, ev.next_that_fits(event.id, seats.round, seats.free))


def offer_cards(ev: RsvpReads, event: Event, now: datetime, most: int) -> list[dict[str, Any]]:
    if now >= event.details.starts_at:
        return []  # offers end at the start, even if their timers have not fired
    offered = frozenset({State.OFFERED})
    rows = ev.guest_rows(event.id, states=offered, order="line", limit=most)
    return [_offer_card(event, row, now) for row in rows]


def _offer_card(event: Event, row: GuestRow, now: datetime) -> dict[str, Any]:
    guest = row.guest
    card = {
        "name": full_name(row.person),
        "what": count(guest.party, "seat"),
        "url": f"{event_url(event.id)}/guests/{guest.id}",
    }
    ends_at = open_until(event, guest)
    if ends_at is None:
        more = why_pending(event, now)
        return card | {"state": "waiting", "word": "Not sent yet", "more": more, "iso": ""}
    hour_left = (ends_at - now).total_seconds() < 3600
    return card | {
        "state": "ending" if hour_left else "waiting",
        "word": "Ends soon" if hour_left else "Waiting for an answer",
        "iso": ends_at.isoformat(),
        "until": words.until(event, ends_at, now),
        "more": "",
    }


def _next_up(ev: RsvpReads, event: Event) -> list[GuestRow]:
    waiting = frozenset({State.WAITING})
    return list(ev.guest_rows(event.id, states=waiting, order="line", limit=MOST_NEXT))


def facts_of(event: Event) -> dict[str, Any]:
    settings = event.settings
    return {
        "window": spoken_window(settings.claim_window),
        "quiet": f"{settings.quiet.start:%H:%M} to {settings.quiet.end:%H:%M}",
    }


def qr_image(url: str) -> str:
    """Draws the QR code locally as a data: URL, so that no other site learns the link."""
    import segno

    image: str = segno.make(url, error="m").svg_data_uri(scale=4, border=1)
    return image


MOST_EVENTS: Final = 50


def live_routes() -> list[BaseRoute]:
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
    """Sends the counts of upcoming events. Keys begin with the event's id."""
    ev, who, now = ev_of(request), member(request), site_of(request).clock.now()

    def counts() -> Counts:
        coming = [event for event in ev.events(not_over_at=now) if who.may_see(event.id)]
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
