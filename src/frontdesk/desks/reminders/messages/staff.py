"""Messages to staff about appointments, by mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from textwrap import shorten
from typing import Final

from frontdesk.connect.mail_in import BadMail, read_mail
from frontdesk.core.contacts import plain_name
from frontdesk.core.localtime import zone
from frontdesk.core.mail import MailId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.core.words import join_names
from frontdesk.desks.reminders.figures import WeekFigures, quiet_customers, week_figures
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.messages.context import CONSOLE_LINK, SAMPLE, ReminderContext
from frontdesk.desks.reminders.model import Appointment, AppointmentState, ReplyAction
from frontdesk.desks.reminders.weeks import (
    WEEK,
    bars_text,
    figures_text,
    summary,
    week_name,
    week_span,
)
from frontdesk.engine.desk import Drop
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.values import replace

#: The most characters of a customer's words in a mail to staff; the console shows all of them.
MOST_WORDS: Final = 500
WEEKS_SHOWN: Final = 6
MOST_NAMES: Final = 12
_GONE: Final = Drop("there is no such appointment any more")


def about_appointment(c: ReminderContext) -> MessageContent | Drop:
    one = c.appointment
    if one is None:
        return _GONE
    customer = reminder_reads(c.reads).person(one.person_id)
    contact = (customer.mobile, customer.email, one.phone) if customer else (one.phone,)
    values = {
        **c.values(one),
        "customer": _name(one, customer),
        "contact": ", ".join(filter(None, contact)) or "no contact",
        "why": str(c.send.params.get("why", "")),
        "wishes": _wishes(c),
        "console_link": f"{c.sender.console_url}/console/reminders/one/{one.id}",
    }
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent(values, Tone.WAITING, reason=reason)


def _name(one: Appointment, customer: Person | None) -> str:
    """The name at the source, such as a child's; otherwise the name of the person."""
    known = plain_name(customer.name) if customer else ""
    return one.name or known or "Somebody"


def gap_alert(c: ReminderContext) -> MessageContent | Drop:
    """Drops the alert if the customer has answered meanwhile."""
    one = c.appointment
    if one is None or one.state is not AppointmentState.EXPECTED:
        return Drop("is answered")
    return about_appointment(c)


def week(c: ReminderContext) -> MessageContent:
    """Uses the figures as they were counted, and the names as they are now."""
    params = c.send.params
    monday = date.fromisoformat(str(params["week"]))
    figures = WeekFigures(**{name: int(params[name]) for name in WeekFigures.__struct_fields__})
    values = {
        "week": week_name(monday),
        "summary": str(params["paragraph"]) or summary(monday, figures),
        "figures": figures_text(figures),
        "plot": bars_text(weeks_until(c, monday)),
        "quiet": quiet_names(c, monday),
        "console_link": f"{c.sender.console_url}/console/reminders/weeks?week={monday}",
    }
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent(values, Tone.WAITING, reason=reason)


def weeks_until(c: ReminderContext, last: date) -> list[tuple[date, WeekFigures]]:
    ar, tz = reminder_reads(c.reads), zone(c.rules.zone)
    weeks = [last - n * WEEK for n in reversed(range(WEEKS_SHOWN))]
    return [(each, week_figures(ar.appointments_between(*week_span(each, tz)))) for each in weeks]


def quiet_names(c: ReminderContext, monday: date) -> str:
    ar = reminder_reads(c.reads)
    rows = ar.appointments_between(*week_span(monday, zone(c.rules.zone)))
    found = [each for one in quiet_customers(rows) if (each := ar.person(one)) and not each.erased]
    names = [plain_name(each.name) or each.email for each in found[:MOST_NAMES]]
    if len(found) > MOST_NAMES:
        names.append(f"{len(found) - MOST_NAMES} more")
    return f"Did not answer: {join_names(names)}." if names else ""


def _wishes(c: ReminderContext) -> str:
    one = c.appointment
    replies = reminder_reads(c.reads).replies_of(one.id) if one else ()
    asked = [each.wishes for each in replies if each.action is ReplyAction.MOVE and each.wishes]
    return asked[-1] if asked else "(they named no times)"


def about_words(c: ReminderContext) -> MessageContent | Drop:
    """Includes the words from the stored mail, which is deleted when the person is erased."""
    content = about_appointment(c)
    if isinstance(content, Drop):
        return content
    mail_id = MailId(str(c.send.params.get("mail", "")))
    url = f"{c.sender.console_url}/console/messages/in/{mail_id}"
    words = shorten(written_words(c.reads, mail_id), MOST_WORDS, placeholder=" …")
    values = {**content.values, "words": words or "(not kept)", "thread_link": url}
    return replace(content, values=values)


