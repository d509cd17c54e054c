"""Takes sign-ups as JSON from any site, by the same rules as the form and without cookies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.request_keys import request_key
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.calendar_file import event_url
from frontdesk.desks.rsvp.decide.seats import largest_party
from frontdesk.desks.rsvp.model import Event, Lane, phase
from frontdesk.desks.rsvp.pages import event_page, sign_up, texts
from frontdesk.desks.rsvp.pages.sign_up import TRAP, Asked
from frontdesk.desks.rsvp.pages.texts import Answer
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.errors import KeyReused
from frontdesk.web.cors_json import KEY_MEANS, as_json, is_usable, key_reused, no, wrong_fields
from frontdesk.web.forms import BadForm, read_json
from frontdesk.web.site import site_of


async def event_facts(request: Request) -> Response:
    """Returns the public data of an event."""
    site = site_of(request)
    event = event_page.find(site, request)
    if event is None:
        return _no_such_event()
    details, seats, left = event.details, event.seats, texts.seats_left(event)
    return as_json(
        {
            "name": details.name,
            "starts_at": details.starts_at.isoformat(),
            "ends_at": details.ends_at.isoformat(),
            "zone": details.zone,
            "when": words.occasion(details).when,
            "venue": details.venue,
            "description": details.description,
            "state": phase(event, site.clock.now()),
            "seats": seats.cap,
            "seats_free": max(seats.free, 0) if seats.owed == 0 else 0,
            "waiting": seats.waiting,
            "message": f"{left.says} {left.means}".strip(),
            "party_limit": largest_party(event, Lane.FORM),
            "url": event_url(site.settings.base_url, event),
        }
    )


async def sign_up_by_json(request: Request) -> Response:
    """Takes {"name", "email", "party"} and returns {"state", "position", "message"}."""
    site = site_of(request)
    try:
        sign_up.limit(request, site)
    except HTTPException:
        return no(429, "That was a lot at once.", "Please wait a minute, then try again.")
    event = event_page.find(site, request)
    if event is None:
        return _no_such_event()
    try:
        body = await _body(request)
    except BadForm as error:
        return no(400, str(error), "Nothing was changed.")
    asked = _asked(event, body)
    if not isinstance(asked, Asked):
        return wrong_fields(asked)
    key = request.headers.get("idempotency-key")
    if key is not None and not is_usable(key):
        return no(422, "This Idempotency-Key cannot be used.", KEY_MEANS)
    try:
        answer = await sign_up.ask_for_seats(
            site,
            event,
            asked,
            key=None if key is None else _scoped(key, event, asked),
            trapped=bool(body.get(TRAP)),
        )
    except KeyReused:
        return key_reused()
    if answer is Reason.PARTY_TOO_LARGE:
        return wrong_fields({"party": sign_up.too_many(event_page.find(site, request) or event)})
    return _answered(answer)


async def _body(request: Request) -> Mapping[str, Any]:
    """Reads JSON, or a form whose sender wants a JSON answer."""
    if request.headers.get("content-type", "").startswith("application/json"):
        return await read_json(request)
    form = await sign_up.read(request)
    return {**form.fields, "party": form.number("party", 1)}


def _asked(event: Event, body: Mapping[str, Any]) -> Asked | sign_up.Errors:
    name, email, party = body.get("name", ""), body.get("email", ""), body.get("party", 1)
    wrong = {
        field: "Please send this as text."
        for field, value in (("name", name), ("email", email))
        if not isinstance(value, str)
    }
    if not isinstance(party, int) or isinstance(party, bool):
        wrong["party"] = "Please send this as a whole number."
    return wrong or sign_up.read_asked(event, name, email, party)


def _scoped(key: str, event: Event, asked: Asked) -> str:
    """Scopes the idempotency key to its sender, so that keys of different senders never clash."""
    content = (asked.name, asked.party)
    return request_key(f"ev/{event.id}/sign-up", sender=asked.email, key=key, content=content)


def _answered(answer: Answer | Reason) -> Response:
    match answer:
        case Answer():
            return as_json(
                {"state": answer.state, "position": answer.position, "message": answer.message}
            )
        case Reason.CALLED_OFF:
            return no(409, "This event has been called off.", "Nothing was changed.")
        case Reason.BEGUN:
            return no(409, "This event has begun.", "Nobody can sign up any more.")
        case _:
            return no(409, "This cannot be done now.", "Nothing was changed.")


def _no_such_event() -> Response:
    return no(404, "There is no event here.", "The address may have been cut short.")
