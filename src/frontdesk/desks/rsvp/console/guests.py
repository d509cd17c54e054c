"""The guest list: searched, filtered, sorted, added to, and taken along as a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from frontdesk.connect.tables import Cell, write_csv, write_xlsx
from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall
from frontdesk.core.people import PersonId
from frontdesk.core.words import count
from frontdesk.desks.rsvp.commands import SignUp
from frontdesk.desks.rsvp.console.doorlist import all_rows
from frontdesk.desks.rsvp.console.formatting import LANES, event_zone, full_name, guest_chip, short
from frontdesk.desks.rsvp.console.page import (
    EVENTS,
    ev_of,
    event_of,
    event_page,
    event_url,
    page_number,
    run,
)
from frontdesk.desks.rsvp.console.refusals import refusal
from frontdesk.desks.rsvp.decide.seats import LARGEST_PARTY, largest_party
from frontdesk.desks.rsvp.facts import GuestConfirmed, GuestInvited
from frontdesk.desks.rsvp.model import Event, GuestId, Lane, State
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.ports import Committed
from frontdesk.frozen import frozen
from frontdesk.web.console.shell import done, form_of, staff
from frontdesk.web.site import site_of

ON_A_PAGE: Final = 50
FILTERS: Final = (
    ("", "All", None),
    ("confirmed", "Confirmed", State.CONFIRMED),
    ("offered", "Offered", State.OFFERED),
    ("waiting", "Waiting", State.WAITING),
    ("pending", "Invited", State.PENDING),
    ("cancelled", "Cancelled", State.CANCELLED),
)
ORDERS: Final = frozenset({"name", "joined", "state"})
HEADINGS: Final = ("Name", "E-mail", "State", "Party", "Arrived", "Joined", "Way in")


def routes() -> list[BaseRoute]:
    event = f"{EVENTS}/{{event}}"
    return [
        Route(f"{event}/guests", staff(guests_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/guests.csv", staff(export_csv, event_param="event"), methods=["GET"]),
        Route(f"{event}/guests.xlsx", staff(export_xlsx, event_param="event"), methods=["GET"]),
        Route(f"{event}/guests/add", staff(add_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/guests/add", staff(add, event_param="event"), methods=["POST"]),
    ]


@frozen
class Wanted:
    """Which part of the list, in which order; it is all in the address."""

    state: str = ""
    search: str = ""
    order: str = "name"

    @property
    def states(self) -> frozenset[State] | None:
        return frozenset({State(self.state)}) if self.state else None

    def query(self, **other: str | int) -> str:
        asked = {"state": self.state, "q": self.search, "sort": self.order, **other}
        kept = {key: value for key, value in asked.items() if value and value != "name"}
        return f"?{urlencode(kept)}" if kept else ""


def wanted_of(request: Request) -> Wanted:
    """What the address asks for; anything that is not known is left out."""
    query = request.query_params
    state, order = query.get("state", ""), query.get("sort", "name")
    return Wanted(
        state if state in {name for name, _, _ in FILTERS} else "",
        query.get("q", "")[:100].strip(),
        order if order.removeprefix("-") in ORDERS else "name",
    )


async def guests_page(request: Request) -> Response:
    event, wanted, page = event_of(request), wanted_of(request), page_number(request)
    ev, now = ev_of(request), site_of(request).clock.now()
    rows, total, counts = await run_in_threadpool(_found, ev, event, wanted, page)
    base = f"{event_url(event.id)}/guests"
    return event_page(
        request,
        "guests.html",
        event,
        tab="Guests",
        wanted=wanted,
        filters=_filters(base, wanted, counts),
        columns=_columns(base, wanted),
        rows=[_row(event, row, now) for row in rows],
        pages=_pages(base, wanted, page, len(rows), total),
        query=wanted.query(),
        anybody=any(guests for guests, _ in counts.values()),
    )


def _found(
    ev: RsvpReads, event: Event, wanted: Wanted, page: int
) -> tuple[list[GuestRow], int, Mapping[State, tuple[int, int]]]:
    counts = ev.counts(event.id)
    rows = ev.guest_rows(
        event.id,
        states=wanted.states,
        search=wanted.search,
        order=wanted.order,
        limit=ON_A_PAGE,
        offset=(page - 1) * ON_A_PAGE,
    )
    if wanted.search:
        total = ev.guest_count(event.id, states=wanted.states, search=wanted.search)
    else:
        total = sum(counts[state][0] for state in wanted.states or frozenset(State))
    return list(rows), total, counts


def _filters(
    base: str, wanted: Wanted, counts: Mapping[State, tuple[int, int]]
) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "url": base + Wanted(name, wanted.search, wanted.order).query(),
            "active": name == wanted.state,
            "count": f"{counts[state][0] if state else sum(n for n, _ in counts.values()):,}",
        }
        for name, label, state in FILTERS
    ]


def _columns(base: str, wanted: Wanted) -> list[dict[str, Any]]:
    return [
        {"key": "name", "label": "Name", **_sorting(base, wanted, "name")},
        {"key": "email", "label": "E-mail", "long": True},
        {"key": "state", "label": "State", **_sorting(base, wanted, "state")},
        {"key": "party", "label": "Party", "number": True},
        {"key": "joined", "label": "Since", **_sorting(base, wanted, "joined")},
    ]


def _sorting(base: str, wanted: Wanted, order: str) -> dict[str, str]:
    is_on = wanted.order.removeprefix("-") == order
    other = f"-{order}" if wanted.order == order else order
    url = base + Wanted(wanted.state, wanted.search, other).query()
    direction = "descending" if wanted.order.startswith("-") else "ascending"
    return {"sort_url": url, "sorted": direction if is_on else ""}


def _row(event: Event, row: GuestRow, now: datetime) -> dict[str, Any]:
    return {
        "url": f"{event_url(event.id)}/guests/{row.guest.id}",
        "name": full_name(row.person),
        "email": row.person.email,
        "bounced": row.person.bounced,
        "chip": guest_chip(event, row.guest, now),
        "party": row.guest.party,
        "since": short(row.guest.joined_at, event_zone(event)),
        "state": "gone" if row.guest.state is State.CANCELLED else "",
    }


def _pages(base: str, wanted: Wanted, page: int, shown: int, total: int) -> dict[str, str]:
    first = (page - 1) * ON_A_PAGE
    return {
        "says": f"{first + 1:,} to {first + shown:,} of {total:,}" if shown else "",
        "previous": base + wanted.query(page=page - 1) if page > 1 else "",
        "next": base + wanted.query(page=page + 1) if first + shown < total else "",
    }


# --- as a file ------------------------------------------------------------------------------


async def export_csv(request: Request) -> Response:
    """Streamed from a thread of its own, page by page."""
    event, wanted = event_of(request), wanted_of(request)
    lines = write_csv(HEADINGS, _cells(ev_of(request), event, wanted))
    return StreamingResponse(
        lines, media_type="text/csv; charset=utf-8", headers=_as_file(event, "csv")
    )


async def export_xlsx(request: Request) -> Response:
    event, wanted, ev = event_of(request), wanted_of(request), ev_of(request)
    book = await run_in_threadpool(
        lambda: write_xlsx(HEADINGS, _cells(ev, event, wanted), sheet=event.details.name)
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return Response(book, media_type=kind, headers=_as_file(event, "xlsx"))


def _cells(ev: RsvpReads, event: Event, wanted: Wanted) -> Iterator[tuple[Cell, ...]]:
    tz = event_zone(event)
    for row in all_rows(ev, event.id, wanted.states, wanted.search, wanted.order):
        yield _line(row, tz)


def _line(row: GuestRow, tz: ZoneInfo) -> tuple[Cell, ...]:
    guest, person = row.guest, row.person
    joined = None if guest.joined_at is None else to_wall(guest.joined_at, tz)
    state = guest.state.value
    return (
        full_name(person),
        person.email,
        state,
        guest.party,
        guest.arrived,
        joined,
        LANES[guest.lane],
    )


def _as_file(event: Event, ending: str) -> dict[str, str]:
    """The slug has nothing in it that a header or a file system would mind."""
    return {
        "content-disposition": f'attachment; filename="{event.slug}-guests.{ending}"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }


# --- one more -------------------------------------------------------------------------------


async def add_page(request: Request) -> Response:
    values = {"party": "1", "how": "seat", "once": site_of(request).new_id()}
    return _add_form(request, event_of(request), values, {})


async def add(request: Request) -> Response:
    """The same seat request as in any lane; the host may also only invite."""
    event, form, errors = event_of(request), form_of(request), {}
    name = email = ""
    try:
        name = clean_name(form["name"])
    except BadContact as bad:
        errors["name"] = str(bad)
    try:
        email = clean_email(form["email"])
    except BadContact as bad:
        errors["email"] = str(bad)
    party = form.number("party", 1)
    most = largest_party(event, Lane.HOST)
    if party is None or not 1 <= party <= most:
        only = f"The event has {count(event.seats.cap, 'seat')}. " if most < LARGEST_PARTY else ""
        errors["party"] = f"{only}Please write a whole number from 1 to {most:,}."
    if errors or party is None:
        return _add_form(request, event, dict(form.fields), errors, status=422)
    site = site_of(request)
    command = SignUp(
        event.id,
        GuestId(site.new_id()),
        PersonId(site.new_id()),
        name,
        email,
        party,
        Lane.HOST,
        invite=form["how"] == "invite",
    )
    outcome = await run(request, command, once=form["once"])
    if isinstance(outcome, Refused):
        errors = {"email": refusal(outcome.reason)}
        return _add_form(request, event, dict(form.fields), errors, status=422)
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
    request: Request,
    event: Event,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    url = event_url(event.id)
    return event_page(
        request,
        "guest_add.html",
        event,
        tab="Guests",
        page_title="Add a guest",
        more_crumbs=(("Guests", f"{url}/guests"), ("Add", "")),
        status=status,
        v=values,
        errors=errors,
        is_closed=site_of(request).clock.now() >= event.details.starts_at,
    )
