"""Rows of the list as the table shows them, and the way back to where the list is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.console.rows import (
    COLUMNS,
    entry_chip,
    full_name,
    schema_of,
    shown,
    shown_short,
    stamp,
    values_of,
)
from frontdesk.desks.waitlist.model import EntryId, EntryStatus
from frontdesk.desks.waitlist.sheet import ListSchema
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.sheet_sync.console import KeptIn, SheetConsole
from frontdesk.web.console.shell import signed_in
from frontdesk.web.site import site_of

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
)


def kept_elsewhere(source: KeptIn) -> str:
    return f"The list is kept in {source.words}. Please change it there."


# --- rows -----------------------------------------------------------------------------------


def row_of(
    ours: ListRow, schema: ListSchema, *, offered: bool, fixed: bool = False
) -> dict[str, Any]:
    """As the template of a row takes it. `fixed`: it is edited elsewhere."""
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
                else shown_short(field, values[field], schema.today),
                "full": shown(field, values[field]),
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
    """For the script: the row as it is now, and what to say about it."""
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
    """What can be picked; nothing where anything can be written. What stands there stays."""
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
