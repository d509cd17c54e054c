"""Reads, validates and formats rows of the list for the table and the forms."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from hashlib import blake2b
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frontdesk.core.contacts import NO_CONTACT
from frontdesk.core.localtime import ENGLISH, spoken_day
from frontdesk.core.text_rules import ABROAD, NOT_MOBILE, text_rules
from frontdesk.desks.waitlist.console.formatting import ENTRY_CHIPS
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.sheet import ListColumn, ListSchema, list_schema
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.stories import ERASED
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.sheet_sync.console import SheetConsole
from frontdesk.features.sheet_sync.form import RowForm, TypedRow, Values
from frontdesk.features.sheet_sync.schema import Fields
from frontdesk.values import replace
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.shell import signed_in
from frontdesk.web.site import site_of

#: The cells that staff edit, by field name.
COLUMNS: Final[Mapping[str, tuple[ListColumn, str]]] = {
    "name": (ListColumn.NAME, "Name"),
    "mobile": (ListColumn.MOBILE, "Mobile"),
    "email": (ListColumn.EMAIL, "E-mail"),
    "service": (ListColumn.SERVICE, "Service"),
    "party": (ListColumn.PARTY, "Party"),
    "earliest": (ListColumn.EARLIEST, "Earliest"),
    "latest": (ListColumn.LATEST, "Latest"),
    "staff": (ListColumn.STAFF, "Staff"),
    "priority": (ListColumn.PRIORITY, "Priority"),
    "joined": (ListColumn.JOINED, "Joined"),
}
FORM: Final = RowForm(
    COLUMNS,
    missing={
        "name": "Please give a name.",
        "service": "Please say what they are waiting for.",
        "earliest": "Please give the first day that suits them.",
        "latest": "Please give the last day that suits them.",
    },
)


def schema_of(request: Request) -> ListSchema:
    """The schema of the list with the current rules, catalogue, country and time."""
    site = site_of(request)
    wl = waitlist(site.reads())
    return list_schema(wl.rules(), wl.catalogue(), site.settings.country, site.clock.now())


# --- reading cells --------------------------------------------------------------------------


OFFERED: Final = Chip("Has an offer", "ending")


def entry_chip(entry: Entry, *, offered: bool) -> Chip:
    waits = entry.status is EntryStatus.WAITING
    return OFFERED if waits and offered else ENTRY_CHIPS[entry.status]


def values_of(ours: ListRow, schema: ListSchema) -> Values:
    """The text of each cell in an edit field."""
    return FORM.values_of(ours, schema)


def cell_text(field: str, value: str) -> str:
    """The text of a cell for display: '20 Nov 2026'."""
    if not value or field not in ("earliest", "latest", "joined"):
        return value
    wall = datetime.fromisoformat(value)
    day = f"{wall.day} {ENGLISH.months[wall.month - 1][:3]} {wall.year}"
    return f"{day}, {wall:%H:%M}" if field == "joined" else day


def short_cell_text(field: str, value: str, today: date) -> str:
    """The text of a cell in a narrow column: '20 Nov', with the year only if it is not
    this year."""
    if not value or field not in ("earliest", "latest", "joined"):
        return value
    wall = datetime.fromisoformat(value)
    day = f"{wall.day} {ENGLISH.months[wall.month - 1][:3]}"
    return day if wall.year == today.year else f"{day} {wall.year}"


def stamp(ours: ListRow, schema: ListSchema) -> str:
    """A digest that changes with anything in the row."""
    parts = [*values_of(ours, schema).values(), ours.entry.status, str(ours.entry.version)]
    return blake2b("\0".join(parts).encode(), digest_size=9).hexdigest()


def only_by_text(ours: ListRow) -> bool:
    return bool(ours.mobile) and not ours.email


def sends_texts(request: Request) -> bool:
    return site_of(request).settings.texts_by != "none"


def no_texts_because(request: Request, ours: ListRow) -> str:
    """Explains why their number gets no texts; empty if it does."""
    if not ours.mobile or not sends_texts(request):
        return ""
    why = text_rules(site_of(request).settings).why_not(ours.mobile)
    if not why and ours.email and ours.entry.mail_only:
        return f"{_NOT_CONFIRMED} {_BY_MAIL}"
    return f"{_NO_TEXTS[why]} {_BY_MAIL if ours.email else _CALL_THEM}" if why else ""


_NO_TEXTS: Final = {
    NOT_MOBILE: "Texts do not reach this number.",
    ABROAD: "Texts do not go to this number's country (setting text_countries).",
}
_NOT_CONFIRMED: Final = (
    "This number is not confirmed: anybody can type one beside an address. They can confirm it"
    " by the link in their mail. If you know that it is theirs, add them again with it."
)
_BY_MAIL: Final = "They are told by mail."
_CALL_THEM: Final = "They have no e-mail address, so please call them."


def full_name(ours: ListRow) -> str:
    return ERASED if ours.is_erased else ours.name or ours.email or ours.mobile


# --- validating cells -----------------------------------------------------------------------


def with_current_values(schema: ListSchema, entry: Entry) -> ListSchema:
    """Allows the entry's own service and staff member, even if the catalogue no longer has them."""
    catalogue = schema.catalogue
    services = () if catalogue.service(entry.service) else (Service(entry.service),)
    members = () if not entry.staff or catalogue.member(entry.staff) else (entry.staff,)
    kept = Catalogue(
        (*catalogue.services, *services), (*catalogue.staff, *members), catalogue.currency
    )
    return replace(schema, catalogue=kept) if catalogue.services else schema


def read_typed(values: Mapping[str, str], schema: ListSchema) -> TypedRow:
    """Reads values like a row of a sheet, but requires both days."""
    return FORM.read(values, schema)


