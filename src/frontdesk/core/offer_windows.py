"""Decides whether an offer that must be sent again can keep its deadline."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.quiet_hours import QuietHours

#: Enough time to answer a message. For a short window, half of the window is enough.
LEAST_LEFT: Final = timedelta(hours=1)


def leaves_time(
    claim_by: datetime, *, window: timedelta, quiet: QuietHours, tz: ZoneInfo, now: datetime
) -> bool:
    """Whether a message with the same deadline can go out now and leaves time to answer."""
    if quiet.is_quiet(now, tz):
        return False
    return claim_by - now >= min(LEAST_LEFT, window / 2)
