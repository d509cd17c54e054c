"""Mails to staff about the sheet, calendars and mails that appointments come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.core.occasions import Tone
from frontdesk.core.words import count
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.messages.context import CONSOLE_LINK, ReminderContext
from frontdesk.desks.reminders.model import CODE
from frontdesk.engine.desk import Drop
from frontdesk.features.calendars.state import calendar_setting
from frontdesk.features.messages.kinds import MessageContent, MessageKind, message_kind
from frontdesk.features.proposals.model import ProposalId, ProposalStatus

_PUT_RIGHT: Final = Drop("put right meanwhile")


def proposed(c: ReminderContext) -> MessageContent | Drop:
    found = reminder_reads(c.reads).proposal(ProposalId(c.send.subject))
    if found is None or found.status is not ProposalStatus.OPEN:
        return _PUT_RIGHT
    return staff_message(c, f"/proposed/{found.id}")


def sheet_halted(c: ReminderContext) -> MessageContent | Drop:
    if not reminder_reads(c.reads).sheet.state().missing:
        return _PUT_RIGHT
    rows = count(int(c.send.params["rows"]), "row")
    return staff_message(c, "/versions", rows=rows)


def calendar_halted(c: ReminderContext) -> MessageContent | Drop:
    if not reminder_reads(c.reads).setting(calendar_setting(CODE)).missing:
        return _PUT_RIGHT
    events = count(int(c.send.params["events"]), "event")
    return staff_message(c, "/calendar", events=events)


def sheet_troubled(c: ReminderContext) -> MessageContent | Drop:
    trouble = reminder_reads(c.reads).sheet.state().trouble
    return staff_message(c, "/versions", why=trouble) if trouble else _PUT_RIGHT


def staff_message(c: ReminderContext, path: str, **values: str) -> MessageContent:
    """Builds a message with a link to a console page of the desk."""
    link = f"{c.sender.console_url}/console/reminders{path}"
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent({**values, "console_link": link}, Tone.WAITING, reason=reason)


KINDS: Final[Mapping[str, MessageKind]] = {
    "proposed": message_kind(
        proposed,
        "An appointment to approve",
        """
Subject: An appointment to approve

An appointment was read from a mail or a calendar. Nobody is reminded of it before you approve.

Look at it:
{{ console_link }}
""",
        "console_link",
        console_link=CONSOLE_LINK,
    ),
    "sheet_halted": message_kind(
        sheet_halted,
        "Many rows disappeared from the sheet",
        """
Subject: {{ rows }} are gone from the sheet of appointments

{{ rows }} disappeared from the sheet at once, which may be a mistake.
No appointment was cancelled, and the sheet is left alone until you say what to do.

Look at them:
{{ console_link }}
""",
        "rows",
        console_link=CONSOLE_LINK,
        rows="12 rows",
    ),
    "calendar_halted": message_kind(
        calendar_halted,
        "Many appointments disappeared from a calendar",
        """
Subject: {{ events }} are gone from the calendar

{{ events }} with appointments disappeared from the calendar at once, which may be a mistake.
No appointment was cancelled, and the calendar is left alone until you say what to do.

Look at them:
{{ console_link }}
""",
        "events",
        console_link=CONSOLE_LINK,
        events="12 events",
    ),
    "sheet_troubled": message_kind(
        sheet_troubled,
        "The sheet cannot be read or written",
        """
Subject: The sheet of appointments cannot be used just now

We cannot use the sheet of appointments. Changes in it have no effect, and answers of customers are
not written to it. Reminders still go out.

Why: {{ why }}

We keep trying. See the sheet:
{{ console_link }}
""",
        "why",
        console_link=CONSOLE_LINK,
        why="There is no such file.",
    ),
}
