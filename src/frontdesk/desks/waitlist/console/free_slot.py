"""The form with which staff free a slot, and its validation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.ids import is_id
from frontdesk.core.localtime import same_wall_time, to_wall, zone_name
from frontdesk.core.words import how_long
from frontdesk.desks.waitlist.console.formatting import service_and_staff
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    me,
    slot_intake_of,
    slot_url,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.model import FARTHEST_SLOT, Opening, Slot, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.words import slot_when
from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import Frozen, field
from frontdesk.web.console.shell import done, form_of, staff
from frontdesk.web.forms import Form
from frontdesk.web.site import site_of

MISSED: Final = "missed"
#: The prefix of an origin, its label, and an explanation.
WHYS: Final = (
    ("phone", "Cancelled by phone", ""),
    (MISSED, "Somebody did not come", "What is left of the time is offered."),
    ("opening", "A new opening", ""),
)
MOST_PLACES: Final = 500
LONGEST: Final = timedelta(hours=24)
MOST_ASKED: Final = 200
_FIELDS: Final = ("service", "on", "at", "minutes", "price", "places", "staff", "why")
_PRICE: Final = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(r"\d\d:\d\d(:\d\d)?", re.ASCII)


def routes() -> list[BaseRoute]:
    path = f"{WAITLIST}/free"
    return [
        Route(path, staff(free_page), methods=["GET"]),
        Route(path, staff(free), methods=["POST"]),
    ]


async def free_page(request: Request) -> Response:
    site = site_of(request)
    soon = _next_half_hour(to_wall(site.clock.now(), zone_of(request)))
    values = {
        "on": soon.date().isoformat(),
        "at": f"{soon:%H:%M}",
        "places": "1",
        "why": WHYS[0][0],
        **_query_values(request),
        "once": site.new_id(),
    }
    return _form(request, values, {})


def _query_values(request: Request) -> dict[str, str]:
    """Form values from the query string. Opening the form frees nothing."""
    asked = request.query_params
    return {name: asked[name][:MOST_ASKED] for name in _FIELDS if name in asked}


def _next_half_hour(wall: datetime) -> datetime:
    wall += timedelta(minutes=30)
    return wall.replace(minute=wall.minute // 30 * 30, second=0, microsecond=0)


async def free(request: Request) -> Response:
    form, wl = form_of(request), wl_of(request)
    now = site_of(request).clock.now()
    reading = read_opening(form, wl.catalogue(), zone_of(request), now)
    if reading.opening is None:
        return _form(request, form.fields, reading.errors, status=422)
    origin, intake = f"{reading.why}:{reading.once}", slot_intake_of(request)
    beside = [SlotId(each) for each in form["beside"].split() if form.ticked("anyway")]
    outcome = await run_in_threadpool(
        intake.free,
        origin,
        reading.opening,
        by=me(request).by,
        beside=beside,
        rest=reading.why == MISSED,
    )
    if isinstance(outcome, Refused) and outcome.reason in (Reason.OVERLAPS, Reason.TAKEN):
        return _form(
            request,
            form.fields,
            {},
            taken=intake.in_the_way(reading.opening),
            may_overlap=outcome.reason is Reason.OVERLAPS,
            status=409,
        )
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_FREED:
        errors = {"at": "This slot cannot be offered: too little of its time is still to come."}
        return _form(request, form.fields, errors, status=422)
    slot = wl.slot_by_origin(origin)
    assert slot is not None, "it was freed now, or before"
    return done(request, slot_url(slot.id), "The slot is free. See here who is asked.")


def _form(
    request: Request,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    taken: Sequence[Slot] = (),
    may_overlap: bool = True,
    status: int = 200,
) -> Response:
    """Shows the form. `taken` are slots at the same time. Staff can allow the overlap, unless the
    booking desk has given the time."""
    catalogue, tz, reads = wl_of(request).catalogue(), zone_of(request), site_of(request).reads()
    return waitlist_page(
        request,
        "free.html",
        tab="Board",
        page_title="Free a slot",
        status=status,
        services=[(one.name, _service_label(one, catalogue)) for one in catalogue.services],
        team=[("", "Nobody in particular"), *((name, name) for name in catalogue.staff)],
        whys=WHYS,
        zone=zone_name(site_of(request).clock.now(), tz),
        currency=catalogue.currency,
        v=values,
        errors=errors,
        taken=[_taken_slot(reads, slot) for slot in taken],
        may_overlap=may_overlap,
        beside=" ".join(slot.id for slot in taken),
    )


def _taken_slot(reads: Reads, slot: Slot) -> dict[str, str]:
    """'Cut with Mia, Friday 20 November, 15:00 (SGT): booked by Ann Lee'."""
    how = "on offer" if slot.live else "open"
    if slot.booked_by:
        how = f"booked by {EntryNames(reads).of_entry(slot.booked_by)}"
    return {
        "title": f"{service_and_staff(slot)}, {slot_when(slot)}: {how}",
        "url": slot_url(slot.id),
    }


def _service_label(service: Service, catalogue: Catalogue) -> str:
    """'Cut and colour: 2 hours, S$120.00'."""
    cost = f", {catalogue.price(service.price_cents)}" if service.price_cents else ""
    return f"{service.name}: {how_long(service.duration)}{cost}"


# --- reading the form -----------------------------------------------------------------------


class FreeSlotForm(Frozen):
    """The opening, or an error for each wrong field."""

    opening: Opening | None
    errors: Mapping[str, str] = field(default_factory=dict)
    why: str = ""
    once: str = ""


def read_opening(form: Form, catalogue: Catalogue, tz: ZoneInfo, now: datetime) -> FreeSlotForm:
    """Reads the form. An empty length or price means the service's own."""
    service = catalogue.service(form["service"])
    starts_at = _starts_at(form, tz)
    duration = _duration(form["minutes"], service)
    places, cents = form.number("places", 1), _cents(form["price"], service)
    staff_name = catalogue.member(form["staff"]) if form["staff"] else ""
    why = next((key for key, _, _ in WHYS if key == form["why"]), None)
    wrong = {
        "service": service is None and "Please choose a service.",
        "on": starts_at is None and "Please give a day and a time.",
        "at": starts_at is not None
        and _bad_start(starts_at, _last_refused_start(duration, why, now), now),
        "minutes": duration is None and "Please give whole minutes, from 1 to 1,440.",
        "places": _bad_places(places),
        "price": cents is None and "Please write a price like 120 or 120.50.",
        "staff": staff_name is None and "Please choose somebody of your team.",
        "why": why is None and "Please say why it is free.",
        "once": not is_id(form["once"]) and "Please load this page again.",
    }
    errors = {name: sentence for name, sentence in wrong.items() if sentence}
    if errors or not (service and starts_at and duration and places and why):
        return FreeSlotForm(None, errors)
    opening = Opening(service.name, starts_at, duration, places, staff_name or "", cents or 0)
    return FreeSlotForm(opening, {}, why, form["once"])


