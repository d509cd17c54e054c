"""drive-sync: keeps the waitlist and the sheet that staff edit in step, with their versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from frontdesk.aws.home import home
from frontdesk.aws.streams import Payload
from frontdesk.sheet_keeper import BY, Report
from frontdesk.wiring.aws import sheet_keeper


def handler(payload: Payload, _context: object) -> dict[str, Any] | None:
    """Every few minutes the sheet is looked at; a fact says that the list changed on our side;
    and staff ask in the console, who are answered what was found and done."""
    if "ask" in payload:
        report: dict[str, Any] = msgspec.to_builtins(_asked(payload))
        return report
    fact = _fact(payload)
    if fact.get("by") != BY:
        here = home()
        sheet_keeper(here.back, here.account, changed=bool(fact)).turn()
    return None


def _fact(payload: Payload) -> Mapping[str, Any]:
    """Nothing if a schedule calls: the detail of its own default payload is a text."""
    detail = payload.get("detail")
    return detail if isinstance(detail, Mapping) else {}


def _asked(payload: Payload) -> Report:
    here = home()
    keeper = sheet_keeper(here.back, here.account)
    if payload["ask"] == "go-back":
        return keeper.go_back(payload["number"], by=payload["by"])
    return keeper.sync(by=payload["by"], let_go=payload["let_go"])
