"""Cards on Today about calendar events that do not follow their appointments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import spoken_start
from frontdesk.desks.reminders.console.page import appointment_url, name_on
from frontdesk.desks.reminders.model import Appointment, EventTrouble, PendingEventChange
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.web.console.sections import TodayCard


def event_cards(
    ar: ReminderReads, ahead: Sequence[Appointment], tz: ZoneInfo
) -> Iterator[TodayCard]:
    for one in ahead:
        if one.event is not None and one.event.trouble is not None:
            name = name_on(one, ar.person(one.person_id))
            title, text = _words(one, one.event, name, tz)
            yield TodayCard(
                title=title,
                text=text,
                url=appointment_url(one.id),
                button="See the appointment",
                icon="bookings",
                chip="Calendar",
                state="ending",
                at=one.starts_at,
            )


def event_question(one: Appointment, name: str, tz: ZoneInfo) -> str:
    """The text of the card, for the page of the appointment; empty if there is nothing to ask."""
    if one.event is None or one.event.trouble is None:
        return ""
    title, text = _words(one, one.event, name, tz)
    return f"{title}. {text}"


def _words(one: Appointment, due: PendingEventChange, name: str, tz: ZoneInfo) -> tuple[str, str]:
    here = spoken_start(one.starts_at, tz)
    there = spoken_start(due.found_at, tz) if due.found_at else ""
    match due.trouble:
        case EventTrouble.CHANGED if one.is_live:
            text = f"{one.service}: {here} here, and {there} in the calendar. Which one counts?"
            return f"{name}: two times in two places", text
        case EventTrouble.CHANGED:
            text = f"{one.service}. The event was moved to {there} meanwhile. Is it still needed?"
            return f"{name} cancelled, and the event is still in the calendar", text
        case EventTrouble.GONE:
            text = f"{one.service}, {here}. Does the appointment take place?"
            return f"{name}: moved here, and deleted in the calendar", text
        case _:
            return _task(one, due, name, here)


def _task(one: Appointment, due: PendingEventChange, name: str, here: str) -> tuple[str, str]:
    why = "We may only read this calendar."
    if due.trouble is EventTrouble.FAILED:
        why = "The calendar did not take the change. We will try again."
    if not one.is_live:
        return f"Please cancel {name} in your calendar", f"{one.service}, {here}. {why}"
    verb = "add" if due.starts_at is None else "move"
    to = "to" if verb == "add" else "in"
    text = f"{one.service}: the time is {here}, {_length(one.duration)}. {why}"
    return f"Please {verb} {name} {to} your calendar", text


def _length(duration: timedelta) -> str:
    return f"{int(duration.total_seconds()) // 60} minutes"
