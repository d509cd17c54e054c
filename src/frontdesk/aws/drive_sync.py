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

if TYPE_CHECKING:
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.sync import SheetSync

#: The desk of a payload that names none.
WAITLIST: Final = "wl"
REMINDERS: Final = "ar"


def drive_sync(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Called by a schedule for each desk, by facts that change a table, and by the console, which
    waits."""
    here, fact = deployment(), _fact(payload)
    desk = payload.get("desk") or str(fact.get("kind", WAITLIST)).partition(".")[0]
    if payload.get("ask") == "documents":
        return {"did": _look_at_documents(here, desk)}
    if "ask" in payload:
        report: dict[str, Any] = msgspec.to_builtins(_asked(here, desk, payload))
        return report
    if fact.get("by") != BY:
        _sheet_sync(here, desk, changed=bool(fact)).turn()
        if not fact:
            _look_at_documents(here, desk)
    if fact and desk == REMINDERS:
        from frontdesk.wiring.reminders.desk import SHEET

        act_on(here.back, fact, lambda follower: follower.name == SHEET.name)
    return None


def _sheet_sync(here: Deployment, desk: str, *, changed: bool = True) -> SheetSync:
    """Imports the parts of this desk only: each call is about one desk."""
    if desk == REMINDERS:
        from frontdesk.wiring.reminders import aws as reminders_aws

        return reminders_aws.sheet_sync(here.back, here.account, changed=changed)
    from frontdesk.wiring.waitlist import aws as waitlist_aws

    return waitlist_aws.sheet_sync(here.back, here.account, changed=changed)


def _look_at_documents(here: Deployment, desk: str) -> bool:
    """Takes edits of the documents; returns whether there were any."""
    documents = _documents(here, desk)
    return documents is not None and documents.take_edits()


@lru_cache(maxsize=2)
def _documents(here: Deployment, desk: str) -> Documents | None:
    """Cached between calls, so that unchanged documents are not fetched again."""
    if desk == REMINDERS:
        from frontdesk.wiring.reminders import aws as reminders_aws

        return reminders_aws.documents_in_drive(here.back, here.account)
    from frontdesk.wiring.waitlist import aws as waitlist_aws

    return waitlist_aws.documents_of(here.back, here.account)


def _fact(payload: Payload) -> Mapping[str, Any]:
    """Returns the fact; empty for a call by a schedule, whose `detail` is text."""
    detail = payload.get("detail")
    return detail if isinstance(detail, Mapping) else {}


def _asked(here: Deployment, desk: str, payload: Payload) -> SyncReport:
    sync = _sheet_sync(here, desk)
    if payload["ask"] == "go-back":
        return sync.go_back(payload["number"], by=payload["by"])
    return sync.sync(by=payload["by"], let_go=payload["let_go"])
