"""Timers that a schedule says are due. Their desk decides whether that still matters."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.aws.waiting import LONGEST_SECONDS, until
from frontdesk.core.decision import TimerName

#: More are never due at once.
MOST: Final = 100_000
#: More is done by the sweep.
MOST_MISSED: Final = 12


class NotFired(Exception):
    """Raised so that AWS tries again; what went wrong is in the log already."""


def fire(*due: Payload) -> None:
    """Each of them, whatever becomes of the others; again does no harm."""
    failed = [each["timer"] for each in due if not _fire(each)]
    if failed:
        raise NotFired(" ".join(failed))


def _fire(payload: Payload) -> bool:
    back = deployment().back
    name, due_at = TimerName(payload["timer"]), datetime.fromisoformat(payload["due_at"])
    until(back.clock, due_at)
    return back.runtime.timers.fire(name, due_at, back.clock.now())


def fire_if_due(payload: Payload) -> None:
    """By a schedule that comes again and again: the timer itself says whether it is time, and
    how often it was missed."""
    back, name = deployment().back, TimerName(payload["timer"])
    for _ in range(MOST_MISSED):
        due_at = back.engine.reads().desk("fd").timer_at(name)
        if due_at is None or back.clock.seconds_until(due_at) > LONGEST_SECONDS:
            return
        fire({"timer": name, "due_at": due_at.isoformat()})


def due(payload: Payload) -> Iterable[dict[str, str]]:
    """All of a kind that are due by then, each as a schedule of its own would have it."""
    back, by = deployment().back, datetime.fromisoformat(payload["due_at"])
    for name, due_at in back.store.due_timers(by, MOST):
        if name.startswith(payload["kind"] + "/"):
            yield {"timer": name, "due_at": due_at.isoformat()}
