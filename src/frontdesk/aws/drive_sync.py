"""The function `drive-sync`: syncs the sheets of desks with their tables, and copies documents from
Google Drive.

The other functions read the copies of the documents from a bucket.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.facts import act_on
from frontdesk.aws.streams import Payload
from frontdesk.features.sheet_sync.model import BY, SyncReport
from frontdesk.wiring.desks import DESKS

if TYPE_CHECKING:
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.wiring.desk_parts import DeskOnAws

#: The code of the desk of a payload that names none.
FIRST: Final = "wl"


def drive_sync(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Called by a schedule for each desk, by facts that change a table, and by the console, which
    waits."""
    here, fact = deployment(), _fact(payload)
    code = payload.get("desk") or str(fact.get("kind", FIRST)).partition(".")[0]
    if payload.get("ask") == "documents":
        return {"did": _look_at_documents(here, code)}
    if "ask" in payload:
        report: dict[str, Any] = msgspec.to_builtins(_asked(here, code, payload))
        return report
    if fact.get("by") != BY:
        _sheet_sync(here, code, changed=bool(fact)).turn()
        if not fact:
            _look_at_documents(here, code)
    if fact and (name := _desk(code).sheet_follower()):
        act_on(here.back, fact, lambda follower: follower.name == name)
    return None


def _sheet_sync(here: Deployment, code: str, *, changed: bool = True) -> SheetSync:
    sync = _desk(code).sheet_sync(here.back, here.account, changed=changed)
    assert sync is not None, f"the desk {code} has no sheet"
    return sync


def _look_at_documents(here: Deployment, code: str) -> bool:
    """Takes edits of the documents; returns whether there were any."""
    documents = _documents(here, code)
    return documents is not None and documents.take_edits()


@lru_cache(maxsize=len(DESKS))
def _documents(here: Deployment, code: str) -> Documents | None:
    """Cached between calls, so that unchanged documents are not fetched again."""
    return _desk(code).documents_in_drive(here.back, here.account)


def _desk(code: str) -> DeskOnAws:
    [found] = [desk for desk in DESKS if desk.dynamodb().code == code]
    return found.on_aws()


def _fact(payload: Payload) -> Mapping[str, Any]:
    """Returns the fact; empty for a call by a schedule, whose `detail` is text."""
    detail = payload.get("detail")
    return detail if isinstance(detail, Mapping) else {}


def _asked(here: Deployment, code: str, payload: Payload) -> SyncReport:
    sync = _sheet_sync(here, code)
    if payload["ask"] == "go-back":
        return sync.go_back(payload["number"], by=payload["by"])
    return sync.sync(by=payload["by"], let_go=payload["let_go"])
