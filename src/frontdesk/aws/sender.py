"""sender: messages about facts of the waitlist, and its due SMS and mails."""

from __future__ import annotations

from typing import Any

from frontdesk.aws.delivery import handle
from frontdesk.aws.streams import Payload


def handler(payload: Payload, _context: object) -> dict[str, Any] | None:
    return handle(payload)
