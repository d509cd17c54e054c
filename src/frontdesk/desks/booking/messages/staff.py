"""Messages to staff about bookings, by mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from frontdesk.core.contacts import plain_name
from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.occasions import Tone
from frontdesk.core.words import count
from frontdesk.desks.booking.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.booking.messages.context import CONSOLE_LINK, SAMPLE, BookingContext
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.engine.desk import Drop
from frontdesk.features.documents import unclear_mail
from frontdesk.features.documents.unclear_mail import UnclearLine, unclear_values
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind

_GONE: Final = Drop("there is no such booking any more")


def _about(c: BookingContext, booking: Booking, tone: Tone, **values: str) -> MessageContent:
    return MessageContent(
        {
            **c.values(booking),
            "customer": plain_name(booking.name) or "Somebody",
            "contact": ", ".join(filter(None, (booking.mobile, booking.email))),
            "console_link": c.in_console(booking),
            **values,
        },
        tone,
        reason=f"You get this mail because you are in the team of {c.sender.business}.",
        reply_to=booking.email or None,
    )


def new_booking(c: BookingContext) -> MessageContent | Drop:
    if c.booking is None or c.booking.status is not BookingStatus.CONFIRMED:
        return Drop("has changed since")
    return _about(c, c.booking, Tone.GOOD)


def approval_wanted(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.PENDING:
        return Drop("is decided")
    assert booking.decide_by is not None
    until = spoken_deadline(booking.decide_by, c.now, zone(c.rules.zone))
    return _about(c, booking, Tone.WAITING, until=until)


def approval_lapsed(c: BookingContext) -> MessageContent | Drop:
    return _about(c, c.booking, Tone.GONE) if c.booking else _GONE


def moved_booking(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or not booking.takes_time:
        return Drop("has changed since")
    before = datetime.fromtimestamp(int(c.send.params["before"]), UTC)
    return _about(c, booking, Tone.WAITING, before=c.when(before))


def cancelled_booking(c: BookingContext) -> MessageContent | Drop:
    return _about(c, c.booking, Tone.GONE) if c.booking else _GONE


def calendar_troubled(c: BookingContext) -> MessageContent | Drop:
    if c.booking is None:
        return _GONE
    params = c.send.params
    return _about(
        c, c.booking, Tone.ENDING, calendar=str(params["calendar"]), why=str(params["why"])
    )


def about_calendar(c: BookingContext) -> MessageContent:
    params = c.send.params
    bookings = int(params.get("bookings", 0))
    values = {
        "calendar": str(params["calendar"]),
        "why": str(params.get("why", "")),
        "bookings": count(bookings, "booking"),
        "console_link": f"{c.sender.console_url}/console/bookings/calendars",
    }
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent(values, Tone.ENDING, reason=reason)


def unclear(c: BookingContext) -> MessageContent | Drop:
    document = c.reads.engine.setting(SAVED_DOCUMENT)
    problems = [
        UnclearLine(each.line, each.why, each.column)
        for each in parse_rules(document.text, c.rules.zone).problems
    ]
    values = unclear_values(document, c.send, "booking rules", problems)
    if isinstance(values, Drop):
        return values
    link = f"{c.sender.console_url}/console/bookings/rules"
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent({**values, "console_link": link}, Tone.ENDING, reason=reason)


_SAMPLE: Final = {
    **SAMPLE,
    "customer": "Bo Tan",
    "contact": "+65 8123 4567, bo@example.org",
    "console_link": CONSOLE_LINK,
}
_OPEN: Final = """
Open the booking:
{{ console_link }}
"""

_CALENDAR: Final = {
    "name": "Ann Lee",
    "business": "Salon Mia",
    "calendar": "mia",
    "console_link": CONSOLE_LINK,
}

KINDS: Final[Mapping[str, MessageKind]] = {
    "calendar_unusable": message_kind(
        about_calendar,
        "A calendar cannot be read",
        """
Subject: The calendar {{ calendar }} cannot be read

# No times are offered with the calendar {{ calendar }}.

We cannot read it, so we do not know who is busy. Nobody can book there until it works again.

The calendar says: {{ why }}

See the calendar:
{{ console_link }}
""",
        "calendar console_link",
        **_CALENDAR,
        why="It cannot be reached just now.",
    ),
    "calendar_changed": message_kind(
        about_calendar,
        "Events of bookings changed in a calendar",
        """
Subject: {{ bookings }} moved or deleted in the calendar {{ calendar }}

# Somebody changed {{ bookings }} in the calendar {{ calendar }}.

The customers do not know. Please say what should happen: move or cancel the booking and tell them,
or put the event back.

Decide:
{{ console_link }}
""",
        "calendar console_link",
        **_CALENDAR,
        bookings="1 booking",
    ),
    unclear_mail.KIND: message_kind(
        unclear,
        unclear_mail.TITLE,
        unclear_mail.WORDING,
        unclear_mail.MUST,
        name="Ann Lee",
        business="Salon Mia",
        console_link=CONSOLE_LINK,
        **unclear_mail.SAMPLE,
    ),
    "new_booking": message_kind(
        new_booking,
        "A new booking",
        """
Subject: New: {{ customer }}, {{ service }}, {{ when }}

{{ customer }} booked {{ service }} {{ with_staff }} on {{ when }}.

{{ contact }}
"""
        + _OPEN,
        "customer when",
        **_SAMPLE,
    ),
    "approval_wanted": message_kind(
        approval_wanted,
        "A booking needs approval",
        """
Subject: Please decide: {{ customer }}, {{ service }}, {{ when }}

# {{ customer }} would like to come.

{{ service }} {{ with_staff }} on {{ when }}. The time is held {{ until }}.

{{ contact }}

Approve or decline:
{{ console_link }}
""",
        "customer when console_link",
        **_SAMPLE,
        until="until 18:00 today (SGT)",
    ),
    "approval_lapsed": message_kind(
        approval_lapsed,
        "A booking was not decided in time",
        """
Subject: Not decided in time: {{ customer }}, {{ service }}, {{ when }}

Nobody approved or declined {{ service }} {{ with_staff }} on {{ when }}. {{ customer }} was told
that it is not possible, and the time is free again.

{{ contact }}
"""
        + _OPEN,
        "customer when",
        **_SAMPLE,
    ),
    "moved_booking": message_kind(
        moved_booking,
        "A customer moved",
        """
Subject: Moved: {{ customer }}, {{ service }}, now {{ when }}

{{ customer }} moved {{ service }} {{ with_staff }} from {{ before }} to {{ when }}.
"""
        + _OPEN,
        "customer when before",
        **_SAMPLE,
        before="Thursday 19 November, 10:00 (SGT)",
    ),
    "cancelled_booking": message_kind(
        cancelled_booking,
        "A customer cancelled, for staff",
        """
Subject: Cancelled: {{ customer }}, {{ service }}, {{ when }}

{{ customer }} cancelled {{ service }} {{ with_staff }} on {{ when }}.
"""
        + _OPEN,
        "customer when",
        **_SAMPLE,
    ),
    "calendar_troubled": message_kind(
        calendar_troubled,
        "A calendar cannot be written",
        """
Subject: Not in the calendar yet: {{ customer }}, {{ service }}, {{ when }}

# This booking is not in the calendar {{ calendar }} yet.

{{ customer }} comes for {{ service }} {{ with_staff }} on {{ when }}. The booking is confirmed, and
we try to write it again. Until then, please keep the time free yourself.

The calendar says: {{ why }}
"""
        + _OPEN,
        "customer when calendar",
        **_SAMPLE,
        calendar="Mia",
        why="It cannot be reached just now.",
    ),
}
