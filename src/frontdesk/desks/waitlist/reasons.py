"""Reasons to refuse a command, hand a slot back, withdraw an offer or reject a claim."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    NO_SUCH_ENTRY = "no_such_entry"
    NO_SUCH_SLOT = "no_such_slot"
    NO_SUCH_OFFER = "no_such_offer"
    ALREADY_FREED = "already_freed"
    """There is a slot with this origin already."""
    ALREADY_YOURS = "already_yours"
    BEGUN = "begun"
    """The slot's start has passed."""
    BAD_SLOT = "bad_slot"
    OVERLAPS = "overlaps"
    """The staff member, or the only place, has another slot at this time."""
    TAKEN = "taken"
    """The booking desk has given or holds this time, so staff cannot allow a second slot."""
    BAD_RULES = "bad_rules"
    BAD_DATES = "bad_dates"
    DATES_PASSED = "dates_passed"
    BAD_PARTY = "bad_party"
    NOT_WAITING = "not_waiting"
    STOPPED = "stopped"
    """They want no more offers."""
    SLOT_CLOSED = "slot_closed"
    NOT_BOOKED = "not_booked"
    """This person has not booked this slot, or no longer has it."""
    NOT_BEGUN = "not_begun"
    """The slot has not begun."""
    OFFER_GONE = "offer_gone"
    TOO_LATE = "too_late"
    QUIET_HOURS = "quiet_hours"
    STILL_GOOD = "still_good"
    """Nothing needs to be done."""
    UNCHANGED = "unchanged"
    CHANGED_MEANWHILE = "changed_meanwhile"
    """Somebody else has changed the row since."""
    NO_CONTACT = "no_contact"
    """There is neither an address nor a number."""
    ADDRESS_TAKEN = "address_taken"
    """Somebody else has this address or number."""
    ON_THE_LIST = "on_the_list"
    """They are waiting for this service already."""
    SOMEBODY_ELSE = "somebody_else"
    """Staff typed another person's name, but kept the address or number of the person who has the
    slot."""
    HAS_A_SLOT = "has_a_slot"
    """They have a slot for this service that is not over yet."""
    NO_SUCH_SERVICE = "no_such_service"
    NO_SUCH_PROPOSAL = "no_such_proposal"
    SETTLED = "settled"
    """Somebody has decided about the proposal already."""
    OF_THE_TEAM = "of_the_team"
    """They are a team member, so owners manage their contact."""


class HandBack(StrEnum):
    """The reason why a slot went back to staff."""

    EXHAUSTED = "exhausted"
    """Everybody who suits it has had an offer."""
    TRIES = "tries"
    TOO_LATE = "too_late"
    QUIET_HOURS = "quiet_hours"
    """After quiet hours, less than one claim window would be left."""
    STAFF = "staff"
    NOBODY_FITS = "nobody_fits"
    """Nobody suits it, so the booking desk took the time back."""


class Withdrawn(StrEnum):
    """The reason why an offer was withdrawn."""

    BOOKED_ELSEWHERE = "booked_elsewhere"
    """They have claimed another slot."""
    OFF_THE_LIST = "off_the_list"
    CHANGED_WISH = "changed_wish"
    HANDED_BACK = "handed_back"
    STAFF = "staff"
    """Staff withdrew it; the slot goes to the next person."""


class Lost(StrEnum):
    """The reason why a claim failed."""

    FILLED = "filled"
    HANDED_BACK = "handed_back"
    TOO_LATE = "too_late"
    OFFER_GONE = "offer_gone"
    NOT_WAITING = "not_waiting"
