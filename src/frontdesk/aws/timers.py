"""The functions that fire timers. A desk decides whether its timer still matters.

One-off schedules call `reminder-fire`, `offer-timeout`, `roll-on-timer`, `bk-timer` and
`host-summary`; schedules that recur call `housekeeping` and `summary`. The module `reminders.tick`
has one more, `reminder`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from frontdesk.aws.clients import client
from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.core.decision import TimerName
from frontdesk.engine.clock import Clock

#: The largest number of timers that are due at one instant.
MOST: Final = 100_000
#: The limit of missed runs of a recurring timer in one call. The sweep does the rest.
MOST_MISSED: Final = 12
#: The number of timers in one run. Its time limit allows some more.
TIMERS_PER_RUN: Final = 20
#: Schedules and clocks are not exact: a call that comes a little early waits.
LONGEST_SECONDS: Final = 8.0


class NotFired(Exception):
    """Raised to make AWS retry. The log already says what went wrong."""


class TooEarly(Exception):
    """Raised to make AWS retry after about a minute."""


def reminder_fire(payload: Payload, context: Any) -> None:
    """Fires the reminders of an event, which are all due at once; starts more runs for many."""
    if "kind" in payload:
        found = list(due(payload))
        for start in range(TIMERS_PER_RUN, len(found), TIMERS_PER_RUN):
            _start_again(found[start : start + TIMERS_PER_RUN], context)
        fire(*found[:TIMERS_PER_RUN])
    elif "all" in payload:
        fire(*payload["all"])
    else:
        fire(payload)


def _start_again(part: list[dict[str, str]], context: Any) -> None:
    """Calls this function again without waiting for it. Repeating it does no harm."""
    client("lambda").invoke(
        FunctionName=context.invoked_function_arn,
        InvocationType="Event",
        Payload=json.dumps({"all": part}).encode(),
    )


def offer_timeout(payload: Payload, _context: object) -> None:
    """Fires when the claim window of an RSVP offer closes."""
    fire(payload)


def roll_on_timer(payload: Payload, _context: object) -> None:
    """Fires when a waitlist offer lapses or its slot begins."""
    fire(payload)


def bk_timer(payload: Payload, _context: object) -> None:
    """Fires reminders of bookings, the end of pending ones, and second tries at calendars."""
    fire(payload)


def host_summary(payload: Payload, _context: object) -> None:
    """Fires all other timers: the daily headcount, the thank-you draft, the clean-up at night."""
    fire(payload)


def housekeeping(payload: Payload, _context: object) -> None:
    """Expires waitlist entries at night."""
    fire_if_due(payload)


def summary(payload: Payload, _context: object) -> None:
    """Sends staff the monthly summary of the waitlist."""
    fire_if_due(payload)


def fire(*due: Payload) -> None:
    """Fires each timer, even if another fails. Repeating it does no harm."""
    failed = [each["timer"] for each in due if not _fire(each)]
    if failed:
        raise NotFired(" ".join(failed))


def _fire(payload: Payload) -> bool:
    back = deployment().back
    name, due_at = TimerName(payload["timer"]), datetime.fromisoformat(payload["due_at"])
    wait_until(back.clock, due_at)
    return back.runtime.timers.fire(name, due_at, back.clock.now())


def fire_if_due(payload: Payload) -> None:
    """Fires a recurring timer as often as it was missed. Its row says when it is due."""
    back, name = deployment().back, TimerName(payload["timer"])
    for _ in range(MOST_MISSED):
        due_at = back.engine.reads().desk("fd").timer_at(name)
        if due_at is None or back.clock.seconds_until(due_at) > LONGEST_SECONDS:
            return
        fire({"timer": name, "due_at": due_at.isoformat()})


def due(payload: Payload) -> Iterable[dict[str, str]]:
    """Returns a payload for each timer of one kind that is due by then."""
    back, by = deployment().back, datetime.fromisoformat(payload["due_at"])
    for name, due_at in back.store.due_timers(by, MOST):
        if name.startswith(payload["kind"] + "/"):
            yield {"timer": name, "due_at": due_at.isoformat()}


def wait_until(clock: Clock, due_at: datetime, pause: Callable[[float], None] = time.sleep) -> None:
    """Waits a few seconds for `due_at`. Raises `TooEarly` if it is later than that."""
    seconds = clock.seconds_until(due_at)
    if seconds > LONGEST_SECONDS:
        raise TooEarly(f"due in {seconds:.0f} seconds")
    if seconds > 0:
        pause(seconds)
