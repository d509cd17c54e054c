"""The last moments before something is due: schedules and clocks are not exact."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

from frontdesk.engine.clock import Clock

LONGEST_SECONDS: Final = 8.0


class TooEarly(Exception):
    """Raised so that it is brought again: AWS does so after a minute."""


def until(clock: Clock, due_at: datetime, pause: Callable[[float], None] = time.sleep) -> None:
    seconds = clock.seconds_until(due_at)
    if seconds > LONGEST_SECONDS:
        raise TooEarly(f"due in {seconds:.0f} seconds")
    if seconds > 0:
        pause(seconds)
