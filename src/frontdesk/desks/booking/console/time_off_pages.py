"""The page for time off: it lists the bookings that it breaks, and cancels nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.core.yaml_edit import CannotEdit
from frontdesk.desks.booking.console.broken_list import broken_rows
from frontdesk.desks.booking.console.form_edits import LINKS, RULES, editable, write_edit
from frontdesk.desks.booking.console.hours_pages import read_typed_ranges
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_page,
    zone_of,
)
from frontdesk.desks.booking.rules import BookingRules, DatedHours, Period, ResourceId
from frontdesk.desks.booking.rules_file import edits
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.rules_file.summary import dated_words
from frontdesk.desks.booking.rules_file.time_kinds import read_date
from frontdesk.values import Frozen
from frontdesk.web.console.forms import is_confirmed
from frontdesk.web.console.shell import form_of, staff, tabs
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/time-off"
MOST_DAYS: Final = 366
MOST_DAYS_WITH_HOURS: Final = 31
MOST_NOTE: Final = 80
FIELDS: Final = ("who", "first_on", "last_on", "hours", "note")
_DAY: Final = timedelta(days=1)


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(show), methods=["GET"]),
        Route(PATH, staff(add), methods=["POST"]),
    ]


class TimeOff(Frozen):
    """Days, or hours of days, on which a resource is away or the business is closed."""

    who: str
    """The id of the resource; empty for the business."""
    first_on: date
    last_on: date
    hours: tuple[Period, ...]
    note: str

    def added_to(self, text: str) -> str:
        return edits.add_time_off(
            text,
            self.who,
            first_on=self.first_on,
            last_on=self.last_on,
            hours=self.hours,
            note=self.note,
        )


async def show(request: Request) -> Response:
    return await _page(request, {"who": request.query_params.get("who", "")}, {})


async def add(request: Request) -> Response:
    """Asks first if there are bookings in this time. Does not change them."""
    typed = {name: form_of(request)[name] for name in FIELDS}
    now = await run_in_threadpool(editable, request)
    off, errors = read_form(typed, now.rules)
    if off is None:
        return await _page(request, typed, errors, status=422)
    broken = await run_in_threadpool(_broken, request, off)
    if broken and not is_confirmed(request):
        return await _page(request, typed, {}, broken=broken)
    said = " The bookings in this time are unchanged." if broken else ""
    return await write_edit(request, PATH, off.added_to, f"Saved.{said}")


def read_form(
    typed: Mapping[str, str], rules: BookingRules
) -> tuple[TimeOff | None, dict[str, str]]:
    """Reads the form; returns errors by field if a value is wrong."""
    errors: dict[str, str] = {}
    if typed["who"] and rules.resource(typed["who"]) is None:
        errors["who"] = "Choose somebody from the list."
    first = read_date(typed["first_on"].strip())
    last = read_date((typed["last_on"] or typed["first_on"]).strip())
    hours, wrong = read_typed_ranges(typed["hours"])
    note = " ".join(typed["note"].split())
    if wrong:
        errors["hours"] = wrong
    if hours and not typed["who"]:
        errors["hours"] = "For the whole business, leave the hours empty or write a blackout."
    if len(note) > MOST_NOTE or not note.isprintable():
        errors["note"] = f"Write at most {MOST_NOTE} characters."
    for name, day in (("first_on", first), ("last_on", last)):
        if isinstance(day, str):
            errors[name] = "Choose a date."
    if isinstance(first, str) or isinstance(last, str):
        return None, errors
    most = MOST_DAYS_WITH_HOURS if hours else MOST_DAYS
    if not 0 <= (last - first).days < most:
        errors["last_on"] = f"Choose a day that is not before the first, at most {most} days."
    return (None, errors) if errors else (TimeOff(typed["who"], first, last, hours, note), {})


def _broken(request: Request, off: TimeOff) -> list[dict[str, str]]:
    """The bookings that the rules allow now and would not allow with this time off."""
    tz, bk = zone_of(request), bk_of(request)
    rules = bk.rules()
    try:
        after = parse_rules(off.added_to(editable(request).text), rules.zone).rules
    except CannotEdit:
        return []
    since = same_wall_time(off.first_on - _DAY, time(), tz)
    until = same_wall_time(off.last_on + 2 * _DAY, time(), tz)
    resources = (ResourceId(off.who),) if off.who else ()
    found = bk.bookings_between(since, until, resources=resources)
    return broken_rows(request, found, rules, after)


async def _page(
    request: Request,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    broken: Sequence[Mapping[str, str]] = (),
    status: int = 200,
) -> Response:
    now = await run_in_threadpool(editable, request)
    rules, today = now.rules, site_of(request).clock.now()
    return booking_page(
        request,
        "time_off.html",
        tab="Rules",
        page_title="Time off",
        links=tabs(LINKS, "Time off"),
        status=status,
        path=PATH,
        rules_url=RULES,
        v={name: typed.get(name, "") for name in FIELDS},
        errors=errors,
        broken=broken,
        people=[("", "The whole business"), *((one.id, one.name) for one in rules.resources)],
        coming=_coming(rules, to_wall(today, zone_of(request)).date()),
        stamp=now.stamp,
        problem=now.problem,
    )


def _coming(rules: BookingRules, today: date) -> list[dict[str, str]]:
    """The dates from today on, by their first day."""
    dated: list[tuple[str, DatedHours, bool]] = [
        ("The business", one, False) for one in rules.closed if one.last_on >= today
    ]
    for resource in rules.resources:
        dated += [(resource.name, one, True) for one in resource.exceptions if one.last_on >= today]
    dated.sort(key=lambda each: (each[1].first_on, each[0]))
    return [
        {"name": name, "words": dated_words(one, is_staff=is_staff)}
        for name, one, is_staff in dated[:200]
    ]
