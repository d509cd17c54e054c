"""The function `fd-console`: the console and its sign-in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from botocore.exceptions import ReadTimeoutError
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.features.calendars.state import NotLooked
from frontdesk.features.documents.model import DocumentUnavailable
from frontdesk.features.sheet_sync.model import BY, SyncReport
from frontdesk.logs import failure, log
from frontdesk.values import Frozen
from frontdesk.web.site import Site
from frontdesk.wiring.aws import RemoteWork
from frontdesk.wiring.console import install_console, routes
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.sheets import DRIVE_SYNC

CALENDAR_SYNC: Final = "calendar-sync"
LONGER: Final = "It takes longer than usual. Please look again in a minute."
FAILED: Final = "That did not work just now. It is tried again within minutes."

CallAndWait = Callable[[str, Mapping[str, Any]], Any]


class CallFailed(Exception):
    """The call failed, or its outcome is unknown after a timeout."""


def call_and_wait(client: Callable[[str], Any], function: str, payload: Mapping[str, Any]) -> Any:
    """Returns the answer of the function. Calls once, with a time limit."""
    try:
        said = client("lambda").invoke(FunctionName=function, Payload=json.dumps(payload).encode())
        answer = json.loads(said["Payload"].read() or b"null")
    except Exception as error:
        log("remote_call.failed", function=function, why=failure(error))
        raise CallFailed(LONGER if isinstance(error, ReadTimeoutError) else FAILED) from None
    if "FunctionError" in said:
        log("remote_call.failed", function=function, why="it failed there")
        raise CallFailed(FAILED)
    return answer


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
            raise NotLooked(str(none)) from none


class RemoteCalendarCache(Frozen):
    """Reads a calendar through the function that has its password and saves the result."""

    call: CallAndWait
    function: str

    def refresh(self, calendar: str, *, at_once: bool = False) -> bool:
        """Returns whether it was read. The page shows the saved reason if not."""
        del at_once  # staff ask for it: always
        try:
            return bool(self.call(self.function, {"ask": "read", "calendar": calendar})["did"])
        except CallFailed:
            return False


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
