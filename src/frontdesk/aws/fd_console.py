"""fd-console: what hosts and staff see and do, and how they sign in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.container import Deployment
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.aws.remote_calls import (
    RemoteCalendar,
    RemoteDocuments,
    RemoteSheetSync,
    call_and_wait,
)
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.rsvp.console.overview import ASSISTANT
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.features.calendars.console import SYNC as CALENDAR_SYNC
from frontdesk.features.documents.console import REFRESH
from frontdesk.features.sheet_sync.console import SOURCE, SYNC, kept_in
from frontdesk.web.site import Site
from frontdesk.wiring.console import install_console, routes
from frontdesk.wiring.waitlist.aws import sheet_sync, slot_intake_of
from frontdesk.wiring.waitlist.documents import addresses


def _routes(deployment: Deployment) -> Sequence[BaseRoute]:
    return routes(deployment.back, with_calendar=deployment.account.has_calendar)


def _furnish(site: Site, app: Starlette, deployment: Deployment) -> None:
    settings, account = deployment.settings, deployment.account
    install_console(app, settings, with_calendar=account.has_calendar)
    site.memory[SLOT_INTAKE] = slot_intake_of(deployment.back, account)
    call = partial(call_and_wait, account.client)
    site.memory[CALENDAR_SYNC.format("wl")] = RemoteCalendar(call)
    if addresses(settings):
        site.memory[REFRESH] = RemoteDocuments(call)
    if settings.waitlist_sheet:
        site.memory[SYNC.format("wl")] = RemoteSheetSync(call)
        site.memory[SOURCE.format("wl")] = kept_in(settings.waitlist_sheet)
    else:
        site.memory[SYNC.format("wl")] = sheet_sync(deployment.back, account)
    if deployment.back.writer is not None:
        site.memory[ASSISTANT] = deployment.back.writer


pages = Pages(Endpoint.CONSOLE, _routes, _furnish)


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
