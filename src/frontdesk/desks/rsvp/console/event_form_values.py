"""Prepares the values of an event's form, and the time at which each reminder would go out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from frontdesk.core.localtime import spoken, to_instant, to_wall, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.reminder_times import (
    BadReminderTimes,
    DaysBefore,
    HoursBefore,
    MorningOf,
    ReminderRule,
    due_at,
    parse_rule,
)
from frontdesk.core.words import count
from frontdesk.desks.rsvp.console.settings_form import (
    MOST_REMINDERS,
    TICK,
    UNITS,
    USUAL_REMINDERS,
    EventFormReader,
    Values,
    read_clock,
    read_instant,
    read_wall,
    read_zone,
)
from frontdesk.desks.rsvp.model import Event, EventSettings
from frontdesk.values import Frozen


def settings_values(settings: EventSettings) -> Values:
    """Returns the settings as form values."""
    unit, amount = _spoken_unit(settings.claim_window)
    gap_unit, gap = _spoken_unit(settings.reminder_gap)
    values: Values = {
        "quiet_start": f"{settings.quiet.start:%H:%M}",
        "quiet_end": f"{settings.quiet.end:%H:%M}",
        "window": str(amount),
        "window_unit": unit,
        "gap": str(gap),
        "gap_unit": gap_unit,
        "party_limit": str(settings.party_limit),
        "order": "strict" if settings.strict_order else "fit",
        "own_reminders": ", ".join(
            rule for rule in settings.reminders if rule not in USUAL_REMINDERS
        ),
    }
    values |= {f"{TICK}{rule}": "yes" for rule in settings.reminders if rule in USUAL_REMINDERS}
    flags = ("time_critical", "double_opt_in", "private_answers", "daily_mail")
    return values | {name: "yes" for name in flags if getattr(settings, name)}


def event_values(event: Event) -> Values:
    details = event.details
    tz = zone(details.zone)
    return settings_values(event.settings) | {
        "name": details.name,
        "slug": event.slug,
        "starts": f"{to_wall(details.starts_at, tz):%Y-%m-%dT%H:%M}",
        "ends": f"{to_wall(details.ends_at, tz):%Y-%m-%dT%H:%M}",
        "zone": details.zone,
        "venue": details.venue,
        "description": details.description,
        "cap": str(event.seats.cap),
    }


def _spoken_unit(window: timedelta) -> tuple[str, int]:
    for unit in ("days", "hours"):
        if window % UNITS[unit] == timedelta():
            return unit, window // UNITS[unit]
    return "minutes", window // UNITS["minutes"]


class ReminderChoice(Frozen):
    """A reminder to tick, with its meaning and the time at which it goes out for this event."""

    name: str
    label: str
    when: str


def reminder_choices(values: Mapping[str, str], now: datetime) -> list[ReminderChoice]:
    """Returns the usual and the typed reminders, each with the time at which it goes out."""
    own = [part.strip() for part in values.get("own_reminders", "").split(",") if part.strip()]
    found = [
        ReminderChoice(f"{TICK}{text}", rule_words(parse_rule(text)), _due_text(values, text, now))
        for text in USUAL_REMINDERS
    ]
    for text in own[:MOST_REMINDERS]:
        try:
            rule = parse_rule(text)
        except BadReminderTimes:
            continue
        found.append(ReminderChoice("", rule_words(rule), _due_text(values, text, now)))
    return found


def rule_words(rule: ReminderRule) -> str:
    match rule:
        case DaysBefore(days):
            return f"{count(days, 'day')} before"
        case HoursBefore(hours):
            return f"{count(hours, 'hour')} before"
        case MorningOf(at):
            return f"On the day at {at:%H:%M}"


def _due_text(values: Mapping[str, str], rule: str, now: datetime) -> str:
    """Returns 'Friday 20 November 2026 at 19:00 (SGT)', or why the reminder is not sent; '' if the
    start is not known yet."""
    reading = EventFormReader(values)
    tz = read_zone(reading)
    starts_at = read_instant(reading, "starts", tz)
    start, end = read_clock(reading, "quiet_start"), read_clock(reading, "quiet_end")
    if tz is None or starts_at is None or start is None or end is None:
        return ""
    due = due_at(parse_rule(rule), starts_at, tz, QuietHours(start, end), now)
    return spoken(due, tz) if due is not None else "Not sent: that time is past or too late."


def repeated_time_note(values: Mapping[str, str], name: str) -> str:
    """Returns a note if the wall time occurs twice, because clocks are put back; otherwise ''."""
    reading = EventFormReader(values)
    tz, wall = read_zone(reading), read_wall(reading.text(name))
    if tz is None or wall is None:
        return ""
    first, second = wall.replace(tzinfo=tz, fold=0), wall.replace(tzinfo=tz, fold=1)
    if first.utcoffset() == second.utcoffset() or to_wall(to_instant(wall, tz), tz) != wall:
        return ""
    return "This time occurs twice on that day, as the clock is put back. The first one is meant."
