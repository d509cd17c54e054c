"""Lists guests with search, filters and export, and adds single guests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall
from frontdesk.core.people import PersonId
from frontdesk.core.words import count
from frontdesk.desks.rsvp.commands import SignUp
from frontdesk.desks.rsvp.console.formatting import LANES, event_zone, guest_chip, refusal
from frontdesk.desks.rsvp.console.page import (
    EVENTS,
    all_rows,
    ev_of,
    event_of,
    event_page,
    event_url,
)
from frontdesk.desks.rsvp.decide.seats import LARGEST_PARTY, largest_party, refuse_if_closed
from frontdesk.desks.rsvp.facts import GuestConfirmed, GuestInvited
from frontdesk.desks.rsvp.model import Event, GuestId, Lane, State
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.ports import Committed
from frontdesk.engine.stories import full_name
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.forms import FormField, FormSpec, Notice
from frontdesk.web.console.lists import (
    Column,
    EmptyState,
    ListQuery,
    ListSpec,
    PageLink,
    list_routes,
)
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

FILTERS: Final = (
    ("", "All"),
    ("confirmed", "Confirmed"),
    ("offered", "Offered"),
    ("waiting", "Waiting"),
    ("pending", "Invited"),
    ("cancelled", "Cancelled"),
)


def routes() -> list[BaseRoute]:
    guests, guard = f"{EVENTS}/{{event}}/guests", partial(staff, event_param="event")
    return [
        *list_routes(guests, guests_page, export, guard),
        Route(f"{guests}/add", guard(add_page), methods=["GET"]),
        Route(f"{guests}/add", guard(add), methods=["POST"]),
    ]


def guest_list(event: Event, now: datetime) -> ListSpec[GuestRow]:
    url = f"{event_url(event.id)}/guests"
    add = PageLink("Add a guest", f"{url}/add")
    return ListSpec(
        id="guests",
        path=url,
        caption=f"Guests of {event.details.name}",
        columns=(
            Column("name", "Name", _name, _name, sortable=True),
            Column("email", "E-mail", _email, lambda row: row.person.email, long=True, plain=True),
            Column(
                "state",
                "State",
                lambda row: guest_chip(event, row.guest, now),
                lambda row: row.guest.state.value,
                sortable=True,
            ),
            Column("party", "Party", _party, _party, number=True),
            Column("arrived", "Arrived", in_file=lambda row: row.guest.arrived),
            Column("joined", "Since", lambda row: _since(row, event), sortable=True),
            Column("joined_at", "Joined", in_file=lambda row: _joined(row, event)),
            Column("lane", "Way in", in_file=lambda row: LANES[row.guest.lane]),
        ),
        row_url=lambda row: f"{url}/{row.guest.id}",
        is_gone=lambda row: row.guest.state is State.CANCELLED,
        filters=FILTERS,
        search="Search by name or e-mail",
        sort="name",
        empty=EmptyState(
            "Nobody yet",
            "Share the event page, bring a list along, or add guests one by one.",
            "people",
            (add, PageLink("Import a list", f"{event_url(event.id)}/import")),
        ),
        nothing_found="Nobody here just now.",
    )


def _name(row: GuestRow) -> str:
    return full_name(row.person)


def _email(row: GuestRow) -> str:
    return row.person.email + (" (mail comes back)" if row.person.bounced else "")


def _party(row: GuestRow) -> int:
    return row.guest.party


def _since(row: GuestRow, event: Event) -> str:
    return short_time(row.guest.joined_at, event_zone(event))


def _joined(row: GuestRow, event: Event) -> datetime | None:
    at = row.guest.joined_at
    return None if at is None else to_wall(at, event_zone(event))


async def guests_page(request: Request) -> Response:
    event, ev, now = event_of(request), ev_of(request), site_of(request).clock.now()
    spec = guest_list(event, now)
    query = spec.query(request)
    rows, total, counts = await run_in_threadpool(_found, ev, event, query)
    view = spec.view(
        query,
        rows,
        total=total,
        counts=counts,
        actions=()
        if refuse_if_closed(event, now)
        else (PageLink("Add a guest", f"{spec.path}/add", "plus"),),
        nothing_found=f"Nobody on this list has “{query.search}” in the name or address."
        if query.search
        else "",
    )
    return event_page(request, "console/list.html", event, tab="Guests", list=view)


def _found(
    ev: RsvpReads, event: Event, query: ListQuery
) -> tuple[list[GuestRow], int, dict[str, int]]:
    by_state = {state.value: guests for state, (guests, _) in ev.counts(event.id).items()}
    counts = {"": sum(by_state.values()), **by_state}
    rows = ev.guest_rows(
        event.id,
        states=_states(query),
        search=query.search,
        order=query.sort,
        limit=query.per_page,
        offset=query.offset,
    )
    if query.search:
        total = ev.guest_count(event.id, states=_states(query), search=query.search)
    else:
        total = counts[query.filter]
    return list(rows), total, counts


def _states(query: ListQuery) -> frozenset[State] | None:
    return frozenset({State(query.filter)}) if query.filter else None


async def export(request: Request) -> Response:
    event, ev = event_of(request), ev_of(request)
    spec = guest_list(event, site_of(request).clock.now())
    query = spec.query(request)
    return await spec.file(
        request,
        lambda: all_rows(ev, event.id, _states(query), query.search, query.sort),
        name=f"{event.slug}-guests",
        sheet=event.details.name,
    )


# --- adding a guest -------------------------------------------------------------------------

ADD: Final = FormSpec(
    fields=(
        FormField("name", "Name", attrs={"maxlength": 120}, clean=clean_name),
        FormField("email", "E-mail", "email", clean=clean_email),
        FormField(
            "party",
            "How many come, this guest included",
            "number",
            short=True,
            attrs={"min": 1, "max": 1000, "inputmode": "numeric"},
        ),
        FormField(
            "how",
            "What should happen?",
            "choice",
            options=(
                ("seat", "Ask for a seat", "If none is free for them, they join the line."),
                ("invite", "Only invite them", "They hold no seat until they say yes."),
            ),
        ),
    ),
    button="Add the guest",
    back="Not now",
)


async def add_page(request: Request) -> Response:
    values = {"party": "1", "how": "seat", "once": site_of(request).new_id()}
    return _add_form(request, event_of(request), values, {})


async def add(request: Request) -> Response:
    """Adds a guest by the same seat request as in any lane, or only invites them."""
    event, form = event_of(request), form_of(request)
    clean, errors = ADD.read(form.fields)
    party = form.number("party", 1)
    most = largest_party(event, Lane.HOST)
    if party is None or not 1 <= party <= most:
        only = f"The event has {count(event.seats.cap, 'seat')}. " if most < LARGEST_PARTY else ""
        errors["party"] = f"{only}Please write a whole number from 1 to {most:,}."
    if errors or party is None:
        return _add_form(request, event, form.fields, errors)
    site = site_of(request)
    command = SignUp(
        event.id,
        GuestId(site.new_id()),
        PersonId(site.new_id()),
        clean["name"],
        clean["email"],
        party,
        Lane.HOST,
        invite=form["how"] == "invite",
    )
    outcome = await run(request, command, once=form["once"])
    if isinstance(outcome, Refused):
        return _add_form(request, event, form.fields, {"email": refusal(outcome.reason)})
    return done(request, f"{event_url(event.id)}/guests/{_about(outcome)}", _added(outcome))


def _about(outcome: Committed) -> str:
    return outcome.facts[0].fact.about


def _added(outcome: Committed) -> str:
    match outcome.facts[0].fact:
        case GuestConfirmed():
            return "On the list, with a seat. The confirmation is on its way."
        case GuestInvited():
            return "Invited. They hold no seat until they say yes."
        case _:
            return "No seat is free for them, so they are in line. They are told their place."


def _add_form(
    request: Request, event: Event, values: Mapping[str, str], errors: Mapping[str, str]
) -> Response:
    guests = f"{event_url(event.id)}/guests"
    begun = Notice(
        "The event has begun", "No seat changes hands any more.", guests, "To the guests"
    )
    form = ADD.view(
        f"{guests}/add",
        guests,
        values,
        errors,
        title="Add a guest",
        hidden={"once": values.get("once", "")},
        instead=begun if site_of(request).clock.now() >= event.details.starts_at else None,
    )
    return event_page(
        request,
        "console/form.html",
        event,
        tab="Guests",
        page_title="Add a guest",
        status=422 if errors else 200,
        form=form,
    )
