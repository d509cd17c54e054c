"""messenger: who is told of a fact of the events or the admin desk, and the mails that are due."""

from __future__ import annotations

from typing import Any

from frontdesk.aws.streams import Payload
from frontdesk.aws.telling import tell


def handler(payload: Payload, _context: object) -> dict[str, Any] | None:
    return tell(payload)
