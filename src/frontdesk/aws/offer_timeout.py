"""offer-timeout: a claim window has closed."""

from __future__ import annotations

from frontdesk.aws.streams import Payload
from frontdesk.aws.timers import fire


def handler(payload: Payload, _context: object) -> None:
    fire(payload)
