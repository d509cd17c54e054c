"""calendar-sync: openings that staff put into a calendar become slots, and go with it."""

from __future__ import annotations

from functools import lru_cache

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.features.calendars.sync import CalendarSync
from frontdesk.wiring.waitlist.aws import calendar_sync


def handler(_payload: Payload, _context: object) -> dict[str, bool]:
    """Every few minutes, and when staff ask for it: whether there was anything to do."""
    sync = _sync(deployment())
    return {"did": sync is not None and sync.turn()}


@lru_cache(maxsize=1)
def _sync(here: Deployment) -> CalendarSync | None:
    """Cached from one call to the next, so that what has not changed is not fetched again."""
    return calendar_sync(here.back, here.account)
