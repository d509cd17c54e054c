"""Calls other functions and waits for their answers, because only those functions have the keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from botocore.exceptions import ReadTimeoutError

from frontdesk.logs import failure, log
from frontdesk.values import Frozen

LONGER: Final = "It takes longer than usual. Please look again in a minute."
FAILED: Final = "That did not work just now. It is tried again within minutes."

CallAndWait = Callable[[str, Mapping[str, Any]], Any]


class CallFailed(Exception):
    """The call failed, or its outcome is unknown after a timeout."""


def call_and_wait(client: Callable[[str], Any], function: str, payload: Mapping[str, Any]) -> Any:
    """Returns the answer of the function. Calls once, with a time limit."""
    try:
        response = client("lambda").invoke(
            FunctionName=function, Payload=json.dumps(payload).encode()
        )
        answer = json.loads(response["Payload"].read() or b"null")
    except Exception as error:
        log("remote_call.failed", function=function, why=failure(error))
        raise CallFailed(LONGER if isinstance(error, ReadTimeoutError) else FAILED) from None
    if "FunctionError" in response:
        log("remote_call.failed", function=function, why="it failed there")
        raise CallFailed(FAILED)
    return answer


class RemoteCalendarCache(Frozen):
    """Reads a calendar through the function that has its password and saves the result."""

    call: CallAndWait
    function: str

    def refresh(self, calendar: str, *, at_once: bool = False) -> bool:
        """Returns whether it was read. The page shows the saved reason if not."""
        del at_once  # somebody waits for it: always
        try:
            return bool(self.call(self.function, {"ask": "read", "calendar": calendar})["did"])
        except CallFailed:
            return False