def _starts_at(form: Form, tz: ZoneInfo) -> datetime | None:
    on, at = form["on"], form["at"]
    if not _DATE.fullmatch(on) or not _TIME.fullmatch(at):
        return None
    try:
        return same_wall_time(date.fromisoformat(on), time.fromisoformat(at), tz)
    except (ValueError, OverflowError):
        return None


def _last_refused_start(duration: timedelta | None, why: str | None, now: datetime) -> datetime:
    """The latest start that is refused. If a visit was missed, its rest can still be freed."""
    return now - (duration or timedelta()) if why == MISSED else now


def _bad_start(starts_at: datetime, last: datetime, now: datetime) -> str:
    if starts_at <= last:
        return "This is in the past. Give a time from now on."
    return "This is more than a year away." if starts_at - now > FARTHEST_SLOT else ""


def _duration(text: str, service: Service | None) -> timedelta | None:
    if not text:
        return service.duration if service else timedelta(hours=1)
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    length = timedelta(minutes=int(text))
    return length if timedelta() < length <= LONGEST else None


def _bad_places(places: int | None) -> str:
    is_good = places is not None and 1 <= places <= MOST_PLACES
    return "" if is_good else f"Please give a number from 1 to {MOST_PLACES}."


def _cents(text: str, service: Service | None) -> int | None:
    if not text:
        return service.price_cents if service else 0
    found = _PRICE.fullmatch(text)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else None