def spelled_dates(values: Mapping[str, str], said: Fields) -> list[str]:
    """Spells out each date that staff typed without a year."""
    days = (
        (label, date.fromisoformat(said[column]))
        for field, (column, label) in COLUMNS.items()
        if column in (ListColumn.EARLIEST, ListColumn.LATEST)
        and column in said
        and str(date.fromisoformat(said[column]).year)[-2:] not in values.get(field, "")
    )
    return [f"{label}: {spoken_day(on)} {on.year}." for label, on in days]


#: The field and a sentence for each refusal.
_REFUSED: Final[Mapping[Reason, tuple[str, str]]] = {
    Reason.NO_CONTACT: ("mobile", NO_CONTACT),
    Reason.ADDRESS_TAKEN: (
        "email",
        "Somebody else is known by this address, or by this number without an address.",
    ),
    Reason.BAD_DATES: ("latest", "The latest day is before the earliest."),
    Reason.DATES_PASSED: ("latest", "The latest day has passed."),
    Reason.BAD_PARTY: ("party", "The party is too large."),
    Reason.NO_SUCH_SERVICE: ("service", "There is no such service any more. Choose another."),
    Reason.ON_THE_LIST: ("service", "They have a row for this service already."),
    Reason.BEGUN: ("name", "Their slot has begun, so it cannot be given to somebody else."),
    Reason.SOMEBODY_ELSE: (
        "name",
        (
            "They have a slot. If it goes to somebody else, give that person's e-mail or mobile as "
            "well; if only the name was wrong, change it under People."
        ),
    ),
    Reason.HAS_A_SLOT: ("service", "They have a slot for this already, which is not over yet."),
    Reason.NOT_WAITING: ("service", "They are not waiting any more, so the service stays."),
    Reason.OF_THE_TEAM: (
        "name",
        "They sign in here themselves, so their name and address are changed under Team.",
    ),
    Reason.STOPPED: (
        "name",
        "They have asked for no offers any more. If they want them again, say so at their row.",
    ),
    Reason.NO_SUCH_ENTRY: ("name", "This row is not there any more."),
}


def refusal(reason: Any) -> dict[str, str]:
    field, sentence = _REFUSED[Reason(reason)]
    return {field: sentence}


# --- template values ------------------------------------------------------------------------


LIST: Final = f"{WAITLIST}/list"
ENTRIES: Final = f"{WAITLIST}/entries"
SHEET: Final = SheetConsole(
    "wl",
    path=f"{WAITLIST}/versions",
    tab="List",
    desk=("Waitlist", WAITLIST),
    page=waitlist_page,
    zone=zone_of,
    name_of=lambda request, row_id: EntryNames(site_of(request).reads()).of_entry(row_id),
    topic="the waitlist",
)


def row_of(
    ours: ListRow, schema: ListSchema, *, offered: bool, fixed: bool = False
) -> dict[str, Any]:
    """Template values of a row. `fixed` says that staff edit the list elsewhere."""
    values = values_of(ours, schema)
    return {
        "id": ours.entry.id,
        "url": f"{ENTRIES}/{ours.entry.id}",
        "stamp": stamp(ours, schema),
        "who": full_name(ours),
        "chip": entry_chip(ours.entry, offered=offered),
        "cells": [
            {
                "field": field,
                "label": label,
                "value": values[field],
                "shown": full_name(ours)
                if field == "name"
                else short_cell_text(field, values[field], schema.today),
                "full": cell_text(field, values[field]),
            }
            for field, (_, label) in COLUMNS.items()
        ],
        "can_edit": not (fixed or ours.is_erased),
        "can_leave": ours.entry.status is EntryStatus.WAITING and not fixed,
        "is_gone": ours.entry.status not in (EntryStatus.WAITING, EntryStatus.BOOKED),
    }


def one_row(request: Request, entry_id: EntryId) -> ListRow | None:
    wl = wl_of(request)
    entry = wl.entry(entry_id)
    if entry is None:
        return None
    person = wl.person(entry.person_id)
    assert person is not None, "an entry belongs to a person"
    return ListRow(entry, person.name, person.email, person.mobile, person.erased)


def row_answer(
    request: Request, entry_id: EntryId, says: str, *, status: int = 200, **more: Any
) -> Response:
    """The answer to the table's script: the current row and a message."""
    ours, site = one_row(request, entry_id), site_of(request)
    assert ours is not None
    offered = bool(wl_of(request).open_offers(entry_id))
    row = row_of(ours, schema_of(request), offered=offered)
    values = {"row": row, "hidden": {"csrf": signed_in(request).csrf}}
    html = site.renderer.html("waitlist/console/list_row.html", site.clock.now(), "", values)
    return JSONResponse({"id": entry_id, "html": html, "says": says, **more}, status)


def suggestions(catalogue: Catalogue) -> dict[str, list[str]]:
    return {
        "service": [one.name for one in catalogue.services],
        "staff": list(catalogue.staff),
        "priority": ["yes", "no"],
    }


def choices(catalogue: Catalogue, values: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """The options of the select fields, including the current value. Empty for fields that take any
    text."""
    services = [(one.name, one.name) for one in catalogue.services]
    members = [(one, one) for one in catalogue.staff]
    first = [("", "Please choose")] if services else []
    anybody = [("", "Anybody")] if members else []
    return {
        "service": [*first, *_with(services, values["service"])] if services else [],
        "staff": [*anybody, *_with(members, values["staff"])] if members else [],
    }


def _with(options: list[tuple[str, str]], value: str) -> list[tuple[str, str]]:
    known = {key for key, _ in options}
    return options if not value or value in known else [(value, value), *options]
