"""reminder-fire: reminders are due, mostly those of a whole event at once."""

from __future__ import annotations

import json
from typing import Any, Final

from frontdesk.aws.clients import client
from frontdesk.aws.streams import Payload
from frontdesk.aws.timers import due, fire

#: So many are fired by one run, which has time for some more.
AT_ONCE: Final = 20


def handler(payload: Payload, context: Any) -> None:
    if "kind" in payload:
        found = list(due(payload))
        for start in range(AT_ONCE, len(found), AT_ONCE):
            _hand_on(found[start : start + AT_ONCE], context)
        fire(*found[:AT_ONCE])
    elif "all" in payload:
        fire(*payload["all"])
    else:
        fire(payload)


def _hand_on(part: list[dict[str, str]], context: Any) -> None:
    """To another run of this function, which nobody waits for; again does no harm."""
    client("lambda").invoke(
        FunctionName=context.invoked_function_arn,
        InvocationType="Event",
        Payload=json.dumps({"all": part}).encode(),
    )
