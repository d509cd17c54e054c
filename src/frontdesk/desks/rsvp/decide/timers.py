"""Names the desk's timers and computes when they are due."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache

from frontdesk.core.decision import DropTimer, SetTimer, TimerChange, TimerName
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.reminder_times import due_at, parse_rule
from frontdesk.desks.rsvp.model import Event, EventId, Guest, GuestId

#: How long before the start the daily headcount mail begins.
RUN_UP = timedelta(days=14)
MORNING = time(9)
#: The least gap between a message and a reminder that says the same, whatever the setting.
LEAST_GAP = timedelta(minutes=10)
#: An instant before any reminder can be due.
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def offer_timer(guest_id: GuestId, seq: int) -> TimerName:
    return TimerName(f"ev/offer/{guest_id}/{seq}")


def reminder_timer(guest_id: GuestId, rule_name: str) -> TimerName:
    return TimerName(f"ev/reminder/{guest_id}/{rule_name}")


def headcount_timer(event_id: EventId) -> TimerName:
    return TimerName(f"ev/headcount/{event_id}")


def over_timer(event_id: EventId) -> TimerName:
    return TimerName(f"ev/over/{event_id}")


def reminders(
    event: Event, guest_id: GuestId, now: datetime, told_at: datetime
) -> tuple[SetTimer, ...]:
    """Returns a timer for each rule that is due in the future, unless it is too soon after
    `told_at`, when another message tells the guest the same."""
    earliest = told_at + _gap(event)
    return tuple(
        SetTimer(reminder_timer(guest_id, name), due)
        for name, due in reminder_times(event)
        if now < due and earliest <= due
    )


def left_out(event: Event, now: datetime, told_at: datetime) -> tuple[str, ...]:
    """Returns the names of the rules that are due in the future, but too soon after `told_at`."""
    earliest = told_at + _gap(event)
    return tuple(name for name, due in reminder_times(event) if now < due < earliest)


def told_at(event: Event, now: datetime, *, asked: bool) -> datetime:
    """Returns when a message goes out: at once if the guest just asked, else after quiet hours."""
    if asked:
        return now
    return event.settings.quiet.next_allowed(now, zone(event.details.zone))


def _gap(event: Event) -> timedelta:
    return max(event.settings.reminder_gap, LEAST_GAP)


def reminder_times(event: Event) -> tuple[tuple[str, datetime], ...]:
    """Returns when each rule is due, by the rule's name; the same for every guest."""
    settings, details = event.settings, event.details
    return _reminder_times(settings.reminders, settings.quiet, details.starts_at, details.zone)


@lru_cache(maxsize=256)
def _reminder_times(
    rules: tuple[str, ...], quiet: QuietHours, starts_at: datetime, zone_name: str
) -> tuple[tuple[str, datetime], ...]:
    tz = zone(zone_name)
    return tuple(
        (rule.name, due)
        for rule in map(parse_rule, rules)
        if (due := due_at(rule, starts_at, tz, quiet, LONG_AGO)) is not None
    )


def names(timers: tuple[SetTimer, ...]) -> tuple[str, ...]:
    return tuple(timer.name for timer in timers)


def drop_reminders(guest: Guest) -> tuple[DropTimer, ...]:
    return tuple(DropTimer(TimerName(name)) for name in guest.reminders)


def event_timers(event: Event, now: datetime) -> tuple[TimerChange, ...]:
    """Sets the timers of the daily headcount and the thank-you draft from the event's times."""
    headcount = next_headcount_at(event, now)
    return (
        DropTimer(headcount_timer(event.id))
        if headcount is None
        else SetTimer(headcount_timer(event.id), headcount),
        SetTimer(over_timer(event.id), over_at(event)),
    )


def next_headcount_at(event: Event, now: datetime) -> datetime | None:
    """Returns the next nine o'clock in the 14 days before the start, in the event's time zone."""
    after = max(now, event.details.starts_at - RUN_UP)
    due = next_morning(event, after)
    return due if due < event.details.starts_at else None


def over_at(event: Event) -> datetime:
    """Returns the first nine o'clock after the event's end."""
    return next_morning(event, event.details.ends_at)


def next_morning(event: Event, after: datetime) -> datetime:
    tz = zone(event.details.zone)
    today = to_wall(after, tz).date()
    return next(
        at
        for day in range(3)
        if (at := same_wall_time(today + timedelta(days=day), MORNING, tz)) > after
    )
