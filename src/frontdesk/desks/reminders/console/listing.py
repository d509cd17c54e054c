"""The list of appointments: by time, by answer, with search and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from frontdesk.core.localtime import to_wall
from frontdesk.core.people import Person, PersonId
from frontdesk.core.phones import shown
from frontdesk.desks.reminders.console.page import (
    REMINDERS,
    appointment_url,
    ar_of,
    chip_of,
    day_and_time,
    name_on,
    reminder_page,
    wants_to_move,
    zone_of,
)
from frontdesk.desks.reminders.console.rows import ADD, SHEET
from frontdesk.desks.reminders.model import Appointment, AppointmentState
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.values import Frozen, replace
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

_SPAN: Final = timedelta(days=400)
#: Appointments that began this recently still count as upcoming, so that staff can note a no-show.
JUST_BEGUN: Final = timedelta(hours=2)


class AppointmentRow(Frozen):
    appointment: Appointment
    person: Person | None
    tz: ZoneInfo

    @property
    def contact(self) -> str:
        if self.person is None:
            return ""
        return ", ".join(filter(None, (shown(self.person.mobile), self.person.email)))

    @property
    def name(self) -> str:
        return name_on(self.appointment, self.person)


LIST: Final = ListSpec[AppointmentRow](
    id="appointments",
    path=REMINDERS,
    caption="Appointments",
    columns=(
        Column(
            "when",
            "When",
            lambda row: day_and_time(row.appointment, row.tz),
            lambda row: to_wall(row.appointment.starts_at, row.tz),
        ),
        Column(
            "customer",
            "Customer",
            lambda row: row.name,
            lambda row: row.name,
            long=True,
            plain=True,
        ),
        Column(
            "service",
            "Service",
            lambda row: row.appointment.service,
            lambda row: row.appointment.service,
            long=True,
            plain=True,
        ),
        Column(
            "with",
            "With",
            lambda row: row.appointment.staff,
            lambda row: row.appointment.staff,
            long=True,
        ),
        Column(
            "state",
            "Answer",
            lambda row: chip_of(row.appointment),
            lambda row: chip_of(row.appointment).word,
        ),
        Column("source", "From", in_file=lambda row: row.appointment.source.value),
        Column("contact", "Contact", in_file=lambda row: row.contact),
    ),
    row_url=lambda row: appointment_url(row.appointment.id),
    is_gone=lambda row: not row.appointment.is_live,
    filters=(
        ("", "Upcoming"),
        ("unanswered", "No answer yet"),
        ("move", "Want another time"),
        ("confirmed", "Confirmed"),
        ("past", "Past"),
        ("ended", "Cancelled and missed"),
    ),
    search="Search name, contact or service",
)
#: Shown if the booking desk is on.
_BOOKINGS: Final = "Every booking is here by itself as soon as it is confirmed."
_ADD: Final = (PageLink("Add an appointment", ADD),)
_EMPTY_SHEET: Final = EmptyState("No appointments yet", "They come from your sheet.", "bookings")
#: Shown if staff keep the list in the console's own table.
_EMPTY_TABLE: Final = EmptyState(
    "No appointments yet",
    "Add one, or connect a sheet or a calendar.",
    "bookings",
    _ADD,
)

_UPCOMING: Final[dict[str, Callable[[Appointment], bool]]] = {
    "": lambda one: one.is_live,
    "unanswered": lambda one: one.is_unanswered,
    "move": wants_to_move,
    "confirmed": lambda one: one.state is AppointmentState.CONFIRMED,
}


def routes() -> list[BaseRoute]:
    return list_routes(REMINDERS, list_page, list_file, staff)


async def list_page(request: Request) -> Response:
    query = LIST.query(request)
    rows = await run_in_threadpool(_rows, request, query)
    versions = PageLink("Earlier versions", SHEET.path, "clock")
    can_add = SHEET.source(request) is None
    empty = _EMPTY_TABLE if can_add else _EMPTY_SHEET
    if site_of(request).settings.has_desk("booking"):
        empty = replace(empty, text=f"{empty.text} {_BOOKINGS}")
    view = replace(LIST, empty=empty).view(
        query,
        query.slice(rows),
        total=len(rows),
        more_files=(versions,),
        actions=_ADD if can_add else (),
    )
    return reminder_page(
        request, "console/list.html", tab="Appointments", page_title="Appointments", list=view
    )


async def list_file(request: Request) -> Response:
    query = LIST.query(request)
    return await LIST.file(request, lambda: _rows(request, query), name="appointments")


def _rows(request: Request, query: ListQuery) -> list[AppointmentRow]:
    ar, tz = ar_of(request), zone_of(request)
    found = _found(ar, query.filter, site_of(request).clock.now())
    people = people_of(ar, found)
    rows = (AppointmentRow(one, people.get(one.person_id), tz) for one in found)
    return [
        row
        for row in rows
        if matches(query.search, f"{row.name} {row.contact} {row.appointment.service}")
    ]


def _found(ar: ReminderReads, kind: str, now: datetime) -> Sequence[Appointment]:
    if fits := _UPCOMING.get(kind):
        since = now if kind else now - JUST_BEGUN
        return [one for one in ar.appointments_between(since, now + _SPAN) if fits(one)]
    if kind == "past":
        return list(reversed(ar.appointments_between(now - _SPAN, now)))
    every = ar.appointments_between(now - _SPAN, now + _SPAN)
    ended = (AppointmentState.CANCELLED, AppointmentState.NO_SHOW)
    return [one for one in reversed(every) if one.state in ended]


def people_of(ar: ReminderReads, found: Iterable[Appointment]) -> dict[PersonId, Person]:
    ids = {one.person_id for one in found}
    return {each: person for each in ids if (person := ar.person(each))}
