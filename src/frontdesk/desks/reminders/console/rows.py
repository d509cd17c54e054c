"""Adds and edits appointments of the built-in table, and shows its earlier versions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Command, Refused
from frontdesk.core.ids import is_id
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import MoveAppointment, RecordAppointment
from frontdesk.desks.reminders.console.page import (
    REMINDERS,
    appointment_of,
    appointment_url,
    ar_of,
    customer,
    day_and_time,
    name_on,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.model import (
    CODE,
    IN_SHEET,
    Appointment,
    AppointmentId,
    AppointmentSource,
    appointment_id,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.sheet import (
    REFUSALS,
    VisitColumn,
    VisitRow,
    VisitSchema,
    visit_schema,
)
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.sheet_sync.console import SheetConsole, SheetTexts
from frontdesk.features.sheet_sync.form import RowForm, Values
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of

ADD: Final = f"{REMINDERS}/add"
FORM: Final = RowForm(
    {
        "name": (VisitColumn.NAME, "Name"),
        "mobile": (VisitColumn.MOBILE, "Mobile"),
        "email": (VisitColumn.EMAIL, "E-mail"),
        "service": (VisitColumn.SERVICE, "Service"),
        "date": (VisitColumn.DATE, "Date"),
        "time": (VisitColumn.TIME, "Time"),
        "minutes": (VisitColumn.MINUTES, "Minutes"),
        "staff": (VisitColumn.STAFF, "With"),
        "tags": (VisitColumn.TAGS, "Tags"),
    },
    missing={
        "name": "Please give a name.",
        "service": "Please say what it is for.",
        "date": "Please give the day.",
        "time": "Please give the time.",
    },
)
_MOMENT: Final = timedelta(seconds=1)
#: The most appointments of one customer at one time.
_MOST_AT_ONCE: Final = 10
#: The field that each refusal is about.
_FIELDS: Final[Mapping[StrEnum, str]] = {
    Reason.TOO_LATE: "date",
    Reason.BAD_APPOINTMENT: "mobile",
    Reason.OF_THE_TEAM: "email",
}


def _name_of(request: Request, row_id: str) -> str:
    one = ar_of(request).appointment(AppointmentId(row_id))
    if one is None:
        return row_id
    who = name_on(one, ar_of(request).person(one.person_id))
    return f"{who} ({day_and_time(one, zone_of(request))})"


SHEET: Final = SheetConsole(
    CODE,
    path=f"{REMINDERS}/versions",
    tab="Appointments",
    desk=("Reminders", REMINDERS),
    page=reminder_page,
    zone=zone_of,
    name_of=_name_of,
    topic="appointments",
    texts=SheetTexts(
        untouched="No appointment is cancelled before you say so",
        question="Cancel these appointments?",
        button="Cancel them",
    ),
)


def routes() -> list[BaseRoute]:
    one = f"{REMINDERS}/one/{{appointment}}/edit"
    return [
        Route(ADD, staff(add_page), methods=["GET"]),
        Route(ADD, staff(add), methods=["POST"]),
        Route(one, staff(edit_page), methods=["GET"]),
        Route(one, staff(edit), methods=["POST"]),
        *SHEET.routes(),
    ]


def schema_of(request: Request) -> VisitSchema:
    site = site_of(request)
    rules, catalogue = ar_of(request).rules(), site.reads().engine.setting(CATALOGUE)
    return visit_schema(rules, catalogue, site.settings.country, site.clock.now())


def can_edit(request: Request, one: Appointment) -> bool:
    """Whether the appointment is in the built-in table and has not begun."""
    is_coming = one.is_live and one.starts_at > site_of(request).clock.now()
    return is_coming and one.source in IN_SHEET and SHEET.source(request) is None


# --- adding ---------------------------------------------------------------------------------


async def add_page(request: Request) -> Response:
    values = dict.fromkeys(FORM.columns, "") | {"once": site_of(request).new_id()}
    return _form(request, None, values, {})


async def add(request: Request) -> Response:
    """Adds a row. A second press of the button adds no second row."""
    form, schema, site = form_of(request), schema_of(request), site_of(request)
    values = {field: form[field].strip() for field in (*FORM.columns, "once")}
    if (source := SHEET.source(request)) is not None:
        return _form(request, None, values, {"name": source.refusal}, status=422)
    typed = FORM.read(values, schema)
    if typed.errors:
        return _form(request, None, values, typed.errors, status=422)
    source_of, ref = AppointmentSource.SHEET, form["once"] if is_id(form["once"]) else site.new_id()
    added = appointment_id(source_of, ref)
    if ar_of(request).appointment(added) is None:
        fields = schema.complete(typed.fields)
        command = schema.record(fields, source_of, ref, PersonId(site.new_id()))
        if not is_confirmed(request) and (same := at_same_time(request, command)) is not None:
            return _ask(request, same)
        outcome = await run(request, command)
        if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
            return _form(request, None, values, refusal(outcome.reason), status=422)
    return done(request, appointment_url(added), "Added.")


def at_same_time(request: Request, record: RecordAppointment) -> Appointment | None:
    """Another appointment of this customer at the same time. The customer may have booked it."""
    ar = ar_of(request)
    person = ar.person_by_email(contact_key(record.email, record.mobile))
    mine = ar.live_of(person.id, record.starts_at - _MOMENT, _MOST_AT_ONCE) if person else ()
    of_this = (record.source, record.ref)
    return next(
        (
            one
            for one in mine
            if one.starts_at == record.starts_at and (one.source, one.ref) != of_this
        ),
        None,
    )


def _ask(request: Request, same: Appointment) -> Response:
    who = customer(ar_of(request).person(same.person_id))
    return confirm_page(
        request,
        question="Add a second appointment at the same time?",
        means=f"{who} has {same.service} on {day_and_time(same, zone_of(request))} already."
        " Two people who come together may well have two.",
        label="Add it",
        keep_url=appointment_url(same.id),
        keep_label="See the first one",
        active=REMINDERS,
        crumbs=(("Reminders", REMINDERS), ("Add an appointment", ADD), ("Please confirm", "")),
        is_danger=False,
    )


# --- editing --------------------------------------------------------------------------------


async def edit_page(request: Request) -> Response:
    row = _row(request)
    return _form(request, row, FORM.values_of(row, schema_of(request)), {})


async def edit(request: Request) -> Response:
    """Saves a row, unless it has changed since the page was loaded. The customer gets a message
    about a new time."""
    row, form, schema = _row(request), form_of(request), schema_of(request)
    url = appointment_url(row.id)
    before = FORM.values_of(row, schema)
    values = {field: form.fields.get(field, before[field]).strip() for field in FORM.columns}
    if not can_edit(request, row.appointment):
        return done(request, url, "It cannot be changed here any more.", kind="problem")
    if form["stamp"] != _stamp(row):
        newer = [
            (label, before[field] or "nothing")
            for field, (_, label) in FORM.columns.items()
            if before[field] != values[field]
        ]
        return _form(request, row, values, {}, status=409, newer=newer)
    typed = FORM.read(values, schema)
    if typed.errors:
        return _form(request, row, values, typed.errors, status=422)
    for command in _commands(request, row, schema, typed.fields):
        outcome = await run(request, command)
        if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
            return _form(request, row, values, refusal(outcome.reason), status=422)
    return done(request, url, "Saved.")


def _commands(
    request: Request, row: VisitRow, schema: VisitSchema, said: Mapping[str, str]
) -> list[Command]:
    fields = schema.complete(said)
    moved = schema.starts_at(fields)
    command = schema.edit(row, fields, site_of(request).new_id)
    return [MoveAppointment(row.appointment.id, moved), command]


def refusal(reason: StrEnum) -> Values:
    sentence = REFUSALS.get(
        Reason(reason), "It cannot be changed any more. Please look at it again."
    )
    return {_FIELDS.get(reason, "name"): sentence}


def _row(request: Request) -> VisitRow:
    one = appointment_of(request)
    person = ar_of(request).person(one.person_id)
    assert person is not None, "an appointment belongs to a person"
    return VisitRow(one, person, zone_of(request), site_of(request).clock.now())


def _stamp(row: VisitRow) -> str:
    return f"{row.appointment.version}.{row.person.contact_version}.{row.person.name}"


def _form(
    request: Request,
    row: VisitRow | None,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
    newer: list[tuple[str, str]] | None = None,
) -> Response:
    """Shows the form that edits a row, or adds one if it is None."""
    catalogue = schema_of(request).catalogue
    url = appointment_url(row.id) if row else REMINDERS
    return reminder_page(
        request,
        "edit.html",
        tab="Appointments",
        page_title=f"Edit {row.name}" if row else "Add an appointment",
        status=status,
        action=f"{url}/edit" if row else ADD,
        back_url=url,
        button="Save" if row else "Add it",
        v=values,
        stamp=_stamp(row) if row else "",
        once=values.get("once", ""),
        errors=errors,
        newer=newer,
        services=[one.name for one in catalogue.services],
        team=list(catalogue.staff),
    )
