"""The day board with a column for each person, and the views of a week and a month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import (
    ENGLISH,
    parse_day,
    same_wall_time,
    spoken_day,
    to_wall,
    zone,
)
from frontdesk.core.words import count, short_length
from frontdesk.desks.booking.console.day_columns import (
    Block,
    BlockKind,
    DayColumn,
    DayColumns,
    day_columns,
    day_span,
)
from frontdesk.desks.booking.console.formatting import (
    CHIPS,
    clock_span,
    contact,
    customer,
    served_by,
)
from frontdesk.desks.booking.console.new_booking import line_example
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_page,
    booking_url,
    first_step,
)
from frontdesk.desks.booking.model import Booking, Handover, HandoverId
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceKind
from frontdesk.desks.booking.ticks import (
    TICKS_PER_HOUR,
    HolderKind,
    TakenTicks,
    parse_holder,
    starts_of,
)
from frontdesk.web.console.formatting import short_date
from frontdesk.web.console.lists import with_query
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
#: A gap shorter than this is not worth a button.
_LEAST_GAP: Final = 3
#: A block of fewer ticks has no room for a line of text.
_FEWEST_WITH_TEXT: Final = 3
_WORDS: Final = {
    BlockKind.BUFFER: "Buffer",
    BlockKind.HELD: "Held for a customer",
    BlockKind.ON_OFFER: "On offer",
    BlockKind.BUSY: "Busy in the calendar",
}


def routes() -> list[BaseRoute]:
    return [
        Route(BOOKINGS, staff(day_page), methods=["GET"]),
        Route(f"{BOOKINGS}/week", staff(week_page), methods=["GET"]),
        Route(f"{BOOKINGS}/month", staff(month_page), methods=["GET"]),
    ]


async def day_page(request: Request) -> Response:
    site, bk = site_of(request), bk_of(request)
    now, rules = site.clock.now(), bk.rules()
    tz = zone(rules.zone)
    on = _asked_day(request, tz)
    start, end = same_wall_time(on - _DAY, time(), tz), same_wall_time(on + _DAY, time(), tz)
    bookings = bk.bookings_between(start, end)
    is_all = bool(request.query_params.get("all"))
    of_the_day = [one for one in _live(bookings) if to_wall(one.starts_at, tz).date() == on]
    shown = list(rules.resources) if is_all else _usual_columns(rules, of_the_day)
    shown += _former_resources(rules, of_the_day)
    taken = bk.taken([one.id for one in shown], day_span(rules, on))
    columns = day_columns(
        rules,
        on,
        taken=taken,
        bookings={one.id: one for one in bookings},
        handovers=_handovers(bk, taken),
        busy=loader_of(site).busy(site.reads(), shown, start + _DAY, end).busy,
        resources=shown,
        now=now,
    )
    return booking_page(
        request,
        "day.html",
        tab="Day",
        page_title="Day",
        first_step=first_step(request),
        heading=f"{spoken_day(on)} {on.year}",
        says=count(len(of_the_day), "booking") if of_the_day else "No bookings.",
        on=on.isoformat(),
        is_today=on == to_wall(now, tz).date(),
        previous=_day_url(on - _DAY, is_all=is_all),
        next=_day_url(on + _DAY, is_all=is_all),
        hours=[{"row": _row(columns, tick), "label": label} for tick, label in columns.hours],
        rows=columns.span.end - columns.span.start,
        columns=[_column(columns, column, tz) for column in columns.columns],
        now_row=_now_row(columns, int(now.timestamp()) // 300),
        is_all=is_all,
        all_url=_day_url(on, is_all=not is_all) if _has_rooms(rules) else "",
        line_example=line_example(rules),
    )


def _asked_day(request: Request, tz: ZoneInfo) -> date:
    """The day in the address; today if there is none or it cannot be read."""
    try:
        return parse_day(request.query_params.get("on", ""))
    except ValueError:
        return to_wall(site_of(request).clock.now(), tz).date()


def _handovers(bk: BookingReads, taken: Iterable[TakenTicks]) -> dict[str, Handover]:
    """The times on offer among those that are taken, by id."""
    holders = {parse_holder(each.holder) for each in taken}
    ids = [HandoverId(one.id) for one in holders if one.kind is HolderKind.HANDOVER]
    found = (bk.handover(each) for each in ids)
    return {one.id: one for one in found if one is not None}


def _usual_columns(rules: BookingRules, bookings: Iterable[Booking]) -> list[Resource]:
    """The team, and resources booked without a team member, so that no booking is missing."""
    people = {one.id for one in rules.resources if one.kind is ResourceKind.STAFF}
    alone = {each for one in bookings if not people & {*one.resources} for each in one.resources}
    shown = [one for one in rules.resources if one.id in people | alone]
    return shown if people else list(rules.resources)


def _former_resources(rules: BookingRules, bookings: Iterable[Booking]) -> list[Resource]:
    """Resources that have bookings and are not in the rules any more. Nobody can book them."""
    ids = dict.fromkeys(each for one in bookings for each in one.resources)
    gone = (each for each in ids if rules.resource(each) is None)
    return [Resource(each, f"{each} (not in the rules)", hours=((),) * 7) for each in gone]


def _has_rooms(rules: BookingRules) -> bool:
    return len({one.kind is ResourceKind.STAFF for one in rules.resources}) > 1


def _day_url(on: date, *, is_all: bool = False) -> str:
    return with_query(BOOKINGS, {"on": on.isoformat(), **({"all": "yes"} if is_all else {})})


def _live(bookings: Iterable[Booking]) -> list[Booking]:
    return [one for one in bookings if one.takes_time]


# --- the board ------------------------------------------------------------------------------


def _row(columns: DayColumns, tick: int) -> int:
    """The number of a line in the grid; the first line is 1."""
    return tick - columns.span.start + 1


def _now_row(columns: DayColumns, tick: int) -> int:
    return _row(columns, tick) if columns.span.start <= tick < columns.span.end else 0


def _is_shown(block: Block) -> bool:
    return block.kind is not BlockKind.GAP or block.span.end - block.span.start >= _LEAST_GAP


def _column(columns: DayColumns, column: DayColumn, tz: ZoneInfo) -> dict[str, Any]:
    blocks = [
        _block(columns, column.resource, block, tz) for block in column.blocks if _is_shown(block)
    ]
    return {
        "name": column.resource.name,
        "lanes": column.lanes,
        "booked": short_length(timedelta(minutes=column.booked_minutes))
        if column.booked_minutes
        else "",
        "is_off": not column.working,
        "working": [
            {"start": _row(columns, span.start), "end": _row(columns, span.end)}
            for span in column.working
        ],
        "blocks": blocks,
    }


def _block(columns: DayColumns, resource: Resource, block: Block, tz: ZoneInfo) -> dict[str, Any]:
    start, end = starts_of(block.span.start), starts_of(block.span.end)
    booking = block.booking
    return {
        "kind": block.kind.value.replace(" ", "-"),
        "start": max(_row(columns, block.span.start), 1),
        "end": min(_row(columns, block.span.end), columns.span.end - columns.span.start + 1),
        "lane": block.lane + 1,
        "is_tiny": block.span.end - block.span.start < _FEWEST_WITH_TEXT,
        "is_tall": block.span.end - block.span.start >= TICKS_PER_HOUR,
        "is_short": block.span.end - block.span.start < TICKS_PER_HOUR // 2,
        "time": clock_span(start, end, tz),
        "starts": f"{to_wall(start, tz):%H:%M}",
        "until": f"to {to_wall(end, tz):%H:%M}",
        "title": _title(block, booking),
        "more": booking.service if booking and block.kind is not BlockKind.BUFFER else "",
        "contact": contact(booking) if booking else "",
        "chip": CHIPS[booking.status] if booking else None,
        "url": _url(resource, block, booking, tz),
        "party": booking.party if booking and booking.party > 1 else 0,
    }


def _title(block: Block, booking: Booking | None) -> str:
    if block.kind is BlockKind.GAP:
        length = short_length(timedelta(minutes=5 * (block.span.end - block.span.start)))
        return f"Free: {length}"
    if block.kind in _WORDS:
        return _WORDS[block.kind]
    return customer(booking) if booking else "Booked"


def _url(resource: Resource, block: Block, booking: Booking | None, tz: ZoneInfo) -> str:
    """A booking opens its page, a gap the form with this time."""
    if block.kind is BlockKind.GAP:
        wall = to_wall(starts_of(block.span.start), tz)
        asked = {"staff": resource.id, "on": wall.date().isoformat(), "at": f"{wall:%H:%M}"}
        return with_query(f"{BOOKINGS}/new", asked)
    return booking_url(booking.id) if booking and block.kind is not BlockKind.BUFFER else ""


# --- week and month -------------------------------------------------------------------------


async def week_page(request: Request) -> Response:
    rules = bk_of(request).rules()
    tz = zone(rules.zone)
    asked = _asked_day(request, tz)
    monday = asked - timedelta(days=asked.weekday())
    days = [monday + n * _DAY for n in range(7)]
    by_day = _by_day(request, days, tz)
    path, today = f"{BOOKINGS}/week", to_wall(site_of(request).clock.now(), tz).date()
    return booking_page(
        request,
        "week.html",
        tab="Week",
        page_title="Week",
        heading=f"{short_date(days[0])} to {short_date(days[-1])}",
        says=count(sum(map(len, by_day.values())), "booking"),
        previous=with_query(path, {"on": (monday - _WEEK).isoformat()}),
        next=with_query(path, {"on": (monday + _WEEK).isoformat()}),
        this_url=path,
        days=[
            {
                "title": short_date(on),
                "url": _day_url(on),
                "is_today": on == today,
                "bookings": [_entry(rules, one, tz) for one in by_day.get(on, ())],
            }
            for on in days
        ],
    )


def _entry(rules: BookingRules, booking: Booking, tz: ZoneInfo) -> dict[str, Any]:
    return {
        "time": f"{to_wall(booking.starts_at, tz):%H:%M}",
        "title": customer(booking),
        "more": " · ".join(filter(None, (booking.service, served_by(rules, booking)))),
        "chip": CHIPS[booking.status],
        "url": booking_url(booking.id),
    }


async def month_page(request: Request) -> Response:
    rules = bk_of(request).rules()
    tz = zone(rules.zone)
    first = _asked_day(request, tz).replace(day=1)
    following = (first + 31 * _DAY).replace(day=1)
    start = first - timedelta(days=first.weekday())
    weeks = -(-(following - start).days // 7)
    days = [start + n * _DAY for n in range(7 * weeks)]
    by_day = _by_day(request, days, tz)
    path, today = f"{BOOKINGS}/month", to_wall(site_of(request).clock.now(), tz).date()
    return booking_page(
        request,
        "month.html",
        tab="Month",
        page_title="Month",
        heading=f"{ENGLISH.months[first.month - 1]} {first.year}",
        says=count(
            sum(len(by_day.get(on, ())) for on in days if on.month == first.month), "booking"
        ),
        previous=with_query(path, {"on": (first - _DAY).isoformat()}),
        next=with_query(path, {"on": following.isoformat()}),
        this_url=path,
        weekdays=[name[:3] for name in ENGLISH.weekdays],
        weeks=[
            [_cell(on, first, today, by_day.get(on, ()), tz) for on in days[n : n + 7]]
            for n in range(0, len(days), 7)
        ],
    )


def _cell(
    on: date, first: date, today: date, bookings: Sequence[Booking], tz: ZoneInfo
) -> dict[str, Any]:
    return {
        "day": on.day,
        "label": spoken_day(on),
        "url": _day_url(on),
        "is_other": on.month != first.month,
        "is_today": on == today,
        "count": len(bookings),
        "says": count(len(bookings), "booking"),
        "first": [
            {"time": f"{to_wall(one.starts_at, tz):%H:%M}", "title": customer(one)}
            for one in bookings[:3]
        ],
    }


def _by_day(request: Request, days: Sequence[date], tz: ZoneInfo) -> dict[date, list[Booking]]:
    """The bookings that take time, by their local day."""
    start = same_wall_time(days[0], time(), tz)
    end = same_wall_time(days[-1] + _DAY, time(), tz)
    found: dict[date, list[Booking]] = defaultdict(list)
    for one in _live(bk_of(request).bookings_between(start, end)):
        found[to_wall(one.starts_at, tz).date()].append(one)
    return found
