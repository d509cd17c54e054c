"""drive-sync: keeps the waitlist and the sheet that staff edit in step, with their versions."""

from __future__ import annotations

from frontdesk.aws.home import home
from frontdesk.aws.streams import Payload
from frontdesk.sheet_keeper import BY
from frontdesk.wiring.aws import sheet_keeper


def handler(payload: Payload, _context: object) -> None:
    """Every few minutes the sheet is looked at; a fact says that the list changed on our side."""
    detail = payload.get("detail", {})
    if detail.get("by") == BY:
        return
    here = home()
    sheet_keeper(here.back, here.account, changed=bool(detail)).turn()
