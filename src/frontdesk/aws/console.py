"""The function `fd-console`: the console and its sign-in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages
from frontdesk.aws.remote_calls import (
    CallAndWait,
    CallFailed,
    RemoteCalendarCache,
    call_and_wait,
)
from frontdesk.aws.routing import Endpoint
from frontdesk.features.calendars.state import SyncUnknown
from frontdesk.features.documents.model import DocumentUnavailable
from frontdesk.features.sheet_sync.model import BY, SyncReport
from frontdesk.values import Frozen
from frontdesk.web.site import Site
from frontdesk.wiring.aws import RemoteWork
from frontdesk.wiring.console import install_console, routes
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.sheets import DRIVE_SYNC

CALENDAR_SYNC: Final = "calendar-sync"


class RemoteSheetSync(Frozen):
    """Syncs a desk's table with its sheet through drive-sync."""

    call: CallAndWait
    desk: str

    def sync(self, *, by: str = BY, let_go: Sequence[str] = ()) -> SyncReport:
        return self._report({"ask": "sync", "desk": self.desk, "by": by, "let_go": list(let_go)})

    def go_back(self, number: int, *, by: str) -> SyncReport:
        return self._report({"ask": "go-back", "desk": self.desk, "by": by, "number": number})

    def _report(self, payload: Mapping[str, Any]) -> SyncReport:
        try:
            return msgspec.convert(self.call(DRIVE_SYNC, payload), SyncReport)
        except CallFailed as none:
            return SyncReport(trouble=str(none))


class RemoteDocuments(Frozen):
    """Reads documents in Google Drive through the function that has the key to it."""

    call: CallAndWait
    function: str
    desk: str

    def __call__(self) -> bool:
        try:
            return bool(self.call(self.function, {"ask": "documents", "desk": self.desk})["did"])
        except CallFailed as none:
            raise DocumentUnavailable(str(none)) from none


class RemoteCalendar(Frozen):
    """Syncs the calendars of one desk through calendar-sync."""

    call: CallAndWait
    of: str

    def turn(self) -> bool:
        try:
            return bool(self.call(CALENDAR_SYNC, {"ask": "look", "of": self.of})["did"])
        except CallFailed as none:
            raise SyncUnknown(str(none)) from none


def _routes(deployment: Deployment) -> Sequence[BaseRoute]:
    return routes(deployment.back, with_calendar=deployment.account.has_calendar)


def _install(site: Site, app: Starlette, deployment: Deployment) -> None:
    settings, account = deployment.settings, deployment.account
    install_console(app, settings, with_calendar=account.has_calendar)
    call = partial(call_and_wait, account.client)
    remote = RemoteWork(
        sheet=partial(RemoteSheetSync, call),
        documents=partial(RemoteDocuments, call),
        calendars=partial(RemoteCalendar, call),
        calendar_cache=partial(RemoteCalendarCache, call),
    )
    for desk in DESKS:
        desk.on_aws().install(deployment.back, site, account, remote)


fd_console = Pages(Endpoint.CONSOLE, _routes, _install)
