"""How long an offer stays open that has to be sent again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.quiet_hours import QuietHours

#: So long is enough to answer a message; with a short window, half of it.
LEAST_LEFT: Final = timedelta(hours=1)


def leaves_time(
    claim_by: datetime, *, window: timedelta, quiet: QuietHours, tz: ZoneInfo, now: datetime
) -> bool:
    """Whether a message that says the same deadline can go out now and be answered in time."""
    if quiet.is_quiet(now, tz):
        return False
    return claim_by - now >= min(LEAST_LEFT, window / 2)
