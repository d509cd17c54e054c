"""summary: the waitlist's month, summed up for staff."""

from __future__ import annotations

from frontdesk.aws.streams import Payload
from frontdesk.aws.timers import fire_if_due


def handler(payload: Payload, _context: object) -> None:
    fire_if_due(payload)
