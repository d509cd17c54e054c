"""Shows the line in order; moves a guest to another event, or their seats to somebody else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import clean_email, clean_name, email_key
from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.commands import Cancel, PassOn, SignUp
from frontdesk.desks.rsvp.console.formatting import event_zone, fullness, party, refusal
from frontdesk.desks.rsvp.console.overview import (
    MOST_IN_LINE,
    headcount,
    offer_cards,
    stamp,
    waiting_line_of,
)
from frontdesk.desks.rsvp.console.page import (
    EVENTS,
    ListedGuest,
    ev_of,
    event_of,
    event_page,
    event_url,
    guest_of,
    member,
)
from frontdesk.desks.rsvp.console.stories import too_large_warning, why_not_offered
from frontdesk.desks.rsvp.decide.seats import refuse_if_closed, seat_is_free, whole_event
from frontdesk.desks.rsvp.facts import GuestConfirmed, PartyPassedOver, SeatsTakenOver
from frontdesk.desks.rsvp.load import larger_than_the_event
from frontdesk.desks.rsvp.model import Event, EventId, GuestId, Lane, State
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.stories import full_name
from frontdesk.values import replace
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.forms import FormField, FormSpec
from frontdesk.web.console.lists import ListQuery, page_number, pager
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

MOST_OFFERS: Final = 60
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


def routes() -> list[BaseRoute]:
    path = f"{EVENTS}/{{event}}/line"
    return [Route(path, staff(line_page, event_param="event"), methods=["GET"])]


async def line_page(request: Request) -> Response:
    event, ev, now = event_of(request), ev_of(request), site_of(request).clock.now()
    query = ListQuery(path=f"{event_url(event.id)}/line", page=page_number(request))
    first = query.offset
    rows = ev.guest_rows(
        event.id,
        states=frozenset({State.WAITING}),
        order="line",
        limit=query.per_page,
        offset=first,
    )
    passed = _passed_over(ev, event, now) if any(row.guest.party > 1 for row in rows) else {}
    return event_page(
        request,
        "line.html",
        event,
        tab="Line",
        stamp=stamp(ev, event, headcount(ev, event)),
        offers=offer_cards(ev, event, now, MOST_OFFERS),
        rows=[_row(event, row, first + n, passed) for n, row in enumerate(rows, start=1)],
        why=why_not_offered(event, waiting_line_of(ev, event), now),
        too_large=too_large_warning(
            event, len(larger_than_the_event(ev, event, MOST_IN_LINE)), now
        ),
        pages=pager(query, len(rows), event.seats.waiting),
        can_give=now < event.details.starts_at,
    )


def _passed_over(ev: RsvpReads, event: Event, now: datetime) -> dict[str, PartyPassedOver]:
    """Returns the latest fact for each guest who was passed over."""
    until = now + timedelta(days=1)
    facts = ev.facts_between(event.id, PartyPassedOver.kind, _LONG_AGO, until)
    return {one.fact.guest_id: one.fact for one in facts if isinstance(one.fact, PartyPassedOver)}


def _row(
    event: Event, row: GuestRow, place: int, passed: dict[str, PartyPassedOver]
) -> dict[str, Any]:
    guest = row.guest
    return {
        "place": place,
        "name": full_name(row.person),
        "more": f"{party(guest.party)}, since {short_time(guest.joined_at, event_zone(event))}",
        "url": f"{event_url(event.id)}/guests/{guest.id}",
        "notes": _notes(event, row, passed),
        "fits": event.seats.free >= guest.party,
    }


def _notes(event: Event, row: GuestRow, passed: dict[str, PartyPassedOver]) -> list[str]:
    guest, notes = row.guest, []
    if guest.lapsed:
        notes.append("Let an offer lapse")
    elif guest.seen >= event.seats.round and guest.seq:
        notes.append("Passed the last offer on")
    if over := passed.get(guest.id):
        notes.append(f"Passed over: {over.party} needed, {over.free} free")
    if guest.party > event.seats.cap:
        notes.append("Larger than the event")
    return notes


def move_routes() -> list[BaseRoute]:
    guest = f"{EVENTS}/{{event}}/guests/{{guest}}"
    return [
        Route(f"{guest}/move", staff(move_page, event_param="event"), methods=["GET"]),
        Route(f"{guest}/move", staff(move, event_param="event"), methods=["POST"]),
        Route(f"{guest}/pass-on", staff(pass_on_page, event_param="event"), methods=["GET"]),
        Route(f"{guest}/pass-on", staff(pass_on, event_param="event"), methods=["POST"]),
    ]


# --- moving to another event ----------------------------------------------------------------


async def move_page(request: Request) -> Response:
    return _form(request, guest_of(request), {}, "")


async def move(request: Request) -> Response:
    placed, form = guest_of(request), form_of(request)
    there = _event_there(request, placed, form["to"])
    if there is None:
        error = "Please choose an event."
        return _form(request, placed, dict(form.fields), error, status=422)
    if placed.guest.party > whole_event(there):
        error = refusal(Reason.PARTY_TOO_LARGE)
        return _form(request, placed, dict(form.fields), error, status=422)
    if not form.ticked("line_is_fine") and not seat_is_free(there.seats, placed.guest.party):
        return _form(request, placed, dict(form.fields), "", ask_about=there, status=422)
    return await _moved(request, placed, there, line_is_fine=form.ticked("line_is_fine"))


async def _moved(
    request: Request, placed: ListedGuest, there: Event, *, line_is_fine: bool
) -> Response:
    site, person = site_of(request), placed.person
    command = SignUp(
        there.id,
        GuestId(site.new_id()),
        PersonId(site.new_id()),
        person.name,
        person.email,
        placed.guest.party,
        Lane.HOST,
    )
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        return done(request, placed.url, refusal(outcome.reason), kind="problem")
    fact = outcome.facts[0].fact
    url_there = f"{event_url(there.id)}/guests/{fact.about}"
    seated = isinstance(fact, GuestConfirmed)
    if not seated and not line_is_fine:
        says = (
            "The last seat there was just taken: they are in line there and keep their place here."
        )
        return done(request, placed.url, says, kind="problem")
    await run(request, Cancel(placed.guest.id, by_host=True))
    says = "Moved: they have a seat here." if seated else "Moved: they are in line here."
    return done(request, url_there, says)


def _event_there(request: Request, placed: ListedGuest, event_id: str) -> Event | None:
    return next((event for event in _others(request, placed) if event.id == event_id), None)


def _others(request: Request, placed: ListedGuest) -> list[Event]:
    """Returns other events that the member may see and that still take guests, soonest first."""
    now, who = site_of(request).clock.now(), member(request)
    events = [
        event
        for event in ev_of(request).events(not_over_at=now)
        if event.id != placed.event.id
        and who.may_see(event.id)
        and refuse_if_closed(event, now) is None
    ]
    return sorted(events, key=lambda event: event.details.starts_at)


def _form(
    request: Request,
    placed: ListedGuest,
    values: Mapping[str, str],
    error: str,
    *,
    ask_about: Event | None = None,
    status: int = 200,
) -> Response:
    name = full_name(placed.person)
    return event_page(
        request,
        "move.html",
        placed.event,
        tab="Guests",
        page_title=f"Move {name}",
        status=status,
        guest=placed.guest,
        name=name,
        base=placed.url,
        choices=[_choice(event, placed.guest.party) for event in _others(request, placed)],
        chosen=values.get("to", ""),
        error=error,
        ask_about=ask_about,
    )


def _choice(event: Event, party: int) -> tuple[EventId, str, str]:
    what: Any = words.occasion(event.details)
    return event.id, what.name, f"{what.when}. {fullness(event.seats)}{_room(event, party)}"


def _room(event: Event, party: int) -> str:
    if party > whole_event(event):
        return " Their party is larger than this event."
    return "" if seat_is_free(event.seats, party) else " They would join the line."


# --- giving the seats to somebody else ------------------------------------------------------

PASS_ON: Final = FormSpec(
    fields=(
        FormField("name", "Name", clean=clean_name),
        FormField("email", "E-mail", "email", clean=clean_email),
    ),
    button="Give the seat to them",
    back="Leave it as it is",
)


async def pass_on_page(request: Request) -> Response:
    placed = guest_of(request)
    if placed.guest.state is not State.CONFIRMED:
        return RedirectResponse(placed.url, 303)
    return _pass_on_form(request, placed, {"once": site_of(request).new_id()}, {})


async def pass_on(request: Request) -> Response:
    placed, form, site = guest_of(request), form_of(request), site_of(request)
    clean, errors = PASS_ON.read(form.fields)
    if errors:
        return _pass_on_form(request, placed, form.fields, errors)
    command = PassOn(
        placed.guest.id,
        GuestId(site.new_id()),
        PersonId(site.new_id()),
        clean["name"],
        clean["email"],
    )
    outcome = await run(request, command, once=form["once"])
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_ON_THE_LIST:
        return done(request, placed.url, refusal(outcome.reason), kind="problem")
    if isinstance(outcome, Refused):
        same = email_key(clean["email"]) == email_key(placed.person.email)
        errors = {"email": _SAME_ADDRESS if same else _LISTED}
        return _pass_on_form(request, placed, form.fields, errors)
    [heir] = [each.fact for each in outcome.facts if isinstance(each.fact, SeatsTakenOver)]
    url = f"{event_url(placed.event.id)}/guests/{heir.guest_id}"
    return done(request, url, f"{clean['name']} comes instead. Both are told by mail.")


_LISTED: Final = (
    "They are on the list already. If they wait in line, take this guest off the list, and give"
    " them the free seat on their own page."
)
_SAME_ADDRESS: Final = (
    "This is their own address. Give another one, or correct only the name under People."
)


def _pass_on_form(
    request: Request, placed: ListedGuest, values: Mapping[str, str], errors: Mapping[str, str]
) -> Response:
    name, party = full_name(placed.person), placed.guest.party
    seats = "The seat stays taken." if party == 1 else f"Their {party} seats stay taken."
    spec = PASS_ON if party == 1 else replace(PASS_ON, button="Give the seats to them")
    form = spec.view(
        f"{placed.url}/pass-on",
        placed.url,
        values,
        errors,
        title=f"Who comes instead of {name}?",
        text=f"{seats} {name} is told that they are off the list, and their links stop working."
        " The new guest gets a confirmation.",
        hidden={"once": values.get("once", "")},
    )
    return event_page(
        request,
        "console/form.html",
        placed.event,
        tab="Guests",
        page_title="Give to somebody else",
        above=((name, placed.url),),
        status=422 if errors else 200,
        form=form,
    )
