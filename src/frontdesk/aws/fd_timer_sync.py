"""fd-timer-sync: keeps a one-off schedule for each timer, and for each send that is due later."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from frontdesk.aws.clients import client
from frontdesk.aws.schedules import requests, schedules_of
from frontdesk.aws.streams import Payload, Record, each


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    schedules = schedules_of(client("scheduler"), os.environ, context.invoked_function_arn)

    def keep_up(record: Record) -> None:
        schedules.apply(requests(record), datetime.now(UTC))

    return each(payload, keep_up)
