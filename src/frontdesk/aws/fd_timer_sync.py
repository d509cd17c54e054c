"""fd-timer-sync: keeps a one-off schedule for each timer and each send that is due later.

It has the sends that are due now shipped by the function of their desk. So the stream of sends has
one reader: DynamoDB may throttle more than two.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from frontdesk.aws.calls import caller
from frontdesk.aws.clients import client
from frontdesk.aws.schedules import requests, schedules_of
from frontdesk.aws.streams import Payload, Record, each


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    schedules = schedules_of(client("scheduler"), os.environ, context.invoked_function_arn)

    call = caller(context.invoked_function_arn)

    def keep_up(record: Record) -> None:
        schedules.apply(requests(record), datetime.now(UTC), call)

    return each(payload, keep_up)
