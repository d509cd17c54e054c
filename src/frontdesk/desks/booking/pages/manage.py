"""The page of a booking: its state, its calendar file, and how to move or cancel it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.decision import Command, Refused
from frontdesk.core.ics import Method
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import occasion
from frontdesk.core.words import count
from frontdesk.desks.booking.calendar_file import Organizer, invitation, with_staff
from frontdesk.desks.booking.calendar_job import calendar_names
from frontdesk.desks.booking.commands import CancelBooking, MoveBooking
from frontdesk.desks.booking.links import service_key, understood
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.pages import texts
from frontdesk.desks.booking.pages.addresses import PATH, Address, service_path
from frontdesk.desks.booking.pages.board import PageAnswer, ShownDays, usual_answer
from frontdesk.desks.booking.pages.booking_form import TIME_GONE
from frontdesk.desks.booking.pages.free_times import BEST, can_be_moved, find, saved_catalogue
from frontdesk.desks.booking.pages.fresh_calendars import read_again
from frontdesk.desks.booking.pages.picker import TimeChoice, Zones, instant_text, read_instant
from frontdesk.desks.booking.pages.state import WEEK, PageState, read_state
from frontdesk.desks.booking.pages.times_page import (
    TimesForm,
    best_choices,
    last_day,
    times_values,
)
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search.query import Query
from frontdesk.engine.ports import Outcome
from frontdesk.values import Frozen
from frontdesk.web.app import problem
from frontdesk.web.forms import Form
from frontdesk.web.links import (
    LinkVisit,
    OpenedLink,
    calendar_file,
    link_expired,
    link_outdated,
)
from frontdesk.web.site import site_of

#: The link of pages that have no other link.
BOOK: Final = (PATH, "To the booking page")
#: The business did not confirm these bookings, so the page offers other times.
_LOST: Final = (BookingStatus.RELEASED, BookingStatus.DECLINED, BookingStatus.LAPSED)
_TWO_WEEKS: Final = timedelta(days=14)
_CHANGED: Final = "Your appointment was changed meanwhile. This is how it is now."
#: Shown once after an action, which `done` in the address names.
_DONE: Final = {
    "booked": "A message with these details is on its way to you.",
    "moved": "Moved. Your new time is below.",
    "kept": "Nothing was changed.",
    "other": "You chose another time before. This is your appointment.",
    "changed": _CHANGED,
}
_TAKEN: Final = "This one was just taken. Your appointment is still as it was."
_NOT_MOVED: Final = "It could not be moved there. Your appointment is still as it was."


class Visit(LinkVisit, kw_only=True):
    """The current rows for one opened link."""

    booking: Booking
    rules: BookingRules

    async def run(self, command: Command) -> Outcome:
        return await self.run_as(self.booking.id, command)

    @property
    def service(self) -> ServiceRules | None:
        return self.rules.service(self.booking.service)

    @property
    def changes(self) -> texts.AllowedChanges | None:
        return texts.changes(self.booking, self.rules, self.now)

    def page(self, template: str, title: str, status: int = 200, **values: Any) -> Response:
        return super().page(template, title, status, **_visit_values(self), **values)


def _visit_values(visit: Visit) -> dict[str, Any]:
    """The service, time and staff member. Nothing else of the booking is shown."""
    booking, rules = visit.booking, visit.rules
    what = occasion(
        booking.service,
        booking.starts_at,
        booking.ends_at,
        rules.zone,
        with_staff(booking.resources, rules),
    )
    party = count(booking.party, "person", "people") if booking.party > 1 else ""
    price = saved_catalogue(visit.site).price(booking.price_cents) if booking.price_cents else ""
    return {
        "what": what,
        "iso_date": to_wall(booking.starts_at, zone(rules.zone)).date().isoformat(),
        "more": " · ".join(filter(None, (price, party))),
    }


def at_booking(request: Request, opened: OpenedLink) -> Visit | Response:
    link, site = understood(opened.link), site_of(request)
    bk = booking_reads(site.reads())
    booking = bk.booking(link.booking_id)
    person = bk.person(booking.person_id) if booking else None
    if booking is None or person is None or person.erased:
        return link_outdated(request, BOOK)
    if person.contact_version != link.version:
        return link_outdated(request, BOOK)
    if opened.expired:
        return link_expired(request, f"It was for {booking.service}.", BOOK)
    return Visit(
        request=request,
        site=site,
        path=opened.path,
        booking=booking,
        rules=bk.rules(),
        now=site.clock.now(),
    )


# --- the page ---------------------------------------------------------------------------------


async def show(visit: Visit) -> Response:
    """Shows the booking. Changes nothing, because mail scanners open every link."""
    can = visit.changes
    match visit.request.query_params.get("do"):
        case "cancel" if can and can.cancel:
            return visit.page(
                "booking/cancel.html",
                "Cancel this appointment?",
                text="The time becomes free for somebody else at once. You can't undo this.",
                notice=_notice(visit),
                starts_at=instant_text(visit.booking.starts_at),
            )
        case "move" if can and can.move:
            return await _move_page(visit)
        case _:
            return await _status_page(visit, can)


async def _status_page(visit: Visit, can: texts.AllowedChanges | None) -> Response:
    booking = visit.booking
    now = texts.status_text(booking, visit.rules, visit.now)
    done = _DONE.get(visit.request.query_params.get("done", ""), "")
    return visit.page(
        "booking/booking.html",
        now.title,
        lead=now.lead,
        tone=now.tone.value,
        flash=done,
        calendar=_has_file(visit),
        can_change=can,
        fresh=await _fresh_times(visit) if booking.status in _LOST else None,
        again_url="" if booking.takes_time and can else _again_url(visit),
        refreshes=booking.status is BookingStatus.CLAIMED,
    )


class FreshTimes(Frozen):
    """The best times of the same service, with the fields of the form that chooses one."""

    times: tuple[TimeChoice, ...]
    action: str
    hidden: Mapping[str, str]


async def _fresh_times(visit: Visit) -> FreshTimes | None:
    """The times for a customer who lost theirs; None if nothing is free."""
    service, booking, rules, now = visit.service, visit.booking, visit.rules, visit.now
    if service is None or not visit.site.open_url(PATH):
        return None
    zones = Zones(zone(rules.zone), zone(rules.zone))
    last_on = last_day(service, zones, now)
    wished = booking.wished_resource(service)
    until = min(zones.on(now) + _TWO_WEEKS, last_on)
    query = Query(service.name, zones.on(now), until, booking.party, wished)
    found = await run_in_threadpool(find, visit.site, rules, query, now, last_on=last_on)
    hidden = {
        "service": service.name,
        "staff": wished,
        "party": str(booking.party),
        "key": service_key(service.name, visit.site.keys) if service.unlisted else "",
    }
    times = best_choices(found.best, zones, now)
    return FreshTimes(times, f"{PATH}/choose", hidden) if times else None


def _again_url(visit: Visit) -> str:
    """The booking page of the same service, with the key of an unlisted one; empty if the desk is
    off."""
    service = visit.service
    if not visit.site.open_url(PATH):
        return ""
    if service is None:
        return PATH
    address = Address(service_path(service.name))
    return address.url(key=service_key(service.name, visit.site.keys) if service.unlisted else "")


def _has_file(visit: Visit) -> bool:
    """Only a confirmed booking that has not ended has a calendar file."""
    return visit.booking.status is BookingStatus.CONFIRMED and visit.now < visit.booking.ends_at


def calendar(visit: Visit) -> Response:
    if not _has_file(visit):
        return problem(
            visit.request,
            404,
            "There is no calendar file.",
            "Only a confirmed appointment has one.",
            (visit.path, "See your booking"),
            calm=True,
        )
    branding = visit.site.renderer.branding
    organizer = Organizer(
        business=branding.business_name,
        address=branding.contact.address,
        sender=branding.business_name,
        email=visit.site.settings.from_email,
    )
    file = invitation(organizer, visit.booking, visit.rules, method=Method.PUBLISH, now=visit.now)
    return calendar_file(file, "appointment")


# --- moving -----------------------------------------------------------------------------------


async def _move_page(visit: Visit) -> Response:
    """The times to move to; its own time counts as free."""
    service, booking, rules, now = visit.service, visit.booking, visit.rules, visit.now
    assert service is not None, "a booking without its service cannot be moved"
    typed = visit.request.query_params
    state = read_state(rules, service, typed, now, embedded=False)
    zones = state.zones(rules)
    last_on = last_day(service, zones, now)
    shown = ShownDays(day=state.day, first_on=state.first_on, by_week=state.view == WEEK)
    query = Query(
        service.name,
        zones.on(now),
        shown.searched_until(zones.on(now), last_on),
        booking.party,
        booking.wished_resource(service),
    )
    found = await run_in_threadpool(
        find, visit.site, rules, query, now, last_on=last_on, own=booking
    )
    best = tuple(one for one in found.best if one.starts_at != booking.starts_at)
    choices = best_choices(best[:BEST], zones, now)
    answer: PageAnswer = usual_answer(found.next_free, choices, zones, now)
    address = Address(visit.path, {"do": "move", **_move_params(state)})
    hidden = {"do": "move", "version": str(booking.version)}
    return visit.page(
        "booking/move.html",
        "Move your appointment",
        notice=_notice(visit),
        terms=texts.move_terms(booking, service, found.next_free, now, zone(rules.zone)),
        embedded=False,
        sentence=None,
        waitlist=None,
        **times_values(
            shown,
            found.times,
            answer,
            TimesForm(visit.path, hidden),
            address,
            zones,
            rules,
            now,
            last_on=last_on,
        ),
    )


def _notice(visit: Visit) -> str:
    """Says why the page is shown again; empty if it is shown for the first time."""
    notices = {"taken": _TAKEN, "refused": _NOT_MOVED, "changed": _CHANGED}
    return notices.get(visit.request.query_params.get("done", ""), "")


def _move_params(state: PageState) -> dict[str, str]:
    kept = ("day", "from", "view", "zone")
    return {name: text for name, text in state.address.params.items() if name in kept}


# --- acting -----------------------------------------------------------------------------------


async def act(visit: Visit, form: Form) -> Response | None:
    """Cancels or moves. Pressing twice acts once, and then shows the current state."""
    match form["do"]:
        case "cancel":
            return await _cancel(visit, form)
        case "move":
            return await _move(visit, form)
        case _:
            return None


async def _cancel(visit: Visit, form: Form) -> Response | None:
    """Cancels the booking, unless it has moved since the customer saw it; then shows it first."""
    seen = read_instant(form["at"])
    match await visit.run(CancelBooking(visit.booking.id, seen_starts_at=seen)):
        case Refused(Reason.CHANGED_MEANWHILE):
            return _to(visit, do="cancel", done="changed")
        case _:
            return None


async def _move(visit: Visit, form: Form) -> Response | None:
    service = visit.service
    if service is None:
        return None
    state = read_state(visit.rules, service, form.fields, visit.now, embedded=False)
    if state.at is None:
        return _to(visit, do="move")
    command = MoveBooking(visit.booking.id, state.at, seen_version=form.number("version", 0) or 0)
    await _read_calendars_again(visit, service, state.at)
    match await visit.run(command):
        case Refused(Reason.UNCHANGED):
            return _to(visit, done="kept")
        case Refused(Reason() as reason) if reason in TIME_GONE:
            done = "taken" if reason is Reason.TAKEN else "refused"
            day = to_wall(state.at, zone(visit.rules.zone)).date()
            return _to(visit, do="move", done=done, day=day.isoformat())
        case Refused(Reason.CHANGED_MEANWHILE) if not _is_at(visit, state.at):
            return _to(visit, do="move", done="changed")
        case Refused():
            return None
        case _:
            return _to(visit, done="moved")


async def _read_calendars_again(visit: Visit, service: ServiceRules, at: datetime) -> None:
    """Reads the calendars of everybody who may serve the visit then. The others are asked only if
    the present resource is not free and the customer has no wish, as in the decision."""
    booking, site, rules = visit.booking, visit.site, visit.rules
    if not calendar_names(rules.resources):
        return
    beside = {one for need in service.needs[1:] for one in need.anyone_of}
    await read_again(site, _known(rules, {*booking.resources, *beside}))
    if booking.wished_resource(service):
        return
    on = to_wall(at, zone(rules.zone)).date()
    query = Query(service.name, on, on, booking.party, booking.resources[0])
    if not await run_in_threadpool(can_be_moved, site, rules, query, at, visit.now, own=booking):
        await read_again(site, _known(rules, {*service.needs[0].anyone_of} - {*booking.resources}))


def _known(rules: BookingRules, ids: Set[ResourceId]) -> list[Resource]:
    return [one for one in rules.resources if one.id in ids]


def _is_at(visit: Visit, at: datetime) -> bool:
    """Whether the booking is at this time already, because the form was sent twice."""
    booking = booking_reads(visit.site.reads()).booking(visit.booking.id)
    return booking is not None and booking.starts_at == at


def _to(visit: Visit, **params: str) -> Response:
    return RedirectResponse(f"{visit.path}?{urlencode(params)}", 303)
