"""The timers of bookings: reminders, the end of a pending booking, and calendar retries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from frontdesk.core.decision import DropTimer, SetTimer, TimerChange, TimerName
from frontdesk.core.localtime import wall_days_before, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.booking.model import CODE, Booking, BookingId, BookingStatus, HandoverId
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.views import DeskOptions

_DAY: Final = timedelta(days=1)
FIRST_RETRY: Final = timedelta(minutes=5)
LONGEST_RETRY: Final = timedelta(hours=6)
HANDOVER_CHECK: Final = timedelta(hours=1)


def reminder_timer(booking_id: BookingId, seconds_before: int) -> TimerName:
    return TimerName(f"{CODE}/remind/{booking_id}/{seconds_before}")


def decide_timer(booking_id: BookingId) -> TimerName:
    return TimerName(f"{CODE}/decide/{booking_id}")


def calendar_timer(booking_id: BookingId) -> TimerName:
    return TimerName(f"{CODE}/calendar/{booking_id}")


def handover_timer(handover_id: HandoverId) -> TimerName:
    return TimerName(f"{CODE}/handover/{handover_id}")


def check_handover(handover_id: HandoverId, now: datetime) -> SetTimer:
    """Sets a timer that checks whether the waitlist desk still offers the time, as a safeguard
    against a lost fact."""
    return SetTimer(handover_timer(handover_id), now + HANDOVER_CHECK)


def reminder_at(starts_at: datetime, seconds_before: int, rules: BookingRules) -> datetime:
    """The instant of a reminder: whole days before keep the wall time, and quiet hours delay it."""
    return _reminder_at(starts_at, seconds_before, rules.zone, rules.quiet)


@lru_cache(maxsize=256)  # a decision asks which reminders make sense, and then for their timers
def _reminder_at(
    starts_at: datetime, seconds_before: int, zone_name: str, quiet: QuietHours
) -> datetime:
    tz = zone(zone_name)
    days, rest = divmod(seconds_before, int(_DAY.total_seconds()))
    if rest or not days:
        due_at = starts_at - timedelta(seconds=seconds_before)
    else:
        due_at = wall_days_before(starts_at, days, tz)
    return quiet.next_allowed(due_at, tz)


def reminders(
    starts_at: datetime, rules: BookingRules, options: DeskOptions, now: datetime
) -> tuple[int, ...]:
    """The reminders that make sense: due later than now and before the start."""
    if not options.reminds:
        return ()
    wanted = sorted({int(each.total_seconds()) for each in rules.reminders}, reverse=True)
    return tuple(one for one in wanted if now < reminder_at(starts_at, one, rules) < starts_at)


def set_timers(booking: Booking, rules: BookingRules) -> Iterator[TimerChange]:
    """The timers that a booking should have."""
    for one in booking.reminders:
        due_at = reminder_at(booking.starts_at, one, rules)
        yield SetTimer(reminder_timer(booking.id, one), due_at)
    if booking.status is BookingStatus.PENDING and booking.decide_by is not None:
        yield SetTimer(decide_timer(booking.id), booking.decide_by)


def exchange(
    before: Booking | None, after: Booking, rules: BookingRules
) -> tuple[TimerChange, ...]:
    """Sets the timers of `after`, and drops those that only `before` had."""
    wanted: dict[TimerName, TimerChange] = {each.name: each for each in set_timers(after, rules)}
    if before is not None:
        for each in set_timers(before, rules):
            wanted.setdefault(each.name, DropTimer(each.name))
    return tuple(wanted.values())


def retry_at(tries: int, now: datetime) -> datetime:
    """The instant of the next try. Pauses grow from minutes to hours."""
    pause: timedelta = min(FIRST_RETRY * (1 << min(tries, 10)), LONGEST_RETRY)
    return now + pause
