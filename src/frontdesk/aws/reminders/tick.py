"""The function `reminder`: ticks every hour, and looks at single appointments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from frontdesk.aws.clients import time_left
from frontdesk.aws.container import deployment
from frontdesk.aws.streams import NotFinished, Payload
from frontdesk.aws.timers import LONGEST_SECONDS, fire
from frontdesk.core.decision import TimerName
from frontdesk.wiring.reminders.aws import documents_in_bucket
from frontdesk.wiring.reminders.existing_bookings import open_desk

#: Time to keep for the end of one page of a tick.
SPARE_MILLISECONDS: Final = 10_000


def reminder(payload: Payload, context: Any) -> None:
    """Ticks every hour, or looks at one appointment whose own schedule fires.

    A tick looks at the appointments page by page. The first one, after the desk is switched on,
    finds the bookings that are there already.
    """
    if "due_at" in payload:
        fire(payload)
        return
    here = deployment()
    back = here.back
    has_time = time_left(context, SPARE_MILLISECONDS)
    name = TimerName(payload["timer"])
    documents_in_bucket(back, here.account).take_edits()
    is_open = open_desk(back.settings, back.engine, back.clock, has_time)
    if not (is_open and _fire_while_due(name, has_time)):
        raise NotFinished(name)


def _fire_while_due(name: TimerName, has_time: Callable[[], bool]) -> bool:
    """Returns whether nothing more is due: each page sets the timer for the next."""
    back = deployment().back
    while has_time():
        due_at = back.engine.reads().desk("fd").timer_at(name)
        if due_at is None or back.clock.seconds_until(due_at) > LONGEST_SECONDS:
            return True
        fire({"timer": name, "due_at": due_at.isoformat()})
    return False
