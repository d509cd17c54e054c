"""The reasons why the RSVP desk refuses a command."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    NO_SUCH_EVENT = "no_such_event"
    NO_SUCH_GUEST = "no_such_guest"
    CALLED_OFF = "called_off"
    BEGUN = "begun"
    """The event has begun, so nobody can sign up or get an offer."""
    ALREADY_ON_THE_LIST = "already_on_the_list"
    ALREADY_CANCELLED = "already_cancelled"
    PARTY_TOO_LARGE = "party_too_large"
    PARTY_NOT_SMALLER = "party_not_smaller"
    NOT_PENDING = "not_pending"
    NOT_WAITING = "not_waiting"
    NOT_CONFIRMED = "not_confirmed"
    OFFER_GONE = "offer_gone"
    TOO_LATE = "too_late"
    IN_DEBT = "in_debt"
    """More seats are taken or on offer than the cap allows, so no seat is given or offered."""
    FULL = "full"
    NOTHING_TO_DO = "nothing_to_do"
    EDITED_MEANWHILE = "edited_meanwhile"
    ADDRESS_IN_USE = "address_in_use"
    """Another event has this page address."""
    BAD_TIMES = "bad_times"
    IN_THE_PAST = "in_the_past"
    """An event that has not begun cannot be moved to the past."""
    BAD_CAP = "bad_cap"
    NOT_OVER = "not_over"
    ALREADY_SENT = "already_sent"
    UNCHANGED = "unchanged"
    JOB_DONE = "job_done"
