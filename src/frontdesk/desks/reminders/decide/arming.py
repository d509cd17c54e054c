"""Decides about a reminder again just before its message goes out, and after a failure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.reminders.changes import AppointmentAsRead, WriteReminder
from frontdesk.desks.reminders.commands import ArmReminder, DisarmReminder, ReportUndelivered
from frontdesk.desks.reminders.facts import ReminderUndelivered, TextUndelivered
from frontdesk.desks.reminders.model import (
    REMINDERS,
    Appointment,
    Reminder,
    ReminderState,
    Window,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import MessageView
from frontdesk.values import replace

#: The reason of a reminder that is due again as a mail. Its text must not be sent again.
GOES_BY_MAIL: Final = "its text was refused, so it goes by mail"


def arm(view: MessageView, command: ArmReminder, now: datetime) -> Decision:
    """Marks the reminder as sent if it is still useful. The commit compares the rows, so an answer
    at the same moment prevents it."""
    asked = [each for each in view.appointments if each.is_unanswered and now < each.starts_at]
    if view.lead is None or not asked or view.lead.chain != command.chain:
        return Refused(Reason.ANSWERED)
    if _is_superseded(view.lead, command.window):
        return Refused(Reason.SUPERSEDED)
    if not command.by_mail and any(each.why == GOES_BY_MAIL for each in view.reminders):
        return Refused(Reason.SUPERSEDED)
    as_read = (AppointmentAsRead(each.id, each.version) for each in asked)
    names = {each.id for each in asked}
    told = [each for each in view.reminders if each.appointment_id in names]
    others = [each for each in view.reminders if each.appointment_id not in names]
    due = (ReminderState.DUE,)
    sent = _in_state(told, ReminderState.SENT, due, now)
    left_out = _in_state(others, ReminderState.SKIPPED, due, now, "answered before")
    return Accepted((*as_read, *sent, *left_out))


def disarm(view: MessageView, _: DisarmReminder, now: datetime) -> Decision:
    written = _in_state(view.reminders, ReminderState.DUE, (ReminderState.SENT,), now)
    return Accepted(written) if written else Refused(Reason.UNCHANGED)


def report_undelivered(view: MessageView, command: ReportUndelivered, now: datetime) -> Decision:
    """Marks the reminder as failed. A refused text becomes a mail in the same window if there is an
    address."""
    before = (ReminderState.DUE, ReminderState.SENT)
    if command.by_text and takes_mail(view, now):
        return _by_mail(view, command, now)
    written = _in_state(view.reminders, ReminderState.FAILED, before, now, command.why[:200])
    lead = view.lead
    if lead is None or not written:
        return Refused(Reason.UNCHANGED)
    fact = ReminderUndelivered(
        lead.id, lead.person_id, lead.version, command.chain, command.window, command.why[:200]
    )
    return Accepted(written, (fact,))


def takes_mail(view: MessageView, now: datetime) -> bool:
    """Whether a mail can go out instead of a text."""
    person, lead = view.person, view.lead
    if person is None or lead is None or not person.email or person.bounced:
        return False
    return now < lead.starts_at and not any(each.tags.no_email for each in view.appointments)


def _by_mail(view: MessageView, command: ReportUndelivered, now: datetime) -> Decision:
    lead = view.lead
    assert lead is not None, "somebody takes the mail"
    before = (ReminderState.DUE, ReminderState.SENT)
    written = _in_state(view.reminders, ReminderState.DUE, before, now, GOES_BY_MAIL)
    fact = TextUndelivered(
        lead.id,
        lead.person_id,
        lead.version,
        now.replace(microsecond=0),
        command.chain,
        command.window,
        lead.starts_at,
        command.together,
        command.why[:200],
    )
    return Accepted(written, (fact,))


def _is_superseded(lead: Appointment, window: Window) -> bool:
    later = REMINDERS[REMINDERS.index(window) + 1 :]
    return any(each in lead.settled for each in later)


def _in_state(
    reminders: Iterable[Reminder],
    state: ReminderState,
    before: tuple[ReminderState, ...],
    now: datetime,
    why: str = "",
) -> tuple[WriteReminder, ...]:
    at = now.replace(microsecond=0)
    return tuple(
        WriteReminder(_changed(each, state, at, why), each.state)
        for each in reminders
        if each.state in before
    )


def _changed(reminder: Reminder, state: ReminderState, at: datetime, why: str) -> Reminder:
    return replace(reminder, state=state, at=at, why=why or reminder.why)
