"""The names of the desk's timers, and when those of an event and a guest are due."""

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
#: No reminder comes sooner than this after a message that says the same, whatever the setting.
LEAST_GAP = timedelta(minutes=10)
#: As long ago as any reminder can have been due.
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
    """One for each rule whose time is still to come, and not too soon after `told_at`: when they
    are told the same in another message."""
    earliest = told_at + _gap(event)
    return tuple(
        SetTimer(reminder_timer(guest_id, name), due)
        for name, due in reminder_times(event)
        if now < due and earliest <= due
    )


def left_out(event: Event, now: datetime, told_at: datetime) -> tuple[str, ...]:
    """The names of the rules whose time is still to come, but too soon after `told_at`."""
    earliest = told_at + _gap(event)
    return tuple(name for name, due in reminder_times(event) if now < due < earliest)


def told_at(event: Event, now: datetime, *, asked: bool) -> datetime:
    """When a message goes out: at once to people who just asked, to others after quiet hours."""
    if asked:
        return now
    return event.settings.quiet.next_allowed(now, zone(event.details.zone))


def _gap(event: Event) -> timedelta:
    return max(event.settings.reminder_gap, LEAST_GAP)


def reminder_times(event: Event) -> tuple[tuple[str, datetime], ...]:
    """When each rule is due, by the rule's name; the same for every guest."""
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
    """The daily headcount and the thank-you draft, set anew after any change of the times."""
    headcount = next_headcount_at(event, now)
    return (
        DropTimer(headcount_timer(event.id))
        if headcount is None
        else SetTimer(headcount_timer(event.id), headcount),
        SetTimer(over_timer(event.id), over_at(event)),
    )


def next_headcount_at(event: Event, now: datetime) -> datetime | None:
    """The next nine o'clock of the run-up, in the event's zone."""
    after = max(now, event.details.starts_at - RUN_UP)
    due = next_morning(event, after)
    return due if due < event.details.starts_at else None


def over_at(event: Event) -> datetime:
    """The morning after it has ended."""
    return next_morning(event, event.details.ends_at)


def next_morning(event: Event, after: datetime) -> datetime:
    tz = zone(event.details.zone)
    today = to_wall(after, tz).date()
    return next(
        at
        for day in range(3)
        if (at := same_wall_time(today + timedelta(days=day), MORNING, tz)) > after
    )
