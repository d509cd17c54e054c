"""Reasons to refuse a command of the reminders desk."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    NO_SUCH_APPOINTMENT = "no_such_appointment"
    BAD_APPOINTMENT = "bad_appointment"
    """It has no contact, no service, or an impossible length."""
    NO_SUCH_PROPOSAL = "no_such_proposal"
    SETTLED = "settled"
    """Somebody has decided about the proposal already."""
    OF_THE_TEAM = "of_the_team"
    """The person signs in, so their contact is changed under Team."""
    NOTHING_DUE = "nothing_due"
    UNCHANGED = "unchanged"
    ALREADY_CONFIRMED = "already_confirmed"
    """The customer has asked for another time already."""
    ENDED = "ended"
    """The appointment is cancelled, missed or over."""
    TOO_LATE = "too_late"
    """The cut-off or the start has passed: the customer has to call."""
    MOVED = "moved"
    """The answer is about an earlier time of the appointment."""
    SPENT = "spent"
    """This message was answered in this way before."""
    ANSWERED = "answered"
    """The customer has answered, so no message goes out."""
    SUPERSEDED = "superseded"
    """A later message says the same."""
    NOT_BEGUN = "not_begun"
    NOT_OVERDUE = "not_overdue"
    """There is still time to confirm."""
    PAUSED = "paused"
    """Staff have paused all reminders."""
    SWITCHED_OFF = "switched_off"
    BAD_RULES = "bad_rules"
