"""Takes sign-ups as JSON from any site, and builds the HTML that hosts copy to their own site."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.request_keys import request_key
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.calendar_file import event_url
from frontdesk.desks.rsvp.decide.seats import largest_party, refuse_if_closed
from frontdesk.desks.rsvp.model import Event, Lane, phase
from frontdesk.desks.rsvp.pages import event_page, sign_up, texts
from frontdesk.desks.rsvp.pages.sign_up import SignUpForm
from frontdesk.desks.rsvp.pages.texts import SignUpResult
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.values import Frozen
from frontdesk.web.cors_json import (
    as_json,
    idempotency_key,
    json_api,
    no,
    read_public_body,
    wrong_fields,
    wrong_types,
)
from frontdesk.web.forms import TRAP, party_options
from frontdesk.web.site import limit_visitor, site_of


async def event_facts(request: Request) -> Response:
    """Returns the public data of an event."""
    site = site_of(request)
    event = event_page.find_event(site, request)
    if event is None:
        return _no_such_event()
    details, seats, now = event.details, event.seats, site.clock.now()
    return as_json(
        {
            "name": details.name,
            "starts_at": details.starts_at.isoformat(),
            "ends_at": details.ends_at.isoformat(),
            "zone": details.zone,
            "when": words.occasion(details).when,
            "venue": details.venue,
            "description": details.description,
            "state": phase(event, now),
            "seats": seats.cap,
            "seats_free": max(seats.free, 0) if seats.owed == 0 else 0,
            "waiting": seats.waiting,
            "message": _message(event, now),
            "party_limit": largest_party(event, Lane.FORM),
            "url": event_url(site.settings.base_url, event),
        }
    )


def _message(event: Event, now: datetime) -> str:
    if refuse_if_closed(event, now):
        return words.no_seats_because(event, now)
    left = texts.seats_left(event)
    return f"{left.says} {left.means}".strip()


@json_api
async def sign_up_by_json(request: Request) -> Response:
    """Takes {"name", "email", "party"} and returns {"state", "position", "message"}."""
    site = site_of(request)
    limit_visitor(request, "sign up", sign_up.SIGN_UP_RATE)
    event = event_page.find_event(site, request)
    if event is None:
        return _no_such_event()
    body = await read_public_body(request)
    asked = _sign_up_form(event, body)
    if not isinstance(asked, SignUpForm):
        return wrong_fields(asked)
    key = idempotency_key(request)
    answer = await sign_up.ask_for_seats(
        site,
        event,
        asked,
        key=None if key is None else _scoped_key(key, event, asked),
        trapped=bool(body.get(TRAP)),
    )
    if answer is Reason.PARTY_TOO_LARGE:
        return wrong_fields(
            {"party": sign_up.party_error(event_page.find_event(site, request) or event)}
        )
    return _response(answer)


def _sign_up_form(event: Event, body: Mapping[str, Any]) -> SignUpForm | sign_up.Errors:
    if wrong := wrong_types(body, ("name", "email"), nullable=False):
        return wrong
    return sign_up.read_sign_up_form(
        event, body.get("name", ""), body.get("email", ""), body.get("party", 1)
    )


def _scoped_key(key: str, event: Event, asked: SignUpForm) -> str:
    """Scopes the idempotency key to its sender, so that keys of different senders never clash."""
    content = (asked.name, asked.party)
    return request_key(f"ev/{event.id}/sign-up", sender=asked.email, key=key, content=content)


def _response(answer: SignUpResult | Reason) -> Response:
    match answer:
        case SignUpResult():
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


FRAME_HEIGHT: Final = 640


class Snippets(Frozen):
    """HTML to copy. The form inherits the style of the surrounding page; the frame has its own
    style."""

    form: str
    frame: str


def snippets(base_url: str, event: Event) -> Snippets:
    return Snippets(_form(base_url, event), _frame(base_url, event))


def _form(base_url: str, event: Event) -> str:
    lines = [
        f'<form action="{escape(event_url(base_url, event))}" method="post">',
        '  <label>Your name <input name="name" autocomplete="name" required></label>',
        '  <label>E-mail <input name="email" type="email" autocomplete="email" required></label>',
        *_party(largest_party(event, Lane.FORM)),
        f'  <input name="{TRAP}" tabindex="-1" autocomplete="off" aria-hidden="true" hidden>',
        "  <button>Sign up</button>",
        "</form>",
    ]
    return "\n".join(lines)


def _party(most: int) -> list[str]:
    if most == 1:
        return []
    options = "".join(
        f'<option value="{value}">{label}</option>' for value, label in party_options(most)
    )
    return [f'  <label>How many are you? <select name="party">{options}</select></label>']


def _frame(base_url: str, event: Event) -> str:
    return (
        f'<iframe src="{escape(event_url(base_url, event))}/embed"'
        f' title="{escape(event.details.name)}" width="100%" height="{FRAME_HEIGHT}"'
        ' style="border:0" loading="lazy"></iframe>'
    )
