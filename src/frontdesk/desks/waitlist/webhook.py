"""The signed webhook for booking tools, `POST /hooks/waitlist/<tool>`. Repeats are ignored."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import parse_instant
from frontdesk.desks.waitlist.commands import ReportOverlap
from frontdesk.desks.waitlist.decide.moves import why_too_late
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, Slot
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.ports import Outcome
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.web.forms import BadForm, json_object, read_body
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, limit_visitor, site_of

#: The tolerance for clock difference and delay.
FRESH: Final = timedelta(minutes=5)

_STAMPED: Final = re.compile(r"t=(?P<at>\d{1,12}),v1=(?P<mac>[0-9a-f]{64})")
_PLAIN: Final = re.compile(r"(?:sha256=)?(?P<mac>[0-9a-f]{64})")


def has_timed_signature(header: str, body: bytes, secret: str, now: datetime) -> bool:
    """Verifies `t=<seconds>,v1=<hex>`, an HMAC-SHA256 of `<seconds>.<body>`. Rejects old
    requests."""
    found = _STAMPED.fullmatch(header.strip())
    if found is None or not secret:
        return False
    expected = _mac(secret, found["at"].encode() + b"." + body)
    fresh = abs(now.timestamp() - int(found["at"])) <= FRESH.total_seconds()
    return hmac.compare_digest(expected, found["mac"]) and fresh


def has_plain_signature(header: str, body: bytes, secret: str, _now: datetime) -> bool:
    """Verifies an HMAC-SHA256 of the body. The slot's origin makes a replay harmless."""
    found = _PLAIN.fullmatch(header.strip())
    return (
        found is not None and bool(secret) and hmac.compare_digest(_mac(secret, body), found["mac"])
    )


def _mac(secret: str, signed: bytes) -> str:
    return hmac.digest(secret.encode(), signed, "sha256").hex()


MOST_CHARACTERS: Final = 200
LONGEST: Final = timedelta(days=1)
#: The actions of our own format.
CANCELLED: Final = "cancelled"
NO_SHOW: Final = "no_show"


class BadNotice(ValueError):
    """A notice cannot be read. The text says what is wrong, for the person who set up the tool."""


class FreedNotice(Frozen):
    origin: str
    """The tool's id of what was freed. The same origin never makes a second slot."""
    opening: Opening
    rest: bool = False
    """Only the rest of the time is free, because the customer did not come."""


class Tool(Frozen):
    """A booking tool. `read` returns None for a notice about something else."""

    name: str
    header: str
    is_signed: Callable[[str, bytes, str, datetime], bool]
    read: Callable[[Mapping[str, Any], Catalogue], FreedNotice | None]


# --- our own format ---------------------------------------------------------------------------


def read_own(body: Mapping[str, Any], catalogue: Catalogue) -> FreedNotice:
    """Fields: "id", "service", "starts_at"; optional "action", "minutes", "places", "staff",
    "price"."""
    action = _text(body, "action", CANCELLED)
    if action not in (CANCELLED, NO_SHOW):
        raise BadNotice(f"action should be {CANCELLED} or {NO_SHOW}")
    service = _text(body, "service")
    known = catalogue.service(service)
    minutes = body.get("minutes")
    length = known.duration if minutes is None and known else _minutes(minutes)
    source = "webhook" if action == CANCELLED else "no-show-webhook"
    return FreedNotice(
        f"{source}:{_text(body, 'id')}",
        Opening(
            service,
            _instant(body, "starts_at"),
            length,
            _places(body),
            _text(body, "staff", ""),
            _cents(body["price"]) if "price" in body else known.price_cents if known else 0,
        ),
        rest=action == NO_SHOW,
    )


# --- Cal.com ----------------------------------------------------------------------------------


def read_cal_com(body: Mapping[str, Any], catalogue: Catalogue) -> FreedNotice | None:
    """Reads a cancelled or moved booking; a moved one frees its old time."""
    trigger, booking = body.get("triggerEvent"), _map(body, "payload")
    if trigger == "BOOKING_CANCELLED":
        start, end, uid = "startTime", "endTime", _text(booking, "uid")
    elif trigger == "BOOKING_RESCHEDULED":
        start, end, uid = (
            "rescheduleStartTime",
            "rescheduleEndTime",
            _text(booking, "rescheduleUid"),
        )
    else:
        return None
    service = _first(booking, "eventTitle", "type", "title")
    staff = _text(_map(booking, "organizer"), "name", "")
    return FreedNotice(f"cal.com:{uid}", _between(booking, start, end, service, staff, catalogue))


# --- Calendly ---------------------------------------------------------------------------------


def read_calendly(body: Mapping[str, Any], catalogue: Catalogue) -> FreedNotice | None:
    """Reads a cancelled invitee. Calendly reports a moved one as cancelled."""
    if body.get("event") != "invitee.canceled":
        return None
    invitee = _map(body, "payload")
    event = _map(invitee, "scheduled_event")
    members = event.get("event_memberships")
    first = members[0] if isinstance(members, list) and members else {}
    staff = _text(first, "user_name", "") if isinstance(first, dict) else ""
    opening = _between(event, "start_time", "end_time", _text(event, "name"), staff, catalogue)
    return FreedNotice(f"calendly:{_text(invitee, 'uri')}", opening)


TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        Tool("frontdesk", "frontdesk-signature", has_timed_signature, read_own),
        Tool("cal.com", "x-cal-signature-256", has_plain_signature, read_cal_com),
        Tool("calendly", "calendly-webhook-signature", has_timed_signature, read_calendly),
    )
}


# --- values -----------------------------------------------------------------------------------


