"""drive-sync: keeps the waitlist and the sheet that staff edit in step, with their versions, and
copies the documents that staff write in Google Docs to where the other functions read them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.features.documents.sync import Documents
from frontdesk.features.sheet_sync.model import BY, Report
from frontdesk.wiring.waitlist.aws import documents_of, sheet_sync


def handler(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Every few minutes the sheet and the documents are looked at; a fact says that the list
    changed on our side; and staff ask in the console, who are answered what was found and done."""
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
    """Whether anything in them was new."""
    documents = _documents(here)
    return documents is not None and documents.take_edits()


@lru_cache(maxsize=1)
def _documents(here: Deployment) -> Documents | None:
    """Kept from one call to the next, so that what has not changed is not fetched again."""
    return documents_of(here.back, here.account)


def _fact(payload: Payload) -> Mapping[str, Any]:
    """Nothing if a schedule calls: the detail of its own default payload is a text."""
    detail = payload.get("detail")
    return detail if isinstance(detail, Mapping) else {}


def _asked(payload: Payload) -> Report:
    here = deployment()
    keeper = sheet_sync(here.back, here.account)
    if payload["ask"] == "go-back":
        return keeper.go_back(payload["number"], by=payload["by"])
    return keeper.sync(by=payload["by"], let_go=payload["let_go"])
