"""Messages to customers about their appointments, by SMS or mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import Tone
from frontdesk.core.sends import Via
from frontdesk.core.wording import saved_name, wording_setting
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.messages.context import SAMPLE, ReminderContext
from frontdesk.desks.reminders.model import (
    CODE,
    REMINDERS,
    Appointment,
    AppointmentState,
    Window,
)
from frontdesk.desks.reminders.notes import BY_MAIL
from frontdesk.desks.reminders.notes import KINDS as WINDOW_KINDS
from frontdesk.desks.reminders.wording_trial import has_second_wording
from frontdesk.engine.desk import Drop
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.features.messages.samples import SAMPLE_LINK
from frontdesk.features.wordings.document import second_of
from frontdesk.values import replace

_CHANGED: Final = Drop("has changed since")
_REASON: Final = "You get this mail because you have an appointment for {service} with us."
_WINDOWS: Final = {kind: window for window, kind in WINDOW_KINDS.items()}
VISITS: Final = "visits"


def _about_visit(
    c: ReminderContext, one: Appointment, tone: Tone, chip: str, **values: str
) -> MessageContent:
    return MessageContent(
        {**c.values(one), **values},
        tone,
        chip,
        reason=_REASON.format(service=one.service),
        occasion=c.occasion(one),
        is_called_off=tone is Tone.GONE,
        reply_to=c.sender.answers.reply_to(c.send.id),
        mail_only=not one.tags.allows_texts or c.send.params.get("by") == BY_MAIL,
    )


def reminder(c: ReminderContext) -> MessageContent | Drop:
    """Lists all visits that are unanswered when the message is sent."""
    visits = c.open_visits
    if not visits:
        return Drop("is answered")
    one = visits[0]
    no_sms = not all(each.tags.allows_texts for each in visits)
    no_email = any(each.tags.no_email for each in visits)
    if no_email and (no_sms or not c.may_send_sms(to_stranger=False)):
        return Drop("wants no mail, and cannot get a text")
    window = _WINDOWS[c.send.kind]
    links = c.links(c.own_window(one, window))
    lead = c.appointment or one
    how = BY_DIGIT if c.sender.takes_sms else BY_LINK
    content = _about_visit(
        c,
        one,
        Tone.WAITING,
        "Please answer",
        how_to_answer=how,
        answer_link=c.links(window).url(Purpose.ANSWER, lead),
        confirm_link=links.url(Purpose.CONFIRM, one),
        move_link=links.url(Purpose.MOVE, one),
        cancel_link=links.url(Purpose.CANCEL, one),
    )
    if len(visits) == 1:
        return replace(content, worded_as=_second_wording(c, one))
    return MessageContent(
        {**content.values, "visits": _listed(c, visits)},
        content.tone,
        content.chip,
        reason=content.reason,
        reply_to=content.reply_to,
        mail_only=content.mail_only or no_sms,
        worded_as=VISITS,
    )


def _second_wording(c: ReminderContext, one: Appointment) -> str:
    """The name of the second wording for half of the appointments, if the business has
    written one."""
    second = second_of(c.send.kind)
    if second not in KINDS or not has_second_wording(one.id):
        return ""
    names = (saved_name(via, second) for via in Via)
    is_written = any(c.reads.engine.setting(wording_setting(CODE, each)) for each in names)
    return second if is_written else ""


def _listed(c: ReminderContext, visits: list[Appointment]) -> str:
    lines = (f"{each.service}, {c.when(each.starts_at)}" for each in visits)
    return "; ".join(lines)


def which_visit(c: ReminderContext) -> MessageContent | Drop:
    """Asks which of several visits an answer meant. The customer answers with the time of the
    visit."""
    visits = c.visits(str(c.send.params.get("visits", "")))
    if not visits:
        return _CHANGED
    one = visits[0]
    first = to_wall(one.starts_at, zone(c.rules.zone))
    example = f"3 {first:%H:%M}"
    return _about_visit(
        c, one, Tone.WAITING, "Which one?", visits=_listed(c, visits), example=example
    )


def upcoming_visit(c: ReminderContext) -> MessageContent | Drop:
    """A message about a visit that will still take place, with the link to choose another time."""
    one = c.appointment
    if one is None or not one.is_live or c.now >= one.starts_at:
        return _CHANGED
    links = c.links(next((each for each in REMINDERS if each in one.settled), Window.FIRST))
    return _about_visit(c, one, Tone.WAITING, "", move_link=links.url(Purpose.MOVE, one))


def cancelled(c: ReminderContext) -> MessageContent | Drop:
    one = c.appointment
    if one is None or one.state is not AppointmentState.CANCELLED:
        return _CHANGED
    return _about_visit(c, one, Tone.GONE, "Cancelled")


def moved(c: ReminderContext) -> MessageContent | Drop:
    one = c.appointment
    if one is None or not one.is_live or c.now >= one.starts_at:
        return _CHANGED
    return _about_visit(c, one, Tone.GOOD, "Moved")


#: Replies are invited only where somebody reads them.
BY_DIGIT: Final = "Reply 1 yes, 2 another time, 3 cannot come, or tap:"
BY_LINK: Final = "Coming? Please answer:"
_LINKS: Final = {
    "answer_link": SAMPLE_LINK,
    "confirm_link": SAMPLE_LINK,
    "move_link": SAMPLE_LINK,
    "cancel_link": SAMPLE_LINK,
    "how_to_answer": BY_DIGIT,
}
_ANSWERS: Final = """
Yes, I'm coming:
{{ confirm_link }}

