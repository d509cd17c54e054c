"""The function `fd-relay`: puts each fact of the outbox on the bus, and replays failed calls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from frontdesk.aws.clients import client
from frontdesk.aws.failures import replay_failures
from frontdesk.aws.streams import ChangedRow, Payload, Row, failures, records
from frontdesk.logs import log
from frontdesk.store.rows import instant

SOURCE: Final = "frontdesk"
#: The maximum number of entries in one request.
AT_ONCE: Final = 10


def fd_relay(payload: Payload, context: Any) -> dict[str, Any]:
    """Reports the facts that the bus refused, so that AWS retries them. Repeats do no harm.

    `{"ask": "replay"}` comes from the sweep.
    """
    if payload.get("ask") == "replay":
        return {"replayed": replay_failures(context)}
    return failures(*_not_taken([each for each in records(payload) if each.after is not None]))


def _not_taken(facts: Sequence[ChangedRow]) -> Iterator[str]:
    for start in range(0, len(facts), AT_ONCE):
        part = facts[start : start + AT_ONCE]
        answer = client("events").put_events(Entries=[entry(each.after or {}) for each in part])
        for record, taken in zip(part, answer["Entries"], strict=True):
            if taken.get("ErrorCode"):
                log("relay.failed", why=taken["ErrorCode"])
                yield record.sequence


def entry(row: Row) -> dict[str, Any]:
    return {"Source": SOURCE, "DetailType": row["kind"], "Detail": json.dumps(detail(row))}


def detail(row: Row) -> dict[str, Any]:
    """Returns a fact as the bus has it. `seq` is text: many JSON parsers lose its last digits."""
    return {
        "seq": str(row["seq"]),
        "kind": row["kind"],
        "at": instant(row["at"]).isoformat(),
        "by": row["by"],
        "subject": row["subject"],
        "about": row.get("about", ""),
        "fact": json.loads(row["body"]),
    }