def _between(
    body: Mapping[str, Any], start: str, end: str, service: str, staff: str, catalogue: Catalogue
) -> Opening:
    """An opening between two times. Its price comes from the catalogue."""
    starts_at = _instant(body, start)
    length = _instant(body, end) - starts_at
    if not timedelta() < length <= LONGEST:
        raise BadNotice(f"{end} should be after {start}, by a day at most")
    known = catalogue.service(service)
    return Opening(service, starts_at, length, 1, staff, known.price_cents if known else 0)


def _text(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or not value.strip() or len(value) > MOST_CHARACTERS:
        raise BadNotice(f"{name} should be a text of up to {MOST_CHARACTERS} characters")
    return value.strip()


def _first(body: Mapping[str, Any], *names: str) -> str:
    return _text(body, next((name for name in names if body.get(name)), names[0]))


def _map(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = body.get(name)
    if not isinstance(value, dict):
        raise BadNotice(f"{name} is missing")
    return value


def _instant(body: Mapping[str, Any], name: str) -> datetime:
    """A time with its zone, in a year that we support."""
    try:
        return parse_instant(_text(body, name))
    except ValueError as error:
        raise BadNotice(
            f"{name} should be a time with its zone, like 2026-11-20T15:00:00+08:00"
        ) from error


def _minutes(value: Any) -> timedelta:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 24 * 60:
        return timedelta(minutes=value)
    raise BadNotice("minutes should be a whole number from 1 to 1440")


def _places(body: Mapping[str, Any]) -> int:
    value = body.get("places", 1)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000:
        return value
    raise BadNotice("places should be a whole number from 1 to 1000")


def _cents(value: Any) -> int:
    """Converts a price like '120.00' or 120 to cents."""
    if isinstance(value, bool) or not _PRICE.fullmatch(str(value)):
        raise BadNotice("price should be like 120.00")
    return int((Decimal(str(value)) * 100).to_integral_value())


#: Excludes exponents, because a short text with one could need all memory.
_PRICE: Final = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,20})?")


MOST_BYTES: Final = 64 * 1024
#: Limits per sender: generous for a tool, strict for a sender with a wrong signature.
RATE: Final = Rate(burst=120, per_minute=60)
FORGED_RATE: Final = Rate(burst=20, per_minute=6)


def routes() -> list[BaseRoute]:
    return [Route("/hooks/waitlist/{tool}", take, methods=["POST"])]


async def take(request: Request) -> Response:
    site = site_of(request)
    tool = TOOLS.get(request.path_params["tool"])
    secret = secret_of(site.settings, tool) if tool else ""
    if tool is None or not secret:
        return _problem(404, "Nothing is listening here. The secret of this tool is not set.")
    limit_visitor(request, "webhook", RATE)
    try:
        body = await read_body(request, MOST_BYTES)
    except BadForm as error:
        return _problem(413, str(error))
    now = site.clock.now()
    if not tool.is_signed(request.headers.get(tool.header, ""), body, secret, now):
        limit_visitor(request, "forged webhook", FORGED_RATE)
        return _problem(401, f"The {tool.header} header does not fit this body, or is too old.")
    try:
        freed = tool.read(_decoded(body), waitlist(site.reads()).catalogue())
    except BadNotice as error:
        return _problem(422, str(error))
    if freed is None:
        return JSONResponse({"slot": None, "means": "This is not about a time that came free."})
    outcome = await run_in_threadpool(_free, site, tool, freed)
    if isinstance(outcome, Refused) and outcome.reason in (Reason.OVERLAPS, Reason.TAKEN):
        report = ReportOverlap(freed.origin, freed.opening)
        await site.run(report, by=f"webhook:{tool.name}")
    return _answered(site, freed, outcome)


def secret_of(settings: Settings, tool: Tool) -> str:
    return {
        "frontdesk": settings.webhook_secret,
        "cal.com": settings.cal_com_secret,
        "calendly": settings.calendly_secret,
    }[tool.name]


def _free(site: Site, tool: Tool, freed: FreedNotice) -> Outcome:
    by = f"webhook:{tool.name}"
    return slot_intake_in(site).free(freed.origin, freed.opening, by=by, rest=freed.rest)


def _answered(site: Site, freed: FreedNotice, outcome: Outcome) -> Response:
    """Answers with success if a retry cannot help, because tools retry after an error."""
    slot = waitlist(site.reads()).slot_by_origin(freed.origin)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_FREED:
        means = _MEANS.get(outcome.reason, "It was not taken.")
        return JSONResponse({"slot": None, "means": means})
    known = isinstance(outcome, Refused) or outcome.repeated
    means = "We were told of it before." if known else _next_step(slot, site.clock.now())
    return JSONResponse({"slot": slot.id if slot else None, "means": means}, 200 if known else 201)


def _next_step(slot: Slot | None, now: datetime) -> str:
    """Tells what happens next to a slot that has just come free. A follower then finds
    the person."""
    if slot and why_too_late(slot, now):
        return "It is handed back to staff: nobody can be asked in time."
    return "It is free. The first on the list who suits it is asked, if anybody does."


_MEANS: Final[Mapping[Any, str]] = {
    Reason.BEGUN: "Its time has begun, or too little of it is left: nobody can be asked any more.",
    Reason.BAD_SLOT: "It makes no sense: a slot lasts from a minute to a day and has a service.",
    Reason.OVERLAPS: "The staff member, or the only place, has another slot at this time. "
    "Staff are asked.",
    Reason.TAKEN: "The staff member is booked at this time, or it is held. Nothing is offered.",
}


def _decoded(body: bytes) -> Mapping[str, Any]:
    try:
        return json_object(body)
    except BadForm as error:
        raise BadNotice("The body should be a JSON object.") from error


def _problem(status: int, problem: str) -> Response:
    return JSONResponse({"problem": problem, "means": "Nothing was changed."}, status)