Another time suits you better? Choose another time:
{{ move_link }}

You can't come? Please tell us, so that somebody else can have the time. Cancel:
{{ cancel_link }}
"""
_SMS: Final = """
{{ business }}: {{ service }} {{ day_and_time }}. {{ how_to_answer }}
{{ answer_link }}
"""


def _reminder(title: str, heading: str, subject: str) -> MessageKind:
    return message_kind(
        reminder,
        title,
        f"""
Subject: {subject}

# {heading}

{{{{ service }}}} {{{{ with_staff }}}} on {{{{ when }}}}.
"""
        + _ANSWERS,
        "service",
        one_of="answer_link confirm_link",
        sms=_SMS,
        **SAMPLE,
        **_LINKS,
    )


#: An SMS has one link; the page behind it has all the buttons.
KINDS: Final[Mapping[str, MessageKind]] = {
    "first_reminder": _reminder(
        "The first reminder of a visit",
        "Are you coming, {{ name }}?",
        "Your appointment {{ how_soon }}: {{ service }}",
    ),
    "second_reminder": _reminder(
        "The second reminder of a visit",
        "See you {{ how_soon }}?",
        "{{ service }} {{ how_soon }}: please confirm",
    ),
    "first_reminder_b": _reminder(
        "The first reminder of a visit, second wording",
        "Are you coming, {{ name }}?",
        "Your appointment {{ how_soon }}: {{ service }}",
    ),
    "second_reminder_b": _reminder(
        "The second reminder of a visit, second wording",
        "See you {{ how_soon }}?",
        "{{ service }} {{ how_soon }}: please confirm",
    ),
    "third_reminder": _reminder(
        "One more reminder, for people who missed a visit",
        "We expect you {{ how_soon }}.",
        "{{ service }} {{ how_soon }}",
    ),
    VISITS: message_kind(
        reminder,
        "A reminder of several visits on one day",
        """
Subject: Your appointments {{ how_soon }}

# Are you coming, {{ name }}?

You have several appointments on one day: {{ visits }}.

Answer for each of them:
{{ answer_link }}
""",
        "visits answer_link",
        sms="""
{{ business }}: {{ visits }}. Coming? Please answer for each:
{{ answer_link }}
""",
        **SAMPLE,
        **_LINKS,
        visits="Cut, Friday 20 November, 15:00 (SGT); Nails, Friday 20 November, 17:00 (SGT)",
    ),
    "which_visit": message_kind(
        which_visit,
        "An answer may mean several visits",
        """
Subject: Which appointment do you mean?

# Which appointment do you mean, {{ name }}?

You have several: {{ visits }}.

Answer with its time: 1 for yes, 2 for another time, 3 if you cannot come. For example:
{{ example }}

Nothing has changed until then. {{ tell_us }}
""",
        "visits example",
        sms="""
{{ business }}: which one? {{ visits }}. Reply with digit and time, like {{ example }}
""",
        **SAMPLE,
        visits="Cut, Friday 20 November, 15:00 (SGT); Nails, Friday 20 November, 17:00 (SGT)",
        example="3 15:00",
    ),
    "choose_time": message_kind(
        upcoming_visit,
        "A customer asks for another time",
        """
Subject: Another time for {{ service }}

# Which time suits you, {{ name }}?

{{ service }} {{ with_staff }} stays on {{ when }} until you have another time. Choose one, or tell
us your wishes:
{{ move_link }}
""",
        "move_link",
        sms="{{ business }}: choose another time, or tell us your wishes:\n{{ move_link }}",
        **SAMPLE,
        move_link=SAMPLE_LINK,
    ),
    "too_late": message_kind(
        upcoming_visit,
        "A customer wants a change too late",
        """
Subject: Please call us about {{ service }} on {{ when }}

# It is too late to change this here.

{{ service }} {{ with_staff }} on {{ when }} stays as it is. {{ tell_us }}
""",
        "service when",
        sms="{{ business }}: too late to change {{ service }} on {{ when }} here. {{ tell_us }}",
        **SAMPLE,
    ),
    "cancelled": message_kind(
        cancelled,
        "A customer cancelled",
        """
Subject: Cancelled: {{ service }} on {{ when }}

# Your appointment is cancelled.

{{ service }} {{ with_staff }} on {{ when }}. Thank you for telling us, {{ name }}.
""",
        "service when",
        sms="{{ business }}: {{ service }} on {{ when }} is cancelled. Thank you for telling us.",
        **SAMPLE,
    ),
    "released": message_kind(
        cancelled,
        "Staff gave away a time that was not confirmed",
        """
Subject: We no longer keep your appointment on {{ when }}

# We did not hear from you, {{ name }}.

{{ service }} {{ with_staff }} on {{ when }} was not confirmed in time, so we no longer keep the
time for you. Would you still like to come? {{ tell_us }}
""",
        "service when",
        sms="""
{{ business }}: {{ service }} on {{ when }} was not confirmed in time and is no longer kept.
{{ tell_us }}
""",
        **SAMPLE,
    ),
    "moved": message_kind(
        moved,
        "An appointment has a new time",
        """
Subject: New time: {{ service }} on {{ when }}

# Your new time is {{ when }}.

{{ service }} {{ with_staff }}. Does this time not suit you? {{ tell_us }}
""",
        "service when",
        sms="{{ business }}: {{ service }} is now on {{ when }}. {{ tell_us }}",
        **SAMPLE,
    ),
}
