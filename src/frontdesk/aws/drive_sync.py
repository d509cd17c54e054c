"""The function `drive-sync`: syncs the waitlist with a sheet, and copies Google documents.

The other functions read the copies of the documents from a bucket.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.features.documents.sync import Documents
from frontdesk.features.sheet_sync.model import BY, SyncReport
from frontdesk.wiring.waitlist.aws import documents_of, sheet_sync


def drive_sync(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Called by a schedule, by facts that change the list, and by the console, which waits."""
    if payload.get("ask") == "documents":
        return {"did": _look_at_documents(deployment())}
    if "ask" in payload:
        report: dict[str, Any] = msgspec.to_builtins(_asked(payload))
        return report
    fact = _fact(payload)
    if fact.get("by") != BY:
        here = deployment()
        sheet_sync(here.back, here.account, changed=bool(fact)).turn()
        if not fact:
            _look_at_documents(here)
    return None


def _look_at_documents(here: Deployment) -> bool:
    """Takes edits of the documents; returns whether there were any."""
    documents = _documents(here)
    return documents is not None and documents.take_edits()


@lru_cache(maxsize=1)
def _documents(here: Deployment) -> Documents | None:
    """Cached between calls, so that unchanged documents are not fetched again."""
    return documents_of(here.back, here.account)


def _fact(payload: Payload) -> Mapping[str, Any]:
    """Returns the fact; empty for a call by a schedule, whose `detail` is text."""
    detail = payload.get("detail")
    return detail if isinstance(detail, Mapping) else {}


def _asked(payload: Payload) -> SyncReport:
    here = deployment()
    sync = sheet_sync(here.back, here.account)
    if payload["ask"] == "go-back":
        return sync.go_back(payload["number"], by=payload["by"])
    return sync.sync(by=payload["by"], let_go=payload["let_go"])
