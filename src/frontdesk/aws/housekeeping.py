"""housekeeping: at night, entries whose time is over leave the list."""

from __future__ import annotations

from frontdesk.aws.streams import Payload
from frontdesk.aws.timers import fire_if_due


def handler(payload: Payload, _context: object) -> None:
    fire_if_due(payload)
