"""The names and times of the desk's timers."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final

from frontdesk.core.decision import DropTimer, SetTimer, TimerName
from frontdesk.core.localtime import same_wall_time, to_local_date, zone
from frontdesk.desks.waitlist.model import Rules, Slot, SlotId

EXPIRY_TIMER: Final = TimerName("wl/house/daily")
EXPIRY_TIME: Final = time(3)
SUMMARY_TIMER: Final = TimerName("wl/summary/monthly")
SUMMARY_TIME: Final = time(9)
_MONDAY: Final = 0
_DAY: Final = timedelta(days=1)


def offer_timer(slot_id: SlotId, seq: int) -> TimerName:
    return TimerName(f"wl/offer/{slot_id}/{seq}")


def slot_timer(slot_id: SlotId) -> TimerName:
    return TimerName(f"wl/slot/{slot_id}")


def look_again(slot: Slot, now: datetime) -> SetTimer:
    """The next check while no offer is live: at the start of quiet hours, because afterwards it may
    be too late, or at the last time for an offer."""
    due_at = now if now >= slot.last_at else min(slot.last_at, _next_quiet_at(slot, now))
    return SetTimer(slot_timer(slot.id), due_at)


def look_after(slot: Slot, claim_by: datetime) -> SetTimer:
    """The next check while an offer is live: at its deadline."""
    return SetTimer(slot_timer(slot.id), claim_by)


def no_more_looks(slot: Slot) -> DropTimer:
    return DropTimer(slot_timer(slot.id))


def next_expiry(rules: Rules, now: datetime) -> SetTimer:
    return SetTimer(EXPIRY_TIMER, _next_wall_time(EXPIRY_TIME, rules, now))


def next_summary(rules: Rules, now: datetime) -> SetTimer:
    """The next summary, on the first Monday of a month."""
    tz = zone(rules.zone)
    today = to_local_date(now, tz)
    days = (today + timedelta(days=n) for n in range(40))
    mondays = (day for day in days if day.weekday() == _MONDAY and day.day <= 7)
    at = (same_wall_time(day, SUMMARY_TIME, tz) for day in mondays)
    return SetTimer(SUMMARY_TIMER, next(each for each in at if each > now))


def _next_quiet_at(slot: Slot, now: datetime) -> datetime:
    quiet = slot.rules.quiet
    if quiet.start == quiet.end:
        return slot.last_at
    return _next_wall_time(quiet.start, slot.rules, now)


def _next_wall_time(wall: time, rules: Rules, now: datetime) -> datetime:
    tz = zone(rules.zone)
    on = to_local_date(now, tz)
    while (at := same_wall_time(on, wall, tz)) <= now:
        on += _DAY
    return at
