"""Calls of other functions of this deployment that nobody waits for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from frontdesk.aws.clients import client

Call = Callable[[str, Mapping[str, Any]], None]


def caller(own_arn: str) -> Call:
    """Calls a function by its name. AWS retries what fails there and keeps it in the end."""
    functions = own_arn.partition(":function:")[0] + ":function:"

    def call(function: str, payload: Mapping[str, Any]) -> None:
        client("lambda").invoke(
            FunctionName=functions + function,
            InvocationType="Event",
            Payload=json.dumps(payload).encode(),
        )

    return call
