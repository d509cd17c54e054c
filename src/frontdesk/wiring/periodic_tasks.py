"""Tasks that the server on one machine repeats while it runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from frontdesk.values import Frozen


class PeriodicTask(Frozen):
    name: str
    turn: Callable[[], bool]
    """Does what there is to do; whether there was anything."""
    every: Callable[[], timedelta]
    """How long to wait until the next look."""
