"""The conditional writes of the reminders desk. A commit touches each row at most once."""

from __future__ import annotations

from frontdesk.core.decision import Change
from frontdesk.desks.reminders.model import Appointment, Reminder, ReminderState, Reply
from frontdesk.features.proposals import model as proposals


class AddAppointment(Change):
    """Condition: the id is new."""

    appointment: Appointment


class WriteAppointment(Change):
    """Writes the whole row. Condition: the row's version is `appointment.version - 1`."""

    appointment: Appointment
    new_person: bool = False
    """Whether it belongs to another person than before."""


class AppointmentAsRead(Change):
    """Writes nothing. Condition: the row's version is `version`."""

    appointment_id: str
    version: int


class AddReminder(Change):
    """Condition: this appointment has no reminder for this window."""

    reminder: Reminder


class WriteReminder(Change):
    """Writes the whole row. Condition: its chain is the same, and its state is `before`."""

    reminder: Reminder
    before: ReminderState


class ArchiveReminder(Change):
    """Moves the row to the archive. Condition: the row exists and has this chain."""

    reminder: Reminder


class AddProposal(proposals.AddProposal):
    pass


class SettleProposal(proposals.SettleProposal):
    pass


class AddReply(Change):
    """Condition: this appointment has no reply with this nonce and action."""

    reply: Reply
