"""Synchronous calls of other functions by the console: only they have access to these systems."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from botocore.exceptions import ReadTimeoutError

from frontdesk.features.calendars.state import NotLooked
from frontdesk.features.documents.model import DocumentUnavailable
from frontdesk.features.sheet_sync.model import BY, Report
from frontdesk.logs import failure, log
from frontdesk.values import Frozen

DRIVE_SYNC: Final = "drive-sync"
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
        log("asking.failed", function=function, why=failure(error))
        raise CallFailed(LONGER if isinstance(error, ReadTimeoutError) else FAILED) from None
    if "FunctionError" in said:
        log("asking.failed", function=function, why="it failed there")
        raise CallFailed(FAILED)
    return answer


class RemoteSheetSync(Frozen):
    """Syncs the list with its sheet through drive-sync."""

    call: CallAndWait

    def sync(self, *, by: str = BY, let_go: Sequence[str] = ()) -> Report:
        return self._report({"ask": "sync", "by": by, "let_go": list(let_go)})

    def go_back(self, number: int, *, by: str) -> Report:
        return self._report({"ask": "go-back", "by": by, "number": number})

    def _report(self, payload: Mapping[str, Any]) -> Report:
        try:
            return msgspec.convert(self.call(DRIVE_SYNC, payload), Report)
        except CallFailed as none:
            return Report(trouble=str(none))


class RemoteDocuments(Frozen):
    """Reads documents in Google Docs through drive-sync."""

    call: CallAndWait

    def __call__(self) -> bool:
        try:
            return bool(self.call(DRIVE_SYNC, {"ask": "documents"})["did"])
        except CallFailed as none:
            raise DocumentUnavailable(str(none)) from none


class RemoteCalendar(Frozen):
    """Syncs the calendar of openings through calendar-sync."""

    call: CallAndWait

    def turn(self) -> bool:
        try:
            return bool(self.call(CALENDAR_SYNC, {"ask": "look"})["did"])
        except CallFailed as none:
            raise NotLooked(str(none)) from none
