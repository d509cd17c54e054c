"""The list of bookings: by time, by state, with search and files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from frontdesk.core.localtime import to_wall
from frontdesk.desks.booking.console.formatting import (
    CHIPS,
    contact,
    customer,
    day_and_time,
    served_by,
)
from frontdesk.desks.booking.console.page import BOOKINGS, bk_of, booking_page, booking_url, zone_of
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen
from frontdesk.web.console.lists import (
    Column,
    EmptyState,
    ListQuery,
    ListSpec,
    PageLink,
    list_routes,
    matches,
)
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/list"
_AHEAD: Final = timedelta(days=400)
_BACK: Final = timedelta(days=400)


class BookingRow(Frozen):
    booking: Booking
    rules: BookingRules
    tz: ZoneInfo


LIST: Final = ListSpec[BookingRow](
    id="bookings",
    path=PATH,
    caption="Bookings",
    columns=(
        Column(
            "when",
            "When",
            lambda row: day_and_time(row.booking, row.tz),
            lambda row: to_wall(row.booking.starts_at, row.tz),
        ),
        Column(
            "customer",
            "Customer",
            lambda row: customer(row.booking),
            lambda row: row.booking.name,
            long=True,
            plain=True,
        ),
        Column(
            "service",
            "Service",
            lambda row: row.booking.service,
            lambda row: row.booking.service,
            long=True,
            plain=True,
        ),
        Column(
            "with",
            "Staff, room",
            lambda row: served_by(row.rules, row.booking),
            lambda row: served_by(row.rules, row.booking),
            long=True,
        ),
        Column(
            "state",
            "State",
            lambda row: CHIPS[row.booking.status],
            lambda row: row.booking.status.value,
        ),
        Column("email", "E-mail", in_file=lambda row: row.booking.email),
        Column("mobile", "Mobile", in_file=lambda row: row.booking.mobile),
        Column("party", "Party", in_file=lambda row: row.booking.party),
    ),
    row_url=lambda row: booking_url(row.booking.id),
    is_gone=lambda row: not row.booking.takes_time,
    filters=(
        ("", "Upcoming"),
        ("pending", "Needs approval"),
        ("past", "Past"),
        ("ended", "Cancelled and missed"),
    ),
    search="Search name, contact or service",
    empty=EmptyState(
        "No bookings yet",
        "Customers book on your booking page, by mail, or you book for them.",
        "bookings",
        (PageLink("Book for a customer", f"{BOOKINGS}/new"),),
    ),
)


def routes() -> list[BaseRoute]:
    return list_routes(PATH, list_page, list_file, staff)


async def list_page(request: Request) -> Response:
    query = LIST.query(request)
    rows = await run_in_threadpool(_rows, request, query)
    view = LIST.view(query, query.slice(rows), total=len(rows))
    return booking_page(request, "console/list.html", tab="List", page_title="List", list=view)


async def list_file(request: Request) -> Response:
    query = LIST.query(request)
    return await LIST.file(request, lambda: _rows(request, query), name="bookings")


def _rows(request: Request, query: ListQuery) -> list[BookingRow]:
    bk, tz, now = bk_of(request), zone_of(request), site_of(request).clock.now()
    rules = bk.rules()
    found = _found(bk, query.filter, now)
    return [
        BookingRow(one, rules, tz) for one in found if matches(query.search, _searched(one, rules))
    ]


def _searched(booking: Booking, rules: BookingRules) -> str:
    """Also finds bookings of a renamed service by its present name."""
    service = rules.service(booking.service)
    present = service.name if service else ""
    return f"{booking.name} {contact(booking)} {booking.service} {present}"


def _found(bk: BookingReads, kind: str, now: datetime) -> Sequence[Booking]:
    match kind:
        case "pending":
            return bk.bookings_in(BookingStatus.PENDING, 1_000)
        case "past":
            past = bk.bookings_between(now - _BACK, now)
            return [one for one in reversed(past) if one.takes_time]
        case "ended":
            every = bk.bookings_between(now - _BACK, now + _AHEAD)
            return [one for one in reversed(every) if not one.takes_time]
        case _:
            return _upcoming(bk, now)


def upcoming(request: Request) -> list[Booking]:
    return _upcoming(bk_of(request), site_of(request).clock.now())


def _upcoming(bk: BookingReads, now: datetime) -> list[Booking]:
    return [one for one in bk.bookings_between(now, now + _AHEAD) if one.takes_time]


def count_upcoming(reads: Reads, now: datetime) -> tuple[int, str, str]:
    return len(_upcoming(booking_reads(reads), now)), "booking", "bookings"
