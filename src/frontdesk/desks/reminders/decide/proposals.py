"""Decides about proposed appointments: staff approve or discard each once."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders import commands, facts
from frontdesk.desks.reminders.changes import (
    AddProposal,
    AppointmentAsRead,
    SettleProposal,
)
from frontdesk.desks.reminders.decide.records import record
from frontdesk.desks.reminders.model import CODE
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import ApprovalView
from frontdesk.features.calendars.state import CalendarState, calendar_setting
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.features.proposals.model import ProposalStatus

PROPOSALS: Final = ProposalDesk(
    code=CODE,
    read=commands.ReadRequest,
    ignore=commands.IgnoreRequest,
    propose=commands.Propose,
    discard=commands.DiscardProposal,
    add=AddProposal,
    settle=SettleProposal,
    ignored=facts.RequestIgnored,
    made=facts.ProposalMade,
    approved=facts.ProposalApproved,
    discarded=facts.ProposalDiscarded,
    read_outcome="read for reminders",
    approved_outcome="an appointment",
)


def settle_calendar(
    state: CalendarState, command: commands.SettleCalendar, _now: datetime
) -> Decision:
    """Records the decision of staff about missing events. The next sync acts on it."""
    settled = state.settled(command.appointment_ids, keep=command.keep)
    if settled == state:
        return Refused(Reason.UNCHANGED)
    said = sum(each in command.appointment_ids for each in state.missing)
    change = WriteSetting(calendar_setting(CODE), state, settled)
    return Accepted((change,), (facts.CalendarSettled(said, kept=command.keep),))


def approve(
    view: ApprovalView | None, command: commands.ApproveProposal, now: datetime
) -> Decision:
    """Records the appointment and settles the proposal in one commit."""
    if view is None:
        return Refused(Reason.NO_SUCH_PROPOSAL)
    if view.at.proposal.status is not ProposalStatus.OPEN:
        return Refused(Reason.SETTLED)
    recorded = record(view.record, command.record, now)
    known = view.record.at.appointment
    if isinstance(recorded, Refused):
        if recorded.reason is not Reason.UNCHANGED or known is None:
            return recorded
        same = Accepted((AppointmentAsRead(known.id, known.version),))
        return PROPOSALS.approve(view.at, same, known.id, known.person_id, now)
    fact = recorded.facts[0]
    assert isinstance(fact, facts.AppointmentFact)
    return PROPOSALS.approve(view.at, recorded, fact.appointment_id, fact.person_id, now)
