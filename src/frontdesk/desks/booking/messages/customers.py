"""Messages to customers about their bookings, by SMS or mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from frontdesk.core.ics import Method
from frontdesk.core.localtime import spoken_deadline, to_wall, zone
from frontdesk.core.occasions import Tone
from frontdesk.desks.booking.messages.context import SAMPLE, BookingContext
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.features.messages.samples import SAMPLE_LINK
from frontdesk.values import replace

_CHANGED: Final = Drop("has changed since")
_REASON: Final = "You get this mail because {service} was booked with this address."
_NOT_YOURS: Final = " If you did not book it, please cancel it."
#: Chips and tones of messages.
_TONES: Final = {
    BookingStatus.CONFIRMED: (Tone.GOOD, "Confirmed"),
    BookingStatus.PENDING: (Tone.WAITING, "Waits for an answer"),
    BookingStatus.CANCELLED: (Tone.GONE, "Cancelled"),
    BookingStatus.NO_SHOW: (Tone.GONE, "Missed"),
    BookingStatus.DECLINED: (Tone.GONE, "Not possible"),
    BookingStatus.LAPSED: (Tone.GONE, "Not possible"),
    BookingStatus.RELEASED: (Tone.GONE, "Just taken"),
    BookingStatus.CLAIMED: (Tone.WAITING, "Being confirmed"),
}


def _about(c: BookingContext, booking: Booking, **values: str) -> MessageContent:
    tone, chip = _TONES[booking.status]
    return MessageContent(
        {**c.values(booking), **values},
        tone,
        chip,
        reason=_REASON.format(service=booking.service)
        + (_NOT_YOURS if booking.takes_time and booking.is_by_form else ""),
        occasion=c.occasion(booking),
        is_called_off=tone is Tone.GONE,
        mail_only=not booking.is_told_by_text(c.person.mobile),
    )


def requested(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.PENDING:
        return _CHANGED
    assert booking.decide_by is not None
    by = spoken_deadline(booking.decide_by, c.now, zone(c.rules.zone))
    return _about(c, booking, manage_link=c.manage_link(booking), answer_by=by)


def confirmed(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.CONFIRMED:
        return _CHANGED
    return _with_file(c, booking)


def _with_file(c: BookingContext, booking: Booking, **values: str) -> MessageContent:
    """The content with the current calendar file, and links to move and cancel."""
    links = c.links
    content = _about(
        c,
        booking,
        manage_link=c.manage_link(booking),
        move_link=links.move(booking, c.person.contact_version),
        cancel_link=links.cancel(booking, c.person.contact_version),
        **values,
    )
    return replace(content, calendar=c.invitation(booking, Method.REQUEST))


def moved(c: BookingContext) -> MessageContent | Drop:
    """Tells the customer about the last move only."""
    booking = c.booking
    if booking is None or not booking.takes_time:
        return _CHANGED
    if booking.sequence != c.send.params["sequence"]:
        return Drop("was moved again")
    before = datetime.fromtimestamp(int(c.send.params["before"]), UTC)
    if before == booking.starts_at:
        return Drop("is at its old time again")
    content = _with_file(c, booking, before=c.when(before))
    if booking.status is not BookingStatus.CONFIRMED:
        return replace(content, calendar=None)
    return content


def cancelled(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.CANCELLED:
        return _CHANGED
    content = _about(c, booking, book_link=_book_link(c))
    return replace(content, calendar=c.invitation(booking, Method.CANCEL))


def missed(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.NO_SHOW:
        return _CHANGED
    return _about(c, booking, book_link=_book_link(c))


def declined(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status not in (BookingStatus.DECLINED, BookingStatus.LAPSED):
        return _CHANGED
    return _about(c, booking, book_link=_book_link(c))


def released(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.RELEASED:
        return _CHANGED
    return _about(c, booking, book_link=_book_link(c))


def link(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or not booking.takes_time:
        return _CHANGED
    return _about(c, booking, manage_link=c.manage_link(booking))


def reminder(c: BookingContext) -> MessageContent | Drop:
    booking = c.booking
    if booking is None or booking.status is not BookingStatus.CONFIRMED:
        return _CHANGED
    if c.now >= booking.starts_at:
        return Drop("has begun")
    content = _with_file(c, booking, how_soon=_how_soon(c, booking))
    return replace(content, calendar=None)


def _how_soon(c: BookingContext, booking: Booking) -> str:
    tz = zone(c.rules.zone)
    start = to_wall(booking.starts_at, tz)
    days = (start.date() - to_wall(c.now, tz).date()).days
    match days:
        case 0:
            return f"today at {start:%H:%M}"
        case 1:
            return f"tomorrow at {start:%H:%M}"
        case _:
            return f"in {days} days"


def _book_link(c: BookingContext) -> str:
    return f"{c.sender.pages_url}/book"


_LINKS: Final = {
    "manage_link": SAMPLE_LINK,
    "move_link": f"{SAMPLE_LINK}?do=move",
    "cancel_link": SAMPLE_LINK,
}
_AGAIN: Final = {**SAMPLE, "book_link": "https://salon.example/book"}
_BEFORE: Final = {**SAMPLE, **_LINKS, "before": "Thursday 19 November, 10:00 (SGT)"}
_CANNOT_COME: Final = """
Another time suits you better? Move it:
{{ move_link }}

You cannot come? Please tell us, so that somebody else can. Cancel:
{{ cancel_link }}
"""

#: An SMS has one link; the page behind it has all the buttons.
KINDS: Final[Mapping[str, MessageKind]] = {
    "confirmed": message_kind(
        confirmed,
        "A booking is confirmed",
        """
Subject: Confirmed: {{ service }} on {{ when }}

# You're booked.

