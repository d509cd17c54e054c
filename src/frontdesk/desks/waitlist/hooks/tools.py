"""Parses the cancellation notices of each booking tool into freed slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from frontdesk.core.localtime import parse_instant
from frontdesk.desks.waitlist.hooks import signing
from frontdesk.desks.waitlist.model import Opening
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 200
LONGEST: Final = timedelta(days=1)


#: The actions of our own format.
CANCELLED: Final = "cancelled"
NO_SHOW: Final = "no_show"


class BadNotice(ValueError):
    """A notice cannot be read. The text tells whoever set up the tool what is wrong."""


class Freed(Frozen):
    origin: str
    """The tool's name for what was freed. The same origin never makes a second slot."""
    opening: Opening
    rest: bool = False
    """The customer did not come; the rest of the time is free."""


class Tool(Frozen):
    """A booking tool. `read` returns None for a notice about something else."""

    name: str
    header: str
    is_signed: Callable[[str, bytes, str, datetime], bool]
    read: Callable[[Mapping[str, Any], Catalogue], Freed | None]


# --- our own format ---------------------------------------------------------------------------


def read_own(body: Mapping[str, Any], catalogue: Catalogue) -> Freed:
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
    return Freed(
        f"{source}:{_text(body, 'id')}",
        Opening(
            service,
            _instant(body, "starts_at"),
            length,
            _whole(body, "places", 1),
            _text(body, "staff", ""),
            _cents(body["price"]) if "price" in body else known.price_cents if known else 0,
        ),
        rest=action == NO_SHOW,
    )


# --- Cal.com ----------------------------------------------------------------------------------


def read_cal_com(body: Mapping[str, Any], catalogue: Catalogue) -> Freed | None:
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
    return Freed(f"cal.com:{uid}", _between(booking, start, end, service, staff, catalogue))


# --- Calendly ---------------------------------------------------------------------------------


def read_calendly(body: Mapping[str, Any], catalogue: Catalogue) -> Freed | None:
    """Reads a cancelled invitee; a moved one is cancelled as well."""
    if body.get("event") != "invitee.canceled":
        return None
    invitee = _map(body, "payload")
    event = _map(invitee, "scheduled_event")
    members = event.get("event_memberships")
    first = members[0] if isinstance(members, list) and members else {}
    staff = _text(first, "user_name", "") if isinstance(first, dict) else ""
    opening = _between(event, "start_time", "end_time", _text(event, "name"), staff, catalogue)
    return Freed(f"calendly:{_text(invitee, 'uri')}", opening)


TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        Tool("frontdesk", "frontdesk-signature", signing.stamped, read_own),
        Tool("cal.com", "x-cal-signature-256", signing.plain, read_cal_com),
        Tool("calendly", "calendly-webhook-signature", signing.stamped, read_calendly),
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


def _whole(body: Mapping[str, Any], name: str, default: int) -> int:
    value = body.get(name, default)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000:
        return value
    raise BadNotice(f"{name} should be a whole number from 1 to 1000")


def _cents(value: Any) -> int:
    """Converts a price like '120.00' or 120 to cents."""
    if isinstance(value, bool) or not _PRICE.fullmatch(str(value)):
        raise BadNotice("price should be like 120.00")
    return int((Decimal(str(value)) * 100).to_integral_value())


#: Excludes exponents: a short text could name a number that needs all our memory.
_PRICE: Final = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,20})?")
