"""Explains to staff what a failure of each part means."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.text_rules import resumes_on
from frontdesk.desks.admin.model import Part
from frontdesk.values import Frozen


class TroubleText(Frozen):
    what: str
    means: str
    url: str
    """A console page with more about it, or ''."""


WORDS: Final[Mapping[Part, TroubleText]] = {
    Part.MODEL: TroubleText(
        "The language model cannot be used.",
        "Requests by mail are read by our rules alone, and notes and summaries are in our own"
        " words. Look at its access, its key and its settings.",
        "",
    ),
    Part.RULES: TroubleText(
        "The rules of the waitlist cannot be read.",
        "The last good rules stay in force. What was written since does not count yet.",
        "/console/waitlist/rules",
    ),
    Part.VOICE: TroubleText(
        "The messages of the waitlist cannot be read.",
        "The last good words stay in use. What was written since does not count yet.",
        "/console/waitlist/voice",
    ),
    Part.BOOKING_RULES: TroubleText(
        "The rules of bookings cannot be read.",
        "The last good rules stay in force. What was written since does not count yet.",
        "/console/bookings/rules",
    ),
    Part.TEXTS: TroubleText(
        "No more texts go out this month.",
        "Texts have cost as much as the setting texts_a_month_usd allows. Mail is used where there"
        " is an address. Offers of the waitlist pass over people without one, and reminders do not"
        " go out to them. You get no message about each of them. To reach them now, raise the"
        " setting and restart the program. If this is more than you expect, look at the messages"
        " that went out.",
        "/console/messages",
    ),
    Part.REMINDER_RULES: TroubleText(
        "The rules of reminders cannot be read.",
        "The last good rules stay in force. What was written since does not count yet.",
        "/console/reminders/rules",
    ),
    Part.OPENINGS: TroubleText(
        "The calendar of openings cannot be read.",
        "Openings that you put there since are not offered to anybody, and those that you took"
        " away still are.",
        "/console/waitlist/calendar",
    ),
    Part.APPOINTMENTS: TroubleText(
        "A calendar with appointments cannot be read.",
        "Appointments that you added, moved or deleted there since are reminded of as they were.",
        "/console/reminders/calendar",
    ),
    Part.REMINDERS: TroubleText(
        "Reminders do not go out.",
        "The hourly look at your appointments did not run in time, so reminders and alerts are"
        " late. They are made up as soon as it runs again. Restart the program if this stays.",
        "/console/reminders/next",
    ),
}


def unreached_text(people: int, now: datetime) -> str:
    """Says how many people cannot be reached until texts go out again."""
    on = resumes_on(now)
    until = f"{on.day} {on:%B}"
    match people:
        case 0:
            return f"Nobody whom we may have to tell something until {until} depends on texts."
        case 1:
            return f"1 person has no working e-mail address and cannot be reached until {until}."
        case _:
            return (
                f"{people:,} people have no working e-mail address and cannot be reached until"
                f" {until}."
            )
