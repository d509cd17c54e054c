"""Shows the history of an event, a guest or seats, and why a free seat is not offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.words import count
from frontdesk.desks.rsvp.console.formatting import event_zone, fullness
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.facts import CapChanged, SeatsFreed
from frontdesk.desks.rsvp.model import Event, EventState, Guest, GuestId, as_signed_up
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.story import GuestNames, line, release_story
from frontdesk.engine.ports import Recorded
from frontdesk.engine.stories import StoryLine, full_name
from frontdesk.values import Frozen, replace
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.lists import PageLink, number
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import TimelineStep, steps
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


def timeline(request: Request, event: Event, facts: Iterable[Recorded]) -> list[TimelineStep]:
    """Turns facts into steps of a timeline. A fact that frees seats links to the story of these
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


def _links(url: str, round_: int) -> Callable[[StoryLine], Sequence[PageLink]]:
    found = [PageLink("What became of it", f"{url}/seat/{round_}")] if round_ else []
    return lambda _line: found


def _began(recorded: Recorded) -> int:
    """Returns the round that begins with a fact, or 0."""
    match recorded.fact:
        case SeatsFreed(round=round_) | CapChanged(freed=True, round=round_):
            return round_
        case _:
            return 0


async def story_page(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    before, about = number(request.query_params.get("before", "")), _about(request, ev, event)
    if about is None:
        facts = ev.latest_facts(event.id, ON_A_PAGE, before=before)
    else:
        facts = ev.facts(event.id, about=about[0], limit=MOST_OF_A_GUEST)
    older = facts[0].seq if about is None and len(facts) == ON_A_PAGE else 0
    return event_page(
        request,
        "story.html",
        event,
        tab="Story",
        story=timeline(request, event, reversed(facts)),
        older=f"{event_url(event.id)}/story?before={older}" if older else "",
        newest=bool(before),
        about=about,
    )


def _about(request: Request, ev: RsvpReads, event: Event) -> tuple[str, str] | None:
    """Returns the id and name of the guest whose story the URL asks for; None for the
    whole event."""
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
    facts = ev.latest_facts(
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


class WaitingLine(Frozen):
    """The guests in line that the explanation needs."""

    first: Guest | None
    """The first in line who has had no offer since seats were last freed."""
    fits: Guest | None
    """The first in line who fits into the free seats."""


def why_not_offered(event: Event, line: WaitingLine, now: datetime) -> str:
    """Explains in one or two sentences why nobody has a free seat; '' if no seat is free or nobody
    waits."""
    seats = event.seats
    if event.state is EventState.CALLED_OFF or now >= event.details.starts_at:
        return ""
    if seats.free < 0:
        rest = "Nobody loses a seat, and nothing new is offered until there is room again."
        return f"{fullness(seats)} {rest}"
    if seats.free == 0 or seats.waiting == 0:
        return ""
    if line.first is None:
        return (
            "Everybody in line has had an offer for these seats and let it pass. They are open to"
            " the next who signs up and to those in line, who can take one on their own page. They"
            " are offered again when another seat comes free."
        )
    if line.fits is None:
        return _too_large(event, line.first)
    if event.settings.strict_order and line.first.party > seats.free:
        return _too_large(event, line.first)
    return "The next in line is being offered a seat at this moment."


def _too_large(event: Event, first: Guest) -> str:
    free, needs = count(event.seats.free, "seat"), count(first.party, "seat")
    if event.settings.strict_order:
        return (
            f"{free} free, and the first in line needs {needs}. In strict order the others wait"
            " behind them. You can give the seats to somebody, or change the order in the settings."
        )
    return (
        f"{free} free, and the parties in line that still wait for an offer need more. They keep"
        " their places until enough seats are free."
    )


def too_large_warning(event: Event, parties: int, now: datetime) -> str:
    """Warns of parties in line that are larger than the event; '' if there are none."""
    if parties == 0 or event.state is EventState.CALLED_OFF or now >= event.details.starts_at:
        return ""
    who = "1 party in line is" if parties == 1 else f"{parties:,} parties in line are"
    return (
        f"{who} larger than the event, which has {count(event.seats.cap, 'seat')}. They can get no"
        " offer unless you raise the number of seats or they come with fewer."
    )


def why_pending(event: Event, now: datetime) -> str:
    """Explains why an offer has not gone out yet."""
    tz = zone(event.details.zone)
    until = event.settings.quiet.next_allowed(now, tz)
    if until > now:
        waits = spoken_deadline(until, now, tz)
        return f"Held back {waits} by quiet hours. The time to answer starts when it is sent."
    if event.seats.free < 0:
        return "Held back while more seats are taken than there are."
    return "The mail is on its way. The time to answer starts when it is sent."
