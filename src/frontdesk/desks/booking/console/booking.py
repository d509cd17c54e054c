"""The page of one booking: state, customer, answers, story, and actions of staff."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import NO_CONTACT, clean_name
from frontdesk.core.localtime import spoken_deadline, spoken_start, zone
from frontdesk.core.phones import shown
from frontdesk.core.words import how_long
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.console.formatting import CHIPS, customer, served_by
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_of,
    booking_page,
    booking_url,
)
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.story import booking_story
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.web.console.actions import RowAction
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.forms import FormField, FormSpec
from frontdesk.web.console.lists import PageLink, with_query
from frontdesk.web.console.shell import act, console_page, form_of, staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.site import site_of

MOST_NOTE: Final = 2_000


def _is_pending(booking: Booking, _now: datetime) -> bool:
    return booking.status is BookingStatus.PENDING


def _is_coming(booking: Booking, now: datetime) -> bool:
    return booking.takes_time and now < booking.ends_at


def _has_begun(booking: Booking, now: datetime) -> bool:
    return booking.status is BookingStatus.CONFIRMED and booking.starts_at <= now


ACTIONS: Final = (
    RowAction[Booking](
        "approve",
        "Approve",
        lambda booking, _now: commands.ApproveBooking(booking.id),
        "Approved. The customer is told.",
        _is_pending,
    ),
    RowAction[Booking](
        "decline",
        "Decline",
        lambda booking, _now: commands.DeclineBooking(booking.id),
        "Declined. The customer is told, and the time is free again.",
        _is_pending,
        "Decline this booking?",
        "The customer is told that it is not possible. The time is free again.",
        is_danger=True,
    ),
    RowAction[Booking](
        "no-show",
        "Did not come",
        lambda booking, _now: commands.MarkNoShow(booking.id),
        "Noted as a no-show.",
        _has_begun,
        "Mark this as a no-show?",
        "The customer is told that you missed them, and the rest of the time is free.",
        is_danger=True,
    ),
    RowAction[Booking](
        "cancel",
        "Cancel the booking",
        lambda booking, _now: commands.CancelBooking(booking.id, by_staff=True),
        "Cancelled. The customer is told.",
        lambda booking, now: _is_coming(booking, now) and not _is_pending(booking, now),
        "Cancel this booking?",
        "The customer is told that you had to cancel. The time is free for somebody else.",
        is_danger=True,
    ),
    RowAction[Booking](
        "write-again",
        "Write the calendar again",
        lambda booking, _now: commands.WriteCalendarAgain(booking.id),
        "The calendar is written again.",
        lambda booking, _now: booking.takes_time and _is_unwritten(booking),
    ),
)
_BY_NAME: Final = {action.name: action for action in ACTIONS}

EDIT: Final = FormSpec(
    fields=(
        FormField("name", "Name", clean=clean_name),
        FormField(
            "note", "Note for staff", "area", required=False, clean=lambda text: text[:MOST_NOTE]
        ),
    ),
    button="Save",
)

_REFUSALS: Final[Mapping[StrEnum, str]] = {
    Reason.ENDED: "This booking has ended already.",
    Reason.NOT_PENDING: "It does not wait for approval any more.",
    Reason.NOT_BEGUN: "It has not begun yet.",
    Reason.UNCHANGED: "Nothing was changed.",
    Reason.OF_THE_TEAM: "This address belongs to the team: an owner changes it.",
    Reason.NO_CONTACT: NO_CONTACT,
}


def refusal(reason: StrEnum) -> str:
    return _REFUSALS.get(reason, "That is not possible any more. Please look at it again.")


def routes() -> list[BaseRoute]:
    path = f"{BOOKINGS}/one/{{booking}}"
    return [
        Route(path, staff(show), methods=["GET"]),
        Route(f"{path}/edit", staff(edit_page), methods=["GET"]),
        Route(f"{path}/edit", staff(edit), methods=["POST"]),
        Route(f"{path}/{{action}}", staff(run_action), methods=["POST"]),
    ]


async def show(request: Request) -> Response:
    booking, site = booking_of(request), site_of(request)
    rules, now = bk_of(request).rules(), site.clock.now()
    known = site.reads().engine.setting(CATALOGUE)
    tz = zone(rules.zone)
    return booking_page(
        request,
        "booking.html",
        tab="Day",
        page_title=f"{customer(booking)}: {booking.service}",
        url=booking_url(booking.id),
        chip=CHIPS[booking.status],
        when=spoken_start(booking.starts_at, tz),
        facts=_facts(booking, rules, known.price(booking.price_cents), now),
        mobile=booking.mobile,
        mobile_shown=shown(booking.mobile),
        email=booking.email,
        person_url=f"/console/people/{booking.person_id}",
        note=booking.note,
        questions=_answers(booking, rules),
        actions=[action for action in ACTIONS if action.fits(booking, now)],
        move=_move_link(booking) if _is_coming(booking, now) else None,
        request_url=f"{BOOKINGS}/requests/{booking.request_id}" if booking.request_id else "",
        day_url=with_query(BOOKINGS, {"on": booking.local_on.isoformat()}),
        story=steps(booking_story(site.reads(), booking, tz), lambda at: exact_time(at, tz)),
    )


def _move_link(booking: Booking) -> PageLink:
    return PageLink("Move", with_query(f"{BOOKINGS}/new", {"move": booking.id}))


def _is_unwritten(booking: Booking) -> bool:
    return any(link.written_sequence < booking.sequence for link in booking.calendars)


def _facts(
    booking: Booking, rules: BookingRules, price: str, now: datetime
) -> list[tuple[str, str]]:
    """The details beside the booking; leaves out empty ones."""
    tz, length = zone(rules.zone), booking.ends_at - booking.starts_at
    buffers = [
        f"{how_long(buffer)} {when}"
        for buffer, when in ((booking.buffer_before, "before"), (booking.buffer_after, "after"))
        if buffer
    ]
    calendars = [
        f"{link.calendar}: {'written' if link.written_sequence >= booking.sequence else 'not yet'}"
        for link in booking.calendars
    ]
    until = booking.decide_by if booking.status is BookingStatus.PENDING else None
    automatic = booking.anyone and bool(booking.why_resource)
    lines = (
        ("Staff and rooms", served_by(rules, booking)),
        ("Assigned", f"Automatically: {booking.why_resource}" if automatic else ""),
        ("Duration", how_long(length)),
        ("Buffer", ", ".join(buffers)),
        ("People", str(booking.party) if booking.party > 1 else ""),
        ("Price", price if booking.price_cents else ""),
        ("Held", spoken_deadline(until, now, tz) if until else ""),
        ("Staff allowed", ", ".join(booking.overrides)),
        ("Calendar", ", ".join(calendars)),
        ("Booked" if _was_booked(booking) else "Requested", exact_time(booking.booked_at, tz)),
    )
    return [(label, value) for label, value in lines if value]


def _was_booked(booking: Booking) -> bool:
    return booking.status not in (
        BookingStatus.PENDING,
        BookingStatus.DECLINED,
        BookingStatus.LAPSED,
    )


def _answers(booking: Booking, rules: BookingRules) -> list[tuple[str, str]]:
    service = rules.service(booking.service)
    labels = {one.id: one.label for one in service.questions} if service else {}
    return [(labels.get(key, key), answer) for key, answer in booking.answers.items() if answer]


async def run_action(request: Request) -> Response:
    booking, url = booking_of(request), booking_url(request.path_params["booking"])
    action = _BY_NAME.get(request.path_params["action"])
    if action is None:
        return await show(request)
    return await action.run(request, booking, url, active=BOOKINGS, refusal=refusal)


async def edit_page(request: Request) -> Response:
    booking = booking_of(request)
    return _form(request, booking, {"name": booking.name, "note": booking.note}, {})


async def edit(request: Request) -> Response:
    """Changes name and note. The contact belongs to the person, whose page corrects it."""
    booking, typed = booking_of(request), form_of(request).fields
    clean, errors = EDIT.read(typed)
    if errors:
        return _form(request, booking, typed, errors)
    command = commands.EditBooking(
        booking.id, clean["name"], booking.email, booking.mobile, clean["note"]
    )
    return await act(request, command, booking_url(booking.id), "Saved.", refusal)


def _form(
    request: Request, booking: Booking, typed: Mapping[str, str], errors: Mapping[str, str]
) -> Response:
    url = booking_url(booking.id)
    values: dict[str, Any] = {"form": EDIT.view(f"{url}/edit", url, typed, errors)}
    return console_page(
        request,
        "console/form.html",
        page_title="Change the booking",
        active=BOOKINGS,
        crumbs=(("Bookings", BOOKINGS), (customer(booking), url), ("Change", "")),
        status=422 if errors else 200,
        **values,
    )
