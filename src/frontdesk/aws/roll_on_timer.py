"""roll-on-timer: an offer of the waitlist has lapsed, or its slot has begun."""

from __future__ import annotations

from frontdesk.aws.streams import Payload
from frontdesk.aws.timers import fire


def handler(payload: Payload, _context: object) -> None:
    fire(payload)
