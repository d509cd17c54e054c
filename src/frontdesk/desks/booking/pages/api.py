"""The JSON API for free times and bookings from any site, with the same rules as the page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.request_keys import request_key
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, GivenBy, HoldId
from frontdesk.desks.booking.pages.after_booking import manage_url
from frontdesk.desks.booking.pages.book_page import PAGE_RATE, service_in
from frontdesk.desks.booking.pages.booking_form import (
    BOOK_RATE,
    TIME_GONE,
    WantedTime,
    make_booking,
    send_links_to,
)
from frontdesk.desks.booking.pages.details_form import (
    CustomerDetails,
    Errors,
    read_details,
    terms_of,
    with_consent,
)
from frontdesk.desks.booking.pages.free_times import find
from frontdesk.desks.booking.pages.picker import instant_text
from frontdesk.desks.booking.pages.same_visit import ANOTHER
from frontdesk.desks.booking.pages.shared_answers import JSON_ANSWERS, shared_answer
from frontdesk.desks.booking.pages.state import PageState, read_state, staff_in
from frontdesk.desks.booking.pages.times_page import last_day
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import Approval, BookingRules, ServiceRules
from frontdesk.desks.booking.search.query import Query
from frontdesk.desks.booking.wish_wording import choosable
from frontdesk.web.consent import consent_notice
from frontdesk.web.cors_json import (
    as_json,
    encoded_json,
    idempotency_key,
    json_api,
    no,
    wrong_fields,
    wrong_types,
)
from frontdesk.web.forms import TRAP, read_json
from frontdesk.web.site import Site, limit_visitor, site_of

#: The days of one answer, from the day that `from` names.
MOST_DAYS: Final = timedelta(days=31)
_TEXTS: Final = (
    "service",
    "at",
    "staff",
    "name",
    "email",
    "mobile",
    "consent",
    "key",
    ANOTHER,
    TRAP,
)
_NOTHING: Final = "Nothing was booked."
_SECOND_YES: Final = 'Send "another": "yes" if it is for another person.'


@json_api
async def times(request: Request) -> Response:
    """Lists free times. Parameters: "service", "staff", "party", "from", "key"."""
    limit_visitor(request, "booking page", PAGE_RATE)
    wrong = _party_error(request)
    if wrong:
        return wrong_fields({"party": wrong})
    body = await shared_answer(request, JSON_ANSWERS, partial(_times, request))
    body = body or await _times(request)
    if body is None:
        return no(404, "There is no such service.", "Please send the name of a service.")
    return encoded_json(body)


def _party_error(request: Request) -> str:
    """The error of a party that is too large: times for a smaller one would be misleading."""
    typed, site = request.query_params, site_of(request)
    if not typed.get("party"):
        return ""
    rules = booking_reads(site.reads()).rules()
    service = service_in(site, rules, "", typed)
    if service is None or typed["party"] in map(str, range(1, service.most + 1)):
        return ""
    return _party_range(service)


def _party_range(service: ServiceRules) -> str:
    return f"Please send a number from 1 to {service.most}."


async def _times(request: Request) -> bytes | None:
    """The answer; None if there is no such service."""
    site = site_of(request)
    rules = booking_reads(site.reads()).rules()
    service = service_in(site, rules, "", request.query_params)
    if service is None:
        return None
    now = site.clock.now()
    state = read_state(rules, service, request.query_params, now, embedded=False)
    zones, notice = state.zones(rules), consent_notice(site)
    today, last_on = zones.on(now), last_day(service, zones, now)
    first_on = max(state.first_on or today, today)
    until = min(first_on + MOST_DAYS, last_on)
    query = Query(service.name, first_on, until, state.party, state.resource)
    found = await run_in_threadpool(find, site, rules, query, now, last_on=until)
    return msgspec.json.encode(
        {
            **_service(service, rules),
            "services": [one.name for one in rules.services if not one.unlisted],
            "zone": rules.zone,
            "consent": {"words": notice.words, "version": notice.version},
            "from": first_on.isoformat(),
            "to": until.isoformat(),
            "last_day": last_on.isoformat(),
            "best": [_time(one.starts_at, rules) for one in found.best],
            "times": [_time(one.starts_at, rules) for one in found.times.all()]
            if found.times
            else [],
        }
    )


def _service(service: ServiceRules, rules: BookingRules) -> Mapping[str, Any]:
    return {
        "service": service.name,
        "minutes": int(service.duration.total_seconds()) // 60,
        "price_cents": service.price_cents,
        "largest_party": service.most,
        "staff": [{"id": one.id, "name": one.name} for one in choosable(rules, service)],
        "questions": [
            {
                "id": one.id,
                "label": one.label,
                "kind": one.kind.value,
                "choices": list(one.choices),
                "required": one.required,
            }
            for one in service.questions
        ],
    }


def _time(at: datetime, rules: BookingRules) -> Mapping[str, str]:
    return {"at": instant_text(at), "local": f"{to_wall(at, zone(rules.zone)):%Y-%m-%dT%H:%M}"}


@json_api
async def book_by_json(request: Request) -> Response:
    """Fields: "service", "at", "staff", "party", "name", "email", "mobile", "answers", and
    "consent": the version of the words that the form showed, and "another": "yes" for a second
    visit at the same time."""
    site = site_of(request)
    limit_visitor(request, "book", BOOK_RATE)
    body = await read_json(request)
    wrong = _wrong_types(body)
    if wrong:
        return wrong_fields(wrong)
    rules = booking_reads(site.reads()).rules()
    typed = _typed(body)
    service = service_in(site, rules, "", typed) if typed["service"] else None
    if service is None:
        return no(404, "There is no such service.", f"{_NOTHING} Please send its name.")
    state = read_state(rules, service, typed, site.clock.now(), embedded=False)
    details = _details(site, rules, state, typed)
    if not isinstance(details, CustomerDetails):
        return wrong_fields(details)
    key = idempotency_key(request)
    if typed[TRAP]:
        return as_json({"state": "received", "message": RECEIVED})
    return await _booked(site, rules, state, details, key, unless_same=not typed[ANOTHER])


#: The result is sent as a message, so that the response does not reveal who is known.
RECEIVED: Final = "We have your request, and confirm it in a message."


def _wrong_types(body: Mapping[str, Any]) -> Errors:
    wrong, answers = wrong_types(body, _TEXTS), body.get("answers") or {}
    if not isinstance(answers, dict) or not all(
        isinstance(each, str) for pair in answers.items() for each in pair
    ):
        wrong["answers"] = "Please send an object with a text for each question."
    return wrong


def _typed(body: Mapping[str, Any]) -> dict[str, str]:
    """The body as the fields of the form."""
    answers = {f"answer-{name}": text for name, text in (body.get("answers") or {}).items()}
    return {
        **answers,
        **{name: body.get(name) or "" for name in _TEXTS},
        "party": str(body.get("party", 1)),
    }


def _details(
    site: Site, rules: BookingRules, state: PageState, typed: Mapping[str, str]
) -> CustomerDetails | Errors:
    """The details, or an error for each wrong value. A page ignores wrong parts of its address."""
    wrong: dict[str, str] = {}
    if state.at is None:
        wrong["at"] = "Please send an instant, like 2026-11-24T02:15Z."
    if typed["staff"] and not staff_in(rules, state.service, typed["staff"]):
        wrong["staff"] = "Please send one of the staff of this service."
    if str(state.party) != typed["party"]:
        wrong["party"] = _party_range(state.service)
    read = read_details(terms_of(site.settings), state.service, typed)
    found = with_consent(site, read, typed)
    if isinstance(found, CustomerDetails):
        return wrong or found
    return {**wrong, **{_API_NAMES.get(name, name): text for name, text in found.items()}}


#: The fields that differ from those of the form, which has one field for address and number.
_API_NAMES: Final = {"contact": "email"}


async def _booked(
    site: Site,
    rules: BookingRules,
    state: PageState,
    details: CustomerDetails,
    key: str | None,
    *,
    unless_same: bool,
) -> Response:
    """Scopes the idempotency key to the sender, so that two senders can use the same key."""
    assert state.at is not None
    wanted = WantedTime(state.service.name, state.at, state.party, state.resource)
    content = (wanted, details)
    scoped = key and request_key("bk/book", sender=details.contact, key=key, content=content)
    made = await make_booking(
        site,
        wanted,
        details,
        hold_id=HoldId(""),
        key=scoped,
        given_by=GivenBy.JSON,
        unless_same=unless_same,
    )
    if isinstance(made, Booking):
        return _made(site, state.service, made)
    if made in TIME_GONE:
        return no(409, "This time is not free.", f"{_NOTHING} Please ask for the times again.")
    if made is Reason.BAD_ANSWERS:
        return wrong_fields({"answers": "Please answer all required questions."})
    if made is Reason.SAME_VISIT:
        await site.unseen_work.run(partial(send_links_to, site, details.contact))
        return no(409, "This may be booked already.", f"{_NOTHING} {_SECOND_YES}")
    return no(409, "This could not be booked online.", f"{_NOTHING} Please get in touch with us.")


def _made(site: Site, service: ServiceRules, booking: Booking) -> Response:
    if service.approval is Approval.FIRST_VISIT:
        return as_json({"state": "received", "message": RECEIVED}, 202)
    return as_json(
        {
            "state": _STATES.get(booking.status, booking.status.value),
            "at": instant_text(booking.starts_at),
            "url": manage_url(site, booking),
        },
        201,
    )


_STATES: Final = {
    BookingStatus.PENDING: "waiting_for_approval",
    BookingStatus.CLAIMED: "being_confirmed",
}
