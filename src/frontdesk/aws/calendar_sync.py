"""calendar-sync: openings that staff put into a calendar become slots, and go with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.streams import Payload
from frontdesk.features.calendars.sync import CalendarSync
from frontdesk.wiring.aws import calendar_sync


@dataclass(slots=True)
class _Kept:
    """For the home as it is: who keeps the calendar remembers what it said last."""

    deployment: Deployment | None = None
    keeper: CalendarSync | None = None

    def now(self) -> CalendarSync | None:
        here = deployment()
        if here is not self.deployment:
            self.deployment, self.keeper = here, calendar_sync(here.back, here.account)
        return self.keeper


_kept: Final = _Kept()


def handler(_payload: Payload, _context: object) -> dict[str, bool]:
    """Every few minutes, and when staff ask for it: whether there was anything to do."""
    keeper = _kept.now()
    return {"did": keeper is not None and keeper.turn()}
