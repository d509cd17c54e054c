"""The JSON API to join the list from any site, with the same rules as the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import contact_key
from frontdesk.core.request_keys import request_key
from frontdesk.desks.waitlist.pages import join, texts
from frontdesk.desks.waitlist.pages.join import JOIN_RATE
from frontdesk.desks.waitlist.pages.join_form import (
    NOT_LISTED,
    Errors,
    FormChoices,
    JoinForm,
    read_join_form,
    terms_of,
)
from frontdesk.features.catalogue.model import Service
from frontdesk.web.consent import consent_notice
from frontdesk.web.cors_json import (
    as_json,
    idempotency_key,
    json_api,
    no,
    read_public_body,
    wrong_fields,
    wrong_types,
)
from frontdesk.web.forms import TRAP
from frontdesk.web.site import Site, limit_visitor, site_of

_TEXTS: Final = ("name", "mobile", "email", "service", "earliest", "latest", "staff", "consent")


async def terms(request: Request) -> Response:
    """Lists the services, staff and dates for sites that build their own form."""
    site = site_of(request)
    now, notice = terms_of(site), consent_notice(site)
    return as_json(
        {
            "open": now.is_open,
            "services": [_service(one) for one in now.catalogue.services],
            "staff": list(now.catalogue.staff),
            "currency": now.catalogue.currency,
            "first_day": now.today.isoformat(),
            "last_day": now.last_on.isoformat(),
            "consent": {"words": notice.words, "version": notice.version},
        }
    )


def _service(service: Service) -> Mapping[str, Any]:
    return {
        "name": service.name,
        "minutes": int(service.duration.total_seconds()) // 60,
        "price_cents": service.price_cents,
        "largest_party": service.most,
    }


@json_api
async def join_by_json(request: Request) -> Response:
    """Joins the list. Fields: "name", "mobile", "email", "service", "party", "earliest", "latest",
    "staff", and "consent", the version of the words that the site showed."""
    site = site_of(request)
    limit_visitor(request, "waitlist", JOIN_RATE)
    now = terms_of(site)
    if not now.is_open:
        return no(409, "The waitlist is not open yet.", "Nothing was changed.")
    body = await read_public_body(request)
    join_form = _join_form(site, now, body)
    if not isinstance(join_form, JoinForm):
        return wrong_fields(join_form)
    return await _join(site, join_form, idempotency_key(request), trapped=bool(body.get(TRAP)))


def _join_form(site: Site, now: FormChoices, body: Mapping[str, Any]) -> JoinForm | Errors:
    if wrong := wrong_types(body, _TEXTS):
        return wrong
    fields = {name: body.get(name) or "" for name in _TEXTS}
    read = read_join_form(now, {**fields, "party": str(body.get("party", 1))})
    if not isinstance(read, JoinForm):
        return {name: _LISTED if says == NOT_LISTED else says for name, says in read.items()}
    return join.read_consent(site, read, fields)


#: Sentences for a script, which shows no choices beside the error as the form does.
_LISTED: Final = "Please choose one that GET /api/waitlist lists."


async def _join(site: Site, join_form: JoinForm, key: str | None, *, trapped: bool) -> Response:
    """Joins the list. Scopes the idempotency key to the sender, so that two senders can use the
    same key."""
    sender = contact_key(join_form.email, join_form.mobile)
    scoped = key and request_key("wl/join", sender=sender, key=key, content=join_form)
    wrong = {} if trapped else await join.join_list(site, join_form, key=scoped)
    if wrong:
        return wrong_fields(wrong)
    message = f"{texts.ON_THE_LIST} {texts.LINK_FOLLOWS} {texts.KNOWN_ALREADY}"
    return as_json({"state": "on_the_list", "message": message})
