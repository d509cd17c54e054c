"""Pages for the door: expected guests, check-in, and the code that a guest shows."""

from __future__ import annotations

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import spoken_time
from frontdesk.core.members import Role
from frontdesk.core.people import Person
from frontdesk.desks.rsvp import links
from frontdesk.desks.rsvp.console.formatting import arrival_text, event_zone, guest_chip, party
from frontdesk.desks.rsvp.console.guest import check_in_choices
from frontdesk.desks.rsvp.console.page import (
    EVENTS,
    EXPECTED,
    ListedGuest,
    arrived_at,
    ev_of,
    event_of,
    event_page,
    event_url,
    member,
)
from frontdesk.desks.rsvp.links import GuestLink, LinkExpired, Purpose
from frontdesk.desks.rsvp.model import Event, EventState, GuestId, State, as_signed_up
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.stories import full_name
from frontdesk.web.app import problem
from frontdesk.web.console.lists import ListQuery, page_number, pager_without_total, search_of
from frontdesk.web.console.shell import refuse, staff
from frontdesk.web.site import site_of

ON_A_PAGE: Final = 30
ON_PAPER: Final = 2_000


def routes() -> list[BaseRoute]:
    door = f"{EVENTS}/{{event}}/door"
    return [
        Route(door, staff(door_page, event_param="event"), methods=["GET"]),
        Route(f"{door}/list", staff(print_list, event_param="event"), methods=["GET"]),
        Route("/console/door/{token}", staff(ticket, role=Role.HOST), methods=["GET"]),
    ]


async def door_page(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    query = ListQuery(
        path=f"{event_url(event.id)}/door",
        search=search_of(request),
        page=page_number(request),
        per_page=ON_A_PAGE,
    )
    rows = await run_in_threadpool(_expected, ev, event, query)
    return event_page(
        request,
        "door.html",
        event,
        tab="Door",
        small_head=True,
        q=query.search,
        arrived=ev.arrived(event.id),
        rows=[_row(event, row) for row in rows[:ON_A_PAGE]],
        anybody=event.seats.taken > 0,
        is_off=event.state is EventState.CALLED_OFF,
        pages=pager_without_total(query, has_more=len(rows) > ON_A_PAGE),
    )


def _expected(ev: RsvpReads, event: Event, query: ListQuery) -> list[GuestRow]:
    """Returns one row more than the page shows, to find out whether there is another page."""
    return list(
        ev.guest_rows(
            event.id,
            states=EXPECTED,
            search=query.search,
            order="name",
            limit=query.per_page + 1,
            offset=query.offset,
        )
    )


def _row(event: Event, row: GuestRow) -> dict[str, Any]:
    guest = row.guest
    url = f"{event_url(event.id)}/guests/{guest.id}"
    return {
        "name": full_name(row.person),
        "more": party(guest.party),
        "url": url,
        "action": f"{url}/check-in",
        "party": guest.party,
        "arrived": guest.arrived,
        "here": arrival_text(guest) if guest.arrived else "",
        "choices": check_in_choices(guest.party, guest.arrived) if guest.party <= 12 else [],
    }


async def print_list(request: Request) -> Response:
    """Shows a list to print: every guest with a seat, by name, with a box to tick."""
    event, ev = event_of(request), ev_of(request)
    rows = await run_in_threadpool(
        ev.guest_rows, event.id, states=EXPECTED, order="name", limit=ON_PAPER
    )
    return event_page(
        request,
        "door_list.html",
        event,
        tab="Door",
        page_title="Door list",
        rows=[_row(event, row) for row in rows],
        left_out=max(0, ev.counts(event.id)[State.CONFIRMED][0] - len(rows)),
    )


# --- the code of one guest ------------------------------------------------------------------


async def ticket(request: Request) -> Response:
    """Shows the guest of a code. Nothing changes until staff press the button."""
    placed = _holder(request)
    if placed is None:
        return problem(
            request,
            404,
            "This is not a code for the door.",
            "It may be an old one. Please look the guest up by name.",
            (EVENTS, "To the events"),
            calm=True,
        )
    if not member(request).may_see(placed.event.id):
        means = "It is for another event than the ones that you host."
        return refuse(request, "This code is not for your door.", means)
    at = arrived_at(ev_of(request), placed.guest)
    now = site_of(request).clock.now()
    return event_page(
        request,
        "ticket.html",
        placed.event,
        tab="Door",
        page_title=full_name(placed.person),
        name=full_name(placed.person),
        guest=placed.guest,
        party=party(placed.guest.party),
        chip=guest_chip(placed.event, placed.guest, now),
        since=spoken_time(at, event_zone(placed.event)) if at else "",
        action=f"{placed.url}/check-in",
        is_expected=placed.guest.state is State.CONFIRMED and placed.event.state is EventState.OPEN,
        is_off=placed.event.state is EventState.CALLED_OFF,
        choices=check_in_choices(placed.guest.party, placed.guest.arrived),
        guest_url=placed.url,
        code_url=f"/l/{request.path_params['token']}?code=show",
    )


def _holder(request: Request) -> ListedGuest | None:
    """Returns the guest to whom the code belongs, even if the code has expired."""
    site, ev = site_of(request), ev_of(request)

    def contact_version(guest_id: GuestId) -> int | None:
        person = _person(ev, guest_id)
        return None if person is None else person.contact_version

    token = request.path_params["token"]
    said = links.read_guest_link(token, site.keys, site.clock.now(), contact_version)
    link = said.link if isinstance(said, LinkExpired) else said
    if not isinstance(link, GuestLink) or link.purpose is not Purpose.TICKET:
        return None
    guest, person = ev.guest(link.guest_id), _person(ev, link.guest_id)
    if guest is None or person is None:
        raise HTTPException(404)
    event = ev.event(guest.event_id)
    assert event is not None, "a guest belongs to an event"
    return ListedGuest(event, guest, as_signed_up(guest, person))


def _person(ev: RsvpReads, guest_id: GuestId) -> Person | None:
    guest = ev.guest(guest_id)
    return None if guest is None else ev.person(guest.person_id)
