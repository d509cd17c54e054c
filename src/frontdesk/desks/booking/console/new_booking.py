"""Books for a customer on the phone, or moves a booking: one line, or a form.

Staff may knowingly overbook or book outside hours: the page warns first, and the audit records who
did it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import NO_CONTACT, BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import parse_wall, spoken_start, to_instant, to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.core.phones import read_phone
from frontdesk.core.text_rules import text_rules
from frontdesk.core.words import join_names
from frontdesk.desks.booking.commands import Book, MoveBooking
from frontdesk.desks.booking.console.formatting import customer
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_page,
    booking_url,
    first_step,
)
from frontdesk.desks.booking.console.phone_line import MOST_LINE, PhoneLine, read_line
from frontdesk.desks.booking.console.staff_warnings import warning
from frontdesk.desks.booking.model import Booking, BookingId, GivenBy, Lane, booking_id
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, ResourceId, ResourceKind
from frontdesk.values import Frozen
from frontdesk.web.console.lists import number
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/new"
MOST_NOTE: Final = 2_000
ERRORS: Final[Mapping[StrEnum, tuple[str, str]]] = {
    Reason.NO_SUCH_SERVICE: ("service", "Choose a service."),
    Reason.NO_SUCH_RESOURCE: ("staff", "They do not offer this service."),
    Reason.BAD_PARTY: ("party", "This party is too large for the service."),
    Reason.NO_CONTACT: ("mobile", NO_CONTACT),
    Reason.OF_THE_TEAM: ("email", "This address belongs to the team."),
    Reason.BAD_ANSWERS: ("service", "This service has questions that need an answer."),
    Reason.TOO_SOON: ("at", "This is more than a week ago."),
    Reason.TOO_FAR: ("at", "This is more than four years ahead."),
}


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(new_page), methods=["GET"]),
        Route(PATH, staff(book), methods=["POST"]),
    ]


async def new_page(request: Request) -> Response:
    asked = request.query_params
    moving = _moving(request, asked.get("move", ""))
    if moving is not None:
        return _page(request, _values_of(moving, _zone(request)), {}, moving=moving)
    line = asked.get("line", "").strip()[:MOST_LINE]
    if line:
        read = _read(request, line)
        return _page(request, {**_values_read(read), "line": line}, {}, read=read)
    names = ("service", "staff", "on", "at", "name", "email", "mobile")
    return _page(request, {name: asked.get(name, "")[:MOST_LINE] for name in names}, {})


def _zone(request: Request) -> ZoneInfo:
    return zone(bk_of(request).rules().zone)


def _read(request: Request, line: str) -> PhoneLine:
    site, rules = site_of(request), bk_of(request).rules()
    now = to_wall(site.clock.now(), zone(rules.zone))
    return read_line(line, rules, now, site.settings.country)


def _values_read(read: PhoneLine) -> dict[str, str]:
    return {
        "service": read.service,
        "staff": read.staff,
        "on": read.starts_at.date().isoformat() if read.starts_at else read.on,
        "at": f"{read.starts_at:%H:%M}" if read.starts_at else "",
        "name": read.name,
        "email": read.email,
        "mobile": read.mobile,
        **({"party": str(read.party)} if read.party else {}),
    }


def _read_text(read: PhoneLine) -> str:
    """Explains to staff how the parts of a line were read."""
    if not read.missing:
        return "Please check what was read, then book."
    return f"Please check what was read, and add {join_names(read.missing)}."


def _values_of(booking: Booking, tz: ZoneInfo) -> dict[str, str]:
    wall = to_wall(booking.starts_at, tz)
    return {
        "service": booking.service,
        "staff": booking.resources[0] if booking.resources else "",
        "on": wall.date().isoformat(),
        "at": f"{wall:%H:%M}",
        "name": booking.name,
        "email": booking.email,
        "mobile": booking.mobile,
        "party": str(booking.party),
    }


def _moving(request: Request, text: str) -> Booking | None:
    return bk_of(request).booking(BookingId(text)) if len(text) == 32 else None


# --- posting --------------------------------------------------------------------------------


class NewBookingValues(Frozen):
    """The clean values of the form."""

    service: str
    staff: ResourceId
    starts_at: datetime
    name: str
    email: str
    mobile: str
    party: int
    note: str


async def book(request: Request) -> Response:
    """Books or moves. If a rule forbids it, shows a warning with a second button."""
    form, bk = form_of(request), bk_of(request)
    moving = _moving(request, form["move"])
    typed, errors = clean_booking(form.fields, bk.rules(), site_of(request).settings.country)
    if typed is None:
        return _page(request, form.fields, errors, moving=moving, status=422)
    anyway = form.ticked("anyway")
    if moving is not None:
        command: Book | MoveBooking = MoveBooking(
            moving.id,
            typed.starts_at,
            typed.staff,
            by_staff=True,
            override=anyway,
            seen_version=number(form["version"]),
        )
    else:
        command = book_command(request, typed, anyway=anyway)
    outcome = await run(request, command, once=form["once"])
    if isinstance(outcome, Refused):
        return await _refused(request, form.fields, command, outcome.reason, moving)
    did = f"{'Moved' if moving else 'Booked'}. {_customer_notice(request, moving or typed)}"
    return done(request, booking_url(command.booking_id), did)


def _customer_notice(request: Request, customer: NewBookingValues | Booking) -> str:
    """Says whether the customer gets a message."""
    settings = site_of(request).settings
    texts = settings.texts_by != "none" and not text_rules(settings).why_not(customer.mobile)
    if customer.email or texts:
        return "The customer is told."
    return "No message reaches this number: please call the customer."


def book_command(request: Request, typed: NewBookingValues, *, anyway: bool) -> Book:
    site = site_of(request)
    return Book(
        booking_id=booking_id(site.new_id()),
        person_id=PersonId(site.new_id()),
        service=typed.service,
        starts_at=typed.starts_at,
        name=typed.name,
        email=typed.email,
        mobile=typed.mobile,
        party=typed.party,
        resource=typed.staff,
        lane=Lane.STAFF,
        given_by=GivenBy.CONSOLE,
        override=anyway,
        note=typed.note,
    )


def clean_booking(
    fields: Mapping[str, str], rules: BookingRules, country: str
) -> tuple[NewBookingValues | None, dict[str, str]]:
    errors: dict[str, str] = {}

    def clean(name: str, by: Callable[[str], str], *, may_be_empty: bool = False) -> str:
        text = fields.get(name, "").strip()
        if not text and may_be_empty:
            return ""
        try:
            return by(text)
        except BadContact as bad:
            errors[name] = str(bad)
            return ""

    name = clean("name", clean_name)
    email = clean("email", clean_email, may_be_empty=True)
    mobile = clean("mobile", lambda text: read_phone(text, country), may_be_empty=True)
    starts_at = _instant(fields, rules)
    if starts_at is None:
        errors["at"] = "Enter a date and a time, like 15:00."
    if rules.service(fields.get("service", "")) is None:
        errors["service"] = "Choose a service."
    if not email and not mobile and not errors.keys() & {"email", "mobile"}:
        errors["mobile"] = NO_CONTACT
    if errors or starts_at is None:
        return None, errors
    party = min(number(fields.get("party", "1"), digits=4) or 1, 1_000)
    return NewBookingValues(
        fields["service"],
        ResourceId(fields.get("staff", "")),
        starts_at,
        name,
        email,
        mobile,
        party,
        fields.get("note", "").strip()[:MOST_NOTE],
    ), {}


def _instant(fields: Mapping[str, str], rules: BookingRules) -> datetime | None:
    try:
        wall = parse_wall(f"{fields.get('on', '').strip()}T{fields.get('at', '').strip()}")
    except ValueError:
        return None
    return to_instant(wall, zone(rules.zone))


async def warning_of(request: Request, command: Book | MoveBooking, reason: StrEnum) -> str:
    """The warning of all rules that staff would break; empty if they cannot break them."""
    site = site_of(request)
    loader, reads, now = loader_of(site), site.reads(), site.clock.now()
    return await run_in_threadpool(warning, loader, reads, command, reason, now)


async def _refused(
    request: Request,
    fields: Mapping[str, str],
    command: Book | MoveBooking,
    reason: StrEnum,
    moving: Booking | None,
) -> Response:
    if text := await warning_of(request, command, reason):
        return _page(request, fields, {}, moving=moving, warning=text, status=409)
    name, text = ERRORS.get(
        reason, ("at", "That is not possible any more. Please look at the booking again.")
    )
    return _page(request, fields, {name: text}, moving=moving, status=422)


def line_example(rules: BookingRules) -> str:
    """A line with the business's own words: 'Mia Tue 15:00 Haircut Anna, phone or e-mail'."""
    people = (one.name for one in rules.resources if one.kind is ResourceKind.STAFF)
    services = (one.name for one in rules.services)
    parts = (next(people, ""), "Tue 15:00", next(services, ""), "Anna, phone or e-mail")
    return " ".join(filter(None, parts))


