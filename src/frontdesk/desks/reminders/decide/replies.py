"""Decides about answers of customers. Each message can be answered once with each action.

An answer that is repeated, late or about an earlier time is refused with a reason and changes
nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.reminders.changes import AddReply, WriteAppointment
from frontdesk.desks.reminders.commands import AskToMove, Cancel, Confirm, Move, ReplyCommand
from frontdesk.desks.reminders.decide.alerts import with_alert
from frontdesk.desks.reminders.decide.appointments import closed, moved
from frontdesk.desks.reminders.decide.timers import no_more_looks
from frontdesk.desks.reminders.facts import (
    AppointmentCancelled,
    AppointmentConfirmed,
    ChangedBy,
    MoveAsked,
)
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentState,
    Means,
    Reply,
    ReplyAction,
    next_version,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import ReplyView
from frontdesk.values import replace

LONGEST_WISHES: Final = 1_000
LONGEST_NONCE: Final = 64


def confirm(view: ReplyView, command: Confirm, now: datetime) -> Decision:
    known = _open(view, command, ReplyAction.CONFIRM, now)
    if isinstance(known, Refused):
        return known
    if known.state is AppointmentState.CONFIRMED:
        return Refused(Reason.ALREADY_CONFIRMED)
    at = now.replace(microsecond=0)
    after = next_version(replace(known, state=AppointmentState.CONFIRMED, answered_at=at))
    reply = _reply(known, command, ReplyAction.CONFIRM, after.state, at)
    fact = AppointmentConfirmed(
        after.id, after.person_id, after.version, at, command.nonce, command.means
    )
    changes = (WriteAppointment(after), AddReply(reply))
    return Accepted(changes, (fact,), (no_more_looks(after),))


def cancel(view: ReplyView, command: Cancel, now: datetime) -> Decision:
    """Cancels until the cut-off, even after a confirmation."""
    known = _open(view, command, ReplyAction.CANCEL, now)
    if isinstance(known, Refused):
        return known
    if command.means is not Means.STAFF and not is_before_cut_off(view, known, now):
        return Refused(Reason.TOO_LATE)
    at = now.replace(microsecond=0)
    reply = _reply(known, command, ReplyAction.CANCEL, AppointmentState.CANCELLED, at)
    by = ChangedBy.STAFF if command.means is Means.STAFF else ChangedBy.CUSTOMER
    state, kind = AppointmentState.CANCELLED, AppointmentCancelled
    cancelled = closed(known, state, kind, by, now, changes=(AddReply(reply),), answered_at=at)
    if by is ChangedBy.STAFF:
        return cancelled
    return with_alert(cancelled, view.at.planner, known, now)


def ask_to_move(view: ReplyView, command: AskToMove, now: datetime) -> Decision:
    """Stores wishes for staff. The appointment keeps its time until they answer, but is no longer
    confirmed."""
    known = _open(view, command, ReplyAction.MOVE, now)
    if isinstance(known, Refused):
        return known
    if not is_before_cut_off(view, known, now):
        return Refused(Reason.TOO_LATE)
    at = now.replace(microsecond=0)
    after = next_version(replace(known, state=AppointmentState.EXPECTED, answered_at=at))
    wishes = command.wishes.strip()[:LONGEST_WISHES]
    reply = replace(_reply(known, command, ReplyAction.MOVE, after.state, at), wishes=wishes)
    named = (after.id, after.person_id, after.version)
    fact = MoveAsked(*named, at, command.nonce, command.means, after.state)
    changes = (WriteAppointment(after), AddReply(reply))
    return Accepted(changes, (fact,), (no_more_looks(after),))


def move(view: ReplyView, command: Move, now: datetime) -> Decision:
    """Moves the appointment to a time that the customer chose."""
    known = _open(view, command, ReplyAction.MOVE, now)
    if isinstance(known, Refused):
        return known
    if not is_before_cut_off(view, known, now) or command.starts_at <= now:
        return Refused(Reason.TOO_LATE)
    if command.starts_at == known.starts_at:
        return Refused(Reason.UNCHANGED)
    at = now.replace(microsecond=0)
    reply = _reply(known, command, ReplyAction.MOVE, AppointmentState.EXPECTED, at)
    decided = moved(view.at, known, command.starts_at, ChangedBy.CUSTOMER, now)
    return replace(decided, changes=(*decided.changes, AddReply(reply)))


def is_before_cut_off(view: ReplyView, known: Appointment, now: datetime) -> bool:
    cut_off = view.at.planner.rules.schedule(known.service).cut_off
    return now <= known.starts_at - cut_off


def _open(
    view: ReplyView, command: ReplyCommand, action: ReplyAction, now: datetime
) -> Appointment | Refused:
    """The appointment if it can be answered in this way, or the reason why not."""
    known = view.at.appointment
    if known is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    if command.chain != known.chain:
        return Refused(Reason.MOVED)
    if not known.is_live:
        return Refused(Reason.ENDED)
    if now >= known.starts_at:
        return Refused(Reason.TOO_LATE)
    if any(each.action is action for each in view.spent):
        return Refused(Reason.SPENT)
    return known


def _reply(
    known: Appointment,
    command: ReplyCommand,
    action: ReplyAction,
    after: AppointmentState,
    at: datetime,
) -> Reply:
    return Reply(
        known.id,
        command.nonce[:LONGEST_NONCE],
        action,
        known.chain,
        at,
        command.means,
        known.state,
        after,
    )