{{ service }} {{ with_staff }} on {{ when }}. We look forward to seeing you, {{ name }}.

{{ details }}

See your booking:
{{ manage_link }}
"""
        + _CANNOT_COME,
        "service when manage_link",
        sms="""
{{ business }}: {{ service }} {{ with_staff }} on {{ when }} is booked. Move or cancel:
{{ manage_link }}
""",
        **SAMPLE,
        **_LINKS,
        details="",
    ),
    "requested": message_kind(
        requested,
        "A booking waits for approval",
        """
Subject: We got your request: {{ service }} on {{ when }}

# We hold this time for you.

{{ service }} {{ with_staff }} on {{ when }}. We confirm each request ourselves: the time is yours
{{ answer_by }}, and you hear from us before then.

See your request:
{{ manage_link }}
""",
        "service when manage_link",
        sms="""
{{ business }}: we got your request for {{ service }}, {{ when }}. We answer soon:
{{ manage_link }}
""",
        **SAMPLE,
        manage_link=SAMPLE_LINK,
        answer_by="until 18:00 today (SGT)",
    ),
    "moved": message_kind(
        moved,
        "A customer moved a booking",
        """
Subject: Moved: {{ service }} on {{ when }}

# Your new time is {{ when }}.

{{ service }} {{ with_staff }}. Your old time, {{ before }}, is free for others.

See your booking:
{{ manage_link }}
""",
        "service when manage_link",
        sms="""
{{ business }}: {{ service }} is moved to {{ when }}. Move or cancel:
{{ manage_link }}
""",
        **_BEFORE,
    ),
    "moved_by_staff": message_kind(
        moved,
        "Staff moved a booking",
        """
Subject: New time: {{ service }} on {{ when }}

# We had to move your booking.

{{ service }} {{ with_staff }} is now on {{ when }}, instead of {{ before }}.
"""
        + _CANNOT_COME,
        "service when",
        sms="""
{{ business }}: we moved {{ service }} to {{ when }}. Move or cancel:
{{ manage_link }}
""",
        **_BEFORE,
    ),
    "cancelled": message_kind(
        cancelled,
        "A customer cancelled",
        """
Subject: Cancelled: {{ service }} on {{ when }}

# Your booking is cancelled.

{{ service }} {{ with_staff }} on {{ when }}. Thank you for telling us, {{ name }}.

Book another time:
{{ book_link }}
""",
        "service when",
        sms="{{ business }}: {{ service }} on {{ when }} is cancelled. Thank you for telling us.",
        **_AGAIN,
    ),
    "cancelled_by_staff": message_kind(
        cancelled,
        "Staff cancelled a booking",
        """
Subject: We had to cancel: {{ service }} on {{ when }}

# We had to cancel your booking.

We are sorry, {{ name }}: {{ service }} {{ with_staff }} on {{ when }} is cancelled.
Questions? {{ tell_us }}

Book another time:
{{ book_link }}
""",
        "service when",
        sms="{{ business }}: sorry, we had to cancel {{ service }} on {{ when }}. {{ tell_us }}",
        **_AGAIN,
    ),
    "missed": message_kind(
        missed,
        "A customer did not come",
        """
Subject: We missed you: {{ service }} on {{ when }}

{{ name }}, you had booked {{ service }} {{ with_staff }} on {{ when }}, and we did not see you.
Is this wrong? {{ tell_us }}

Book another time:
{{ book_link }}
""",
        "service when",
        sms="{{ business }}: we missed you at {{ service }} on {{ when }}."
        " Is this wrong? {{ tell_us }}",
        **_AGAIN,
    ),
    "declined": message_kind(
        declined,
        "A booking is not approved",
        """
Subject: Not possible: {{ service }} on {{ when }}

We are sorry, {{ name }}: we cannot do {{ service }} {{ with_staff }} on {{ when }}.

Choose another time:
{{ book_link }}
""",
        "service when",
        sms="""
{{ business }}: sorry, {{ service }} on {{ when }} is not possible. Another time:
{{ book_link }}
""",
        **_AGAIN,
    ),
    "released": message_kind(
        released,
        "A time was taken meanwhile",
        """
Subject: Just taken: {{ service }} on {{ when }}

# This time was just taken.

We are sorry, {{ name }}: {{ service }} {{ with_staff }} on {{ when }} was taken before we could
confirm it. You have no booking yet.

See free times:
{{ book_link }}
""",
        "service when",
        sms="""
{{ business }}: sorry, {{ service }} on {{ when }} was just taken. Free times:
{{ book_link }}
""",
        **_AGAIN,
    ),
    "link": message_kind(
        link,
        "A customer asks for their link",
        """
Subject: Your link: {{ service }} on {{ when }}

You asked for your link, {{ name }}. It is for {{ service }} {{ with_staff }} on {{ when }}.

See, move or cancel it:
{{ manage_link }}

You did not ask for it? You can ignore this mail: nothing has changed.
""",
        "service when manage_link",
        sms="""
{{ business }}: your link for {{ service }}, {{ when }}. Move or cancel:
{{ manage_link }}
""",
        **SAMPLE,
        manage_link=SAMPLE_LINK,
    ),
    "reminder": message_kind(
        reminder,
        "A visit is near",
        """
Subject: {{ service }} {{ how_soon }}

# See you {{ how_soon }}.

{{ service }} {{ with_staff }} on {{ when }}.

{{ details }}
"""
        + _CANNOT_COME,
        "service how_soon",
        sms="""
{{ business }}: {{ service }} {{ with_staff }} {{ how_soon }}. Something came up?
{{ manage_link }}
""",
        **SAMPLE,
        **_LINKS,
        how_soon="tomorrow at 15:00",
        details="",
    ),
}