# --- the page -------------------------------------------------------------------------------


def _service_options(rules: BookingRules, chosen: str) -> list[tuple[str, str]]:
    """Preselects no service if there are several, so that staff do not book a wrong one."""
    options = [(one.name, one.name) for one in rules.services]
    is_open = len(options) > 1 and rules.service(chosen) is None
    return [("", "Choose a service"), *options] if is_open else options


def _page(
    request: Request,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    moving: Booking | None = None,
    warning: str = "",
    read: PhoneLine | None = None,
    status: int = 200,
) -> Response:
    rules = bk_of(request).rules()
    context: dict[str, Any] = {
        "values": values,
        "errors": errors,
        "warning": warning,
        "read_text": _read_text(read) if read else "",
        "moving": moving,
        "first_step": None if moving else first_step(request),
        "moving_from": spoken_start(moving.starts_at, zone(rules.zone)) if moving else "",
        "services": _service_options(rules, values.get("service", "")),
        "people": [
            ("", "Anyone"),
            *((one.id, one.name) for one in rules.resources if one.kind is ResourceKind.STAFF),
        ],
        "line_example": line_example(rules),
        "takes_parties": any(one.most > 1 for one in rules.services),
        "once": site_of(request).new_id(),
        "back_url": booking_url(moving.id) if moving else BOOKINGS,
    }
    title = f"Move {customer(moving)}" if moving else "Book for a customer"
    return booking_page(request, "new.html", tab="Day", page_title=title, status=status, **context)
