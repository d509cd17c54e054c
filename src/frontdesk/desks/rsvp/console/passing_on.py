"""Gives a guest's seats to somebody else: one is told that they are off the list, the other that
they are in."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import PassOn
from frontdesk.desks.rsvp.console.page import EVENTS, Placed, event_page, event_url, guest_of, run
from frontdesk.desks.rsvp.console.refusals import refusal
from frontdesk.desks.rsvp.facts import SeatsTakenOver
from frontdesk.desks.rsvp.model import GuestId, State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.stories import full_name
from frontdesk.web.console.shell import done, form_of, staff
from frontdesk.web.site import site_of


def routes() -> list[BaseRoute]:
    path = f"{EVENTS}/{{event}}/guests/{{guest}}/pass-on"
    return [
        Route(path, staff(pass_on_page, event_param="event"), methods=["GET"]),
        Route(path, staff(pass_on, event_param="event"), methods=["POST"]),
    ]


async def pass_on_page(request: Request) -> Response:
    placed = guest_of(request)
    if placed.guest.state is not State.CONFIRMED:
        return RedirectResponse(placed.url, 303)
    return _form(request, placed, {"once": site_of(request).new_id()}, {})


async def pass_on(request: Request) -> Response:
    placed, form, site = guest_of(request), form_of(request), site_of(request)
    clean, errors = _read(form.fields)
    if errors:
        return _form(request, placed, form.fields, errors, status=422)
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
        errors = {"email": refusal(outcome.reason)}
        return _form(request, placed, form.fields, errors, status=422)
    [heir] = [each.fact for each in outcome.facts if isinstance(each.fact, SeatsTakenOver)]
    url = f"{event_url(placed.event.id)}/guests/{heir.guest_id}"
    return done(request, url, f"{clean['name']} comes instead. Both are told by mail.")


def _read(typed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """As it is kept, and what is wrong by field."""
    clean: dict[str, str] = {}
    errors: dict[str, str] = {}
    for field, tidy in (("name", clean_name), ("email", clean_email)):
        try:
            clean[field] = tidy(typed.get(field, ""))
        except BadContact as bad:
            errors[field] = str(bad)
    return clean, errors


def _form(
    request: Request,
    placed: Placed,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    name = full_name(placed.person)
    return event_page(
        request,
        "pass_on.html",
        placed.event,
        tab="Guests",
        page_title="Give to somebody else",
        more_crumbs=(
            ("Guests", f"{event_url(placed.event.id)}/guests"),
            (name, placed.url),
            ("Give to somebody else", ""),
        ),
        status=status,
        guest=placed.guest,
        name=name,
        base=placed.url,
        v=values,
        errors=errors,
    )