def written_words(reads: Reads, mail_id: MailId) -> str:
    raw = reads.engine.raw_mail(mail_id)
    try:
        return read_mail(raw.raw).new_text if raw else ""
    except BadMail:
        return ""


_STAFF: Final = {
    **SAMPLE,
    "customer": "Ann Lee",
    "contact": "+6591234567, ann@example.org",
    "console_link": CONSOLE_LINK,
}

KINDS: Final[Mapping[str, MessageKind]] = {
    "gap_alert": message_kind(
        gap_alert,
        "An appointment has no answer",
        """
Subject: No answer yet: {{ customer }}, {{ service }} {{ how_soon }}

# {{ customer }} has not answered.

{{ service }} {{ with_staff }} on {{ when }}. You reach them at {{ contact }}.

See what you can do:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
    ),
    "cancelled_visit": message_kind(
        about_appointment,
        "A customer cancelled",
        """
Subject: Cancelled: {{ customer }}, {{ service }} on {{ when }}

# {{ customer }} cannot come.

{{ service }} {{ with_staff }} on {{ when }}. The time is free for somebody else. You reach
them at {{ contact }}.

See the appointment:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
    ),
    "move_asked": message_kind(
        about_appointment,
        "A customer asks for another time",
        """
Subject: Another time: {{ customer }}, {{ service }} on {{ when }}

# {{ customer }} asks for another time.

{{ service }} {{ with_staff }} on {{ when }}. Their words: {{ wishes }}

You reach them at {{ contact }}.

See the appointment:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
        wishes="Any Monday after five",
    ),
    "moved_visit": message_kind(
        about_appointment,
        "A customer moved an appointment",
        """
Subject: Moved: {{ customer }}, {{ service }} on {{ when }}

{{ customer }} moved {{ service }} {{ with_staff }} to {{ when }}.

See the appointment:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
    ),
    "words_received": message_kind(
        about_words,
        "A customer answered in their own words",
        """
Subject: {{ customer }} wrote about {{ service }} on {{ when }}

# {{ customer }} answered a reminder.

Their words: {{ words }}

{{ service }} {{ with_staff }} on {{ when }} stays as it is. You reach them at {{ contact }}.

Read all of it:
{{ thread_link }}
""",
        "customer words",
        **_STAFF,
        words="I will be ten minutes late, is that fine?",
        thread_link=CONSOLE_LINK,
    ),
    "texts_refused": message_kind(
        about_words,
        "A customer wants no more texts",
        """
Subject: {{ customer }} wants no more texts

# {{ customer }} answered {{ words }}.

Phone networks stop all texts to this number. It may also mean the visit: {{ service }}
{{ with_staff }} on {{ when }} stays as it is. Please ask whether they come: {{ contact }}.

Read all of it:
{{ thread_link }}
""",
        "customer when",
        **_STAFF,
        words="STOP",
        thread_link=CONSOLE_LINK,
    ),
    "text_undelivered": message_kind(
        about_appointment,
        "A text does not reach a customer",
        """
Subject: No texts to {{ customer }}: the reminder goes by mail

# A text to {{ customer }} was not delivered.

The reminder of {{ service }} {{ with_staff }} on {{ when }} goes by mail instead. The reason:
{{ why }}. If the number is wrong, please correct it: {{ contact }}.

See the appointment:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
        why="this number has opted out",
    ),
    "undelivered": message_kind(
        about_appointment,
        "A reminder cannot be delivered",
        """
Subject: Not delivered: reminder for {{ customer }}, {{ when }}

# {{ customer }} got no reminder.

{{ service }} {{ with_staff }} on {{ when }}. The reason: {{ why }}. We know {{ contact }}.

See the appointment:
{{ console_link }}
""",
        "customer when",
        **_STAFF,
        why="this number wants no texts",
    ),
    "week": message_kind(
        week,
        "The week in figures",
        """
Subject: Your appointments from {{ week }}

{{ summary }}

{{ figures }}

{{ quiet }}

Confirmed, week by week:

{{ plot }}

See the weeks:
{{ console_link }}
""",
        "figures",
        business="Salon Mia",
        console_link=CONSOLE_LINK,
        week="9 to 15 November 2026",
        summary="Most customers confirmed, and both times that came free were filled again.",
        figures="Appointments: 31\nConfirmed: 24\nCame free in time: 2\nFilled again: 2",
        quiet="Did not answer: Ann Lee and Bob Tan.",
        plot="2 Nov ████████ 21 of 28\n9 Nov █████████ 24 of 31",
    ),
}
