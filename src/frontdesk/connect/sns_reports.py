"""Reads the reports of SNS in CloudWatch Logs about texts that networks did not deliver."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from frontdesk.values import Frozen

#: CloudWatch Logs sends at most 1 MB, compressed.
MOST_BYTES: Final = 16_000_000
#: The most pages of the log in one check; the next check continues.
MOST_PAGES: Final = 100
_GZIP: Final = 16 + zlib.MAX_WBITS


class FailedDelivery(Frozen):
    """`message_id` is the id that `Publish` returned."""

    message_id: str
    number: str
    why: str


def failed_deliveries(awslogs: Mapping[str, Any]) -> Iterator[FailedDelivery]:
    """Reads the payload of a subscription to the log. Skips lines that are no such reports."""
    packed = base64.b64decode(awslogs["data"])
    batch = json.loads(zlib.decompressobj(_GZIP).decompress(packed, MOST_BYTES))
    if batch.get("messageType") != "DATA_MESSAGE":
        return
    for event in batch.get("logEvents", ()):
        found = _failed_delivery(event.get("message", ""))
        if found is not None:
            yield found


def failed_in_log(client: Any, group: str, since: datetime) -> Iterator[FailedDelivery]:
    """Reads the log itself, from `since` on, by a client of CloudWatch Logs."""
    query: dict[str, Any] = {"logGroupName": group, "startTime": int(since.timestamp() * 1000)}
    for _ in range(MOST_PAGES):
        page = client.filter_log_events(**query)
        lines = (each.get("message", "") for each in page.get("events", ()))
        yield from (found for line in lines if (found := _failed_delivery(line)))
        if not page.get("nextToken"):
            return
        query["nextToken"] = page["nextToken"]


def log_of_failures(client: Any) -> str:
    """Returns the name of the log to which SNS writes failures of texts; empty if there is none."""
    for page in client.get_paginator("describe_log_groups").paginate(logGroupNamePrefix="sns/"):
        for each in page.get("logGroups", ()):
            if each["logGroupName"].endswith("/DirectPublishToPhoneNumber/Failure"):
                return str(each["logGroupName"])
    return ""


def _failed_delivery(line: str) -> FailedDelivery | None:
    try:
        report = json.loads(line)
        if report["status"] != "FAILURE":
            return None
        delivery = report["delivery"]
        return FailedDelivery(
            str(report["notification"]["messageId"]),
            str(delivery["destination"]),
            str(delivery.get("providerResponse", "")),
        )
    except (ValueError, KeyError, TypeError):
        return None
