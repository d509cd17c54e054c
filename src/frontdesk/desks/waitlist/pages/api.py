"""The JSON API to join the list from any site, with the same rules as the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import contact_key
from frontdesk.core.request_keys import request_key
from frontdesk.desks.waitlist.pages import join, texts
from frontdesk.desks.waitlist.pages.join import TRAP
from frontdesk.desks.waitlist.pages.join_form import (
    Errors,
    JoinForm,
    Terms,
    read_join_form,
    terms_of,
)
from frontdesk.errors import KeyReused
from frontdesk.features.catalogue.model import Service
from frontdesk.web.cors_json import KEY_MEANS, as_json, is_usable, key_reused, no, wrong_fields
from frontdesk.web.forms import BadForm, read_json
from frontdesk.web.site import Site, site_of

_TEXTS: Final = ("name", "mobile", "email", "service", "earliest", "latest", "staff")


async def terms(request: Request) -> Response:
    """Lists the services, staff and dates for sites that build their own form."""
    now = terms_of(site_of(request))
    return as_json(
        {
            "open": now.is_open,
            "services": [_service(one) for one in now.catalogue.services],
            "staff": list(now.catalogue.staff),
            "currency": now.catalogue.currency,
            "first_day": now.today.isoformat(),
            "last_day": now.last_on.isoformat(),
        }
    )


def _service(service: Service) -> Mapping[str, Any]:
    return {
        "name": service.name,
        "minutes": int(service.duration.total_seconds()) // 60,
        "price_cents": service.price_cents,
        "largest_party": service.most,
    }


async def join_by_json(request: Request) -> Response:
    """Fields: "name", "mobile", "email", "service", "party", "earliest", "latest", "staff"."""
    site = site_of(request)
    try:
        join.limit(request, site)
    except HTTPException:
        return no(429, "That was a lot at once.", "Please wait a minute, then try again.")
    now = terms_of(site)
    if not now.is_open:
        return no(409, "The waitlist is not open yet.", "Nothing was changed.")
    try:
        body = await _body(request)
    except BadForm as error:
        return no(400, str(error), "Nothing was changed.")
    join_form = _join_form(now, body)
    if not isinstance(join_form, JoinForm):
        return wrong_fields(join_form)
    key = request.headers.get("idempotency-key")
    if key is not None and not is_usable(key):
        return no(422, "This Idempotency-Key cannot be used.", KEY_MEANS)
    return await _joined(site, join_form, key, trapped=bool(body.get(TRAP)))


async def _body(request: Request) -> Mapping[str, Any]:
    """Reads JSON, or a form whose sender wants a JSON answer."""
    if request.headers.get("content-type", "").startswith("application/json"):
        return await read_json(request)
    form = await join.read(request)
    return {**form.fields, "party": form.number("party", 1)}


def _join_form(now: Terms, body: Mapping[str, Any]) -> JoinForm | Errors:
    fields = {name: body.get(name) or "" for name in _TEXTS}
    party = body.get("party", 1)
    wrong = {
        name: "Please send this as text."
        for name, value in fields.items()
        if not isinstance(value, str)
    }
    if not isinstance(party, int) or isinstance(party, bool):
        wrong["party"] = "Please send this as a whole number."
    return wrong or read_join_form(now, {**fields, "party": str(party)})


async def _joined(site: Site, join_form: JoinForm, key: str | None, *, trapped: bool) -> Response:
    """Scopes the idempotency key to the sender, so that two senders can use the same key."""
    sender = contact_key(join_form.email, join_form.mobile)
    scoped = key and request_key("wl/join", sender=sender, key=key, content=join_form)
    try:
        wrong = {} if trapped else await join.put_on_the_list(site, join_form, key=scoped)
    except KeyReused:
        return key_reused()
    if wrong:
        return wrong_fields(wrong)
    message = f"{texts.ON_THE_LIST} {texts.LINK_FOLLOWS} {texts.KNOWN_ALREADY}"
    return as_json({"state": "on_the_list", "message": message})
