"""fd-relay: puts each fact of the outbox on the bus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from frontdesk.aws.clients import client
from frontdesk.aws.outbox import detail
from frontdesk.aws.streams import Payload, Record, Row, failures, records
from frontdesk.logs import log

SOURCE: Final = "frontdesk"
AT_ONCE: Final = 10
"""More are not taken in one request."""


def handler(payload: Payload, _context: object) -> dict[str, Any]:
    """Those that the bus did not take are brought again; twice on the bus does no harm."""
    return failures(*_not_taken([each for each in records(payload) if each.after is not None]))


def _not_taken(facts: Sequence[Record]) -> Iterator[str]:
    for start in range(0, len(facts), AT_ONCE):
        part = facts[start : start + AT_ONCE]
        answer = client("events").put_events(Entries=[entry(each.after or {}) for each in part])
        for record, taken in zip(part, answer["Entries"], strict=True):
            if taken.get("ErrorCode"):
                log("relay.failed", why=taken["ErrorCode"])
                yield record.sequence


def entry(row: Row) -> dict[str, Any]:
    return {"Source": SOURCE, "DetailType": row["kind"], "Detail": json.dumps(detail(row))}
