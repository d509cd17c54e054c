"""Stores sign-ups that come too fast to be answered at once."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.rsvp.commands import QueueSignUp
from frontdesk.desks.rsvp.decide.incoming_mail import known
from frontdesk.desks.rsvp.decide.seats import closed, largest_party
from frontdesk.desks.rsvp.facts import SignUpWrittenDown
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import SeatRequest


def queue_sign_up(view: SeatRequest, command: QueueSignUp, now: datetime) -> Decision:
    """Store the request as a fact. Writes only new rows, so it cannot conflict with other
    guests."""
    if view.event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := closed(view.event, now):
        return refusal
    if not 1 <= command.party <= largest_party(view.event, command.lane):
        return Refused(Reason.PARTY_TOO_LARGE)
    people, person_id = known(view, command)
    fact = SignUpWrittenDown(
        command.event_id, command.guest_id, person_id, command.party, command.lane
    )
    return Accepted(people, (fact,))
