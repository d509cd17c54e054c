"""Tasks that the server on one machine repeats while it runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from frontdesk.values import Frozen


class PeriodicTask(Frozen):
    name: str
    turn: Callable[[], bool]
    """Does the work that is due; returns whether there was any."""
    every: Callable[[], timedelta]
    """Returns the time until the next turn."""
