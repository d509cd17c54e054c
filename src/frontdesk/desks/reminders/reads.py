"""The reads of the reminders desk: rows for decisions, and rows for display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.desks.reminders.model import (
    SAVED_RULES,
    Appointment,
    AppointmentId,
    Reminder,
    Reply,
)
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.engine.ports import DeskReads
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus
from frontdesk.features.sheet_sync.model import SheetReads


class ReminderSettings(SettingReads, Protocol):
    """The saved settings of the desk. Each store's reads inherit these."""

    def rules(self) -> ReminderRules:
        """The rules in force: the last good ones."""
        return self.setting(SAVED_RULES)


class ReminderReads(ReminderSettings, DeskReads, Protocol):
    # To decide
    def appointment(self, appointment_id: AppointmentId) -> Appointment | None: ...
    def live_of(self, person_id: PersonId, since: datetime, limit: int) -> Sequence[Appointment]:
        """The person's live appointments that start after `since`, by their start."""

    def live_after(
        self,
        since: datetime,
        cursor: str,
        limit: int,
        until: datetime | None = None,
        *,
        unanswered: bool = False,
    ) -> Sequence[Appointment]:
        """Live appointments that start after `since` and not after `until`, and after the cursor
        ('<seconds>/<id>') if there is one, by their start. With `unanswered`, only those to which
        the customer has not answered."""

    def no_shows(self) -> Mapping[PersonId, int]:
        """The number of missed appointments of each person who missed one."""

    def no_shows_of(self, person_id: PersonId) -> int: ...
    def reminders_of(self, appointment_id: AppointmentId) -> Sequence[Reminder]:
        """The reminders of the appointment's current chain."""

    def replies_of(self, appointment_id: AppointmentId) -> Sequence[Reply]:
        """The replies to the appointment in every chain, by time."""

    @property
    def sheet(self) -> SheetReads:
        """The versions of the sheet of appointments."""

    def proposal(self, proposal_id: ProposalId) -> Proposal | None: ...
    def sheet_rows(self, since: datetime) -> Sequence[tuple[Appointment, Person]]:
        """Appointments of the sheet in every state that start at `since` or later, with their
        customers."""

    # To show
    def proposals(self, status: ProposalStatus, limit: int) -> Sequence[Proposal]:
        """Proposed appointments, the newest first."""

    def appointments_of(self, person_id: PersonId) -> Sequence[Appointment]:
        """The person's appointments in every state, by their start."""

    def appointments_between(self, since: datetime, until: datetime) -> Sequence[Appointment]:
        """Appointments in every state that start in this period, by their start."""

    def archived_reminders(self, appointment_id: AppointmentId) -> Sequence[Reminder]:
        """The reminders of the appointment's earlier chains."""

    # For the doctor
    def appointments(self, *, limit: int = 100, after: str = "") -> Sequence[Appointment]:
        """All appointments by id, after the id `after`."""
