"""How the pages look: in the name and the colour of the business."""

from __future__ import annotations

from frontdesk.desks.house.model import Business
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.web.screen import Look


def look_of(reads: Reads, settings: Settings) -> Look:
    """As it is now; for the start, and after each change."""
    business: Business = reads.desk("fd").business()
    return Look(business.name or settings.business_name, business.accent)
