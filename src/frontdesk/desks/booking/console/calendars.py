"""The calendars page: when each was read, what it blocks today, and events that staff changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command
from frontdesk.core.localtime import same_wall_time, spoken_span, spoken_start, to_wall, zone
from frontdesk.core.words import count
from frontdesk.desks.booking.calendar_job import calendar_names
from frontdesk.desks.booking.calendar_watch import (
    Clash,
    EventChange,
    clashes,
    open_changes,
    watch_setting,
)
from frontdesk.desks.booking.commands import (
    CancelBooking,
    MoveBooking,
    RenewFeed,
    WriteCalendarAgain,
)
from frontdesk.desks.booking.console.booking import refusal
from frontdesk.desks.booking.console.formatting import clock_span, customer
from frontdesk.desks.booking.console.page import BOOKINGS, bk_of, booking_page, booking_url
from frontdesk.desks.booking.console.staff_warnings import move_warning
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import CODE, Booking, BookingId
from frontdesk.desks.booking.pages.feed import feed_url
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.pages.fresh_calendars import CACHE
from frontdesk.desks.booking.rules import BookingRules, ResourceKind
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.busy_times import CacheLimits, SavedBusyTimes
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.sections import TodayCard
from frontdesk.web.console.shell import act, done, form_of, staff
from frontdesk.web.site import Site, site_of

PATH: Final = f"{BOOKINGS}/calendars"
_DAY: Final = timedelta(days=1)


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(calendars_page), methods=["GET"]),
        Route(f"{PATH}/read", staff(read), methods=["POST"]),
        Route(f"{PATH}/settle", staff(settle), methods=["POST"]),
        Route(f"{PATH}/feed", staff(renew_feed), methods=["POST"]),
    ]


async def calendars_page(request: Request) -> Response:
    site, rules = site_of(request), bk_of(request).rules()
    names = calendar_names(rules.resources)
    changes = list(open_changes(site.reads(), names))
    people = [one for one in rules.resources if one.kind is ResourceKind.STAFF]
    return booking_page(
        request,
        "calendars.html",
        tab="Calendars",
        page_title="Calendars",
        url=PATH,
        calendars=[_calendar(site.reads(), rules, name, site.clock.now()) for name in names],
        changes=[_change(site, rules, name, each) for name, each in changes],
        clashes=[_clash(rules, each) for each in clashes(site.reads(), rules, site.clock.now())],
        feeds=[(one.id, one.name, feed_url(site, site.reads(), one)) for one in people],
        many=any(site.reads().engine.setting(watch_setting(name)).many for name in names),
    )


def _calendar(reads: Reads, rules: BookingRules, name: str, now: datetime) -> dict[str, Any]:
    tz = zone(rules.zone)
    today = to_wall(now, tz).date()
    day = same_wall_time(today, time(), tz), same_wall_time(today + _DAY, time(), tz)
    saved = SavedBusyTimes(CODE, CacheLimits(usable=rules.calendar_max_age))
    status = saved.status(reads, name, day, now)
    who = [one.name for one in rules.resources if name in calendar_names([one])]
    return {
        "name": name,
        "who": ", ".join(who),
        "read": exact_time(status.read_at, tz) if status.read_at else "Not yet",
        "trouble": status.trouble or status.unusable,
        "is_usable": not status.unusable,
        "busy": [
            clock_span(max(start, day[0]), min(end, day[1]), tz) for start, end in status.today
        ],
    }


def _change(site: Site, rules: BookingRules, name: str, change: EventChange) -> dict[str, Any]:
    """The question about an event, with the rules that its new time breaks."""
    booking = booking_reads(site.reads()).booking(change.booking_id)
    assert booking is not None, "open changes have a booking"
    tz, to, warning = zone(rules.zone), change.starts_at, ""
    if to is not None:
        move = _move(booking, to, anyway=True)
        warning = move_warning(loader_of(site), site.reads(), move, site.clock.now())
    moves = ("anyway", "Move it anyway") if warning else ("move", "Move it")
    do, label = moves if to else ("cancel", "Cancel it")
    return {
        "id": booking.id,
        "url": booking_url(booking.id),
        "title": f"{customer(booking)}: {booking.service}, {spoken_start(booking.starts_at, tz)}",
        "text": f"Moved to {spoken_start(to, tz)} in the calendar {name}."
        if to
        else f"Deleted in the calendar {name}.",
        "warning": warning,
        "do": do,
        "label": f"{label} and tell the customer",
        "at": to.isoformat() if to else "",
    }


def _clash(rules: BookingRules, clash: Clash) -> dict[str, Any]:
    tz, booking = zone(rules.zone), clash.booking
    return {
        "url": booking_url(booking.id),
        "title": f"{customer(booking)}: {booking.service}, {spoken_start(booking.starts_at, tz)}",
        "text": f"In the calendar {clash.calendar}: busy {spoken_span(*clash.event, tz)}.",
    }


async def read(request: Request) -> Response:
    """Reads one calendar now, to test it."""
    name = form_of(request)["calendar"]
    cache = site_of(request).shared.get(CACHE)
    if cache is None or name not in calendar_names(bk_of(request).rules().resources):
        return done(
            request, PATH, "Calendars are read elsewhere in this installation.", kind="problem"
        )
    worked = await run_in_threadpool(cache.refresh, name, at_once=True)
    if worked:
        return done(request, PATH, "It works: the calendar was read just now.")
    return done(
        request, PATH, "The calendar could not be read. The reason is below.", kind="problem"
    )


async def renew_feed(request: Request) -> Response:
    resource = bk_of(request).rules().resource(form_of(request)["resource"])
    if resource is None:
        return done(request, PATH, "There is nobody of this name any more.", kind="problem")
    says = "There is a new address. The old one ends now."
    return await act(request, RenewFeed(resource.id), PATH, says, refusal)


async def settle(request: Request) -> Response:
    """Answers the question about an event that staff moved or deleted."""
    form = form_of(request)
    booking = bk_of(request).booking(BookingId(form["booking"]))
    names = calendar_names(bk_of(request).rules().resources)
    asked = [
        change
        for _, change in open_changes(site_of(request).reads(), names)
        if booking is not None and change.booking_id == booking.id
    ]
    if booking is None or not asked:
        return done(request, PATH, "This is settled already.")
    command, says = _answer(booking, asked, form["do"])
    return await act(request, command, PATH, says, refusal)


def _answer(booking: Booking, asked: Sequence[EventChange], do: str) -> tuple[Command, str]:
    to = asked[0].starts_at
    if do in ("move", "anyway") and to is not None:
        return _move(booking, to, anyway=do == "anyway"), "Moved. The customer is told."
    if do == "cancel" and to is None:
        return CancelBooking(booking.id, by_staff=True), "Cancelled. The customer is told."
    return WriteCalendarAgain(booking.id), "The event is put back."


def _move(booking: Booking, to: datetime, *, anyway: bool) -> MoveBooking:
    return MoveBooking(booking.id, to, booking.resources[0], by_staff=True, override=anyway)


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    rules = booking_reads(reads).rules()
    return [*_changed_events(reads, rules), *_clashing_events(reads, rules, now)]


def _changed_events(reads: Reads, rules: BookingRules) -> Iterator[TodayCard]:
    if n := len(list(open_changes(reads, calendar_names(rules.resources)))):
        yield TodayCard(
            title=f"{count(n, 'booking')} moved or deleted in a calendar",
            text="The customers do not know. Say what should happen.",
            url=PATH,
            button="Decide what happens",
            icon="alert",
            state="ending",
        )


def _clashing_events(reads: Reads, rules: BookingRules, now: datetime) -> Iterator[TodayCard]:
    if found := list(clashes(reads, rules, now)):
        yield TodayCard(
            title=f"{count(len(found), 'booking')} at the same time as another event",
            text="A calendar of your team is busy then. The customers expect to come.",
            url=PATH,
            button="See the booking" if len(found) == 1 else "See the bookings",
            icon="alert",
            state="ending",
            at=min(one.booking.starts_at for one in found),
        )
