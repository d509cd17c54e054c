"""The function `calendar-sync`: makes slots of the openings that staff put into a calendar."""

from __future__ import annotations

from functools import lru_cache

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.features.calendars.sync import CalendarSync
from frontdesk.wiring.waitlist import aws as wiring


def calendar_sync(_payload: Payload, _context: object) -> dict[str, bool]:
    """Called by a schedule and by the console; returns whether there was anything to do."""
    sync = _sync(deployment())
    return {"did": sync is not None and sync.turn()}


@lru_cache(maxsize=1)
def _sync(here: Deployment) -> CalendarSync | None:
    """Cached between calls, so that an unchanged calendar is not fetched again."""
    return wiring.calendar_sync(here.back, here.account)
