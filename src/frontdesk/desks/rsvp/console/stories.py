"""Shows the history of an event, a guest or one release of seats, and the raw audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.desks.rsvp.console.formatting import event_zone
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.facts import CapChanged, SeatsFreed
from frontdesk.desks.rsvp.model import Event, GuestId, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.story import GuestNames, line, release_story
from frontdesk.engine.ports import Recorded
from frontdesk.engine.stories import StoryLine, full_name
from frontdesk.values import replace
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.lists import Link, number
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import Step, steps
from frontdesk.web.site import site_of

ON_A_PAGE: Final = 60
MOST_OF_A_GUEST: Final = 1_000


def routes() -> list[BaseRoute]:
    event = f"{EVENTS}/{{event}}"
    return [
        Route(f"{event}/story", staff(story_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/seat/{{round}}", staff(seat_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/audit", staff(audit_page, event_param="event"), methods=["GET"]),
    ]


def told(request: Request, event: Event, facts: Iterable[Recorded]) -> list[Step]:
    """Turns facts into steps of a timeline. Facts that free seats link to the story of those
    seats."""
    tz, url = event_zone(event), event_url(event.id)
    names = GuestNames(ev_of(request), site_of(request).reads())
    return [
        step
        for recorded in facts
        for step in steps(
            (line(recorded, names, tz),),
            lambda at: short_time(at, tz),
            links=_links(url, _began(recorded)),
        )
    ]


def _links(url: str, round_: int) -> Callable[[StoryLine], Sequence[Link]]:
    found = [Link("What became of it", f"{url}/seat/{round_}")] if round_ else []
    return lambda _line: found


def _began(recorded: Recorded) -> int:
    """Returns the round that a fact began, or 0."""
    match recorded.fact:
        case SeatsFreed(round=round_) | CapChanged(freed=True, round=round_):
            return round_
        case _:
            return 0


async def story_page(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    before, about = number(request.query_params.get("before", "")), _about(request, ev, event)
    if about is None:
        facts = ev.newest_facts(event.id, ON_A_PAGE, before=before)
    else:
        facts = ev.facts(event.id, about=about[0], limit=MOST_OF_A_GUEST)
    older = facts[0].seq if about is None and len(facts) == ON_A_PAGE else 0
    return event_page(
        request,
        "story.html",
        event,
        tab="Story",
        story=told(request, event, reversed(facts)),
        older=f"{event_url(event.id)}/story?before={older}" if older else "",
        newest=bool(before),
        about=about,
    )


def _about(request: Request, ev: RsvpReads, event: Event) -> tuple[str, str] | None:
    """Returns id and name of the guest whose story is asked for."""
    guest_id = request.query_params.get("guest", "")
    guest = ev.guest(GuestId(guest_id)) if guest_id else None
    if guest is None or guest.event_id != event.id:
        return None
    person = ev.person(guest.person_id)
    return (guest.id, full_name(as_signed_up(guest, person))) if person else None


async def seat_page(request: Request) -> Response:
    event, round_ = event_of(request), number(request.path_params["round"], digits=9)
    lines = await run_in_threadpool(release_story, ev_of(request), event, round_)
    if not lines:
        raise HTTPException(404)
    return event_page(
        request,
        "seat.html",
        event,
        tab="Story",
        page_title="The story of a seat",
        story=[
            replace(step, detail="")
            for step in steps(lines, lambda at: short_time(at, event_zone(event)))
        ],
    )


async def audit_page(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    facts = ev.newest_facts(
        event.id, ON_A_PAGE, before=number(request.query_params.get("before", ""))
    )
    older = facts[0].seq if len(facts) == ON_A_PAGE else 0
    url = f"{event_url(event.id)}/audit"
    return event_page(
        request,
        "audit.html",
        event,
        tab="Story",
        page_title="Audit",
        rows=[_raw(event, recorded) for recorded in reversed(facts)],
        older=f"{url}?before={older}" if older else "",
    )


def _raw(event: Event, recorded: Recorded) -> dict[str, str]:
    return {
        "seq": str(recorded.seq),
        "at": short_time(recorded.at, event_zone(event)),
        "by": recorded.by,
        "kind": recorded.fact.kind,
        "body": msgspec.json.format(msgspec.json.encode(recorded.fact), indent=2).decode(),
    }
