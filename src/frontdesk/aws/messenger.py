"""messenger: messages about facts of the events or the admin desk, and their due mails."""

from __future__ import annotations

from typing import Any

from frontdesk.aws.delivery import handle
from frontdesk.aws.streams import Payload


def handler(payload: Payload, _context: object) -> dict[str, Any] | None:
    return handle(payload)
