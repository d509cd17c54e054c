"""Defines the facts of an event, which are its audit: `replay` rebuilds the list from them.

Facts name people by id only. `version` is the guest row's version after the change.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from frontdesk.core.decision import Fact
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings, GuestId, Lane, State


class EventFact(Fact):
    event_id: EventId

    @property
    def subject(self) -> str:
        return self.event_id


class GuestFact(EventFact):
    guest_id: GuestId
    version: int

    @property
    def about(self) -> str:
        return self.guest_id


# --- the event ------------------------------------------------------------------------------


class EventCreated(EventFact):
    kind: ClassVar[str] = "ev.created"
    slug: str
    details: Details
    settings: EventSettings
    cap: int


class EventEdited(EventFact):
    """`moved`: guests have to be told of a new time, place or name. `retimed`: timers move."""

    kind: ClassVar[str] = "ev.edited"
    slug: str
    details: Details
    settings: EventSettings
    version: int
    sequence: int
    moved: bool
    retimed: bool


class EventCalledOff(EventFact):
    kind: ClassVar[str] = "ev.called_off"
    version: int
    sequence: int
    words: str = ""


class CapChanged(EventFact):
    kind: ClassVar[str] = "ev.cap_changed"
    before: int
    after: int
    freed: bool
    """Whether this freed seats and began a new round."""
    round: int


class SeatsFreed(EventFact):
    """Seats came free, or fewer seats exceed the cap. `round` is the round that begins."""

    kind: ClassVar[str] = "ev.seat_freed"
    guest_id: GuestId
    seats: int
    taken_before: int
    taken_after: int
    round: int

    @property
    def about(self) -> str:
        return self.guest_id


class PartyPassedOver(EventFact):
    """Seats went to somebody further back because this party did not fit."""

    kind: ClassVar[str] = "ev.passed_over"
    guest_id: GuestId
    party: int
    free: int

    @property
    def about(self) -> str:
        return self.guest_id


# --- guests ---------------------------------------------------------------------------------


class SignUpWrittenDown(EventFact):
    """A sign-up was stored because too many came at once. It is answered later."""

    kind: ClassVar[str] = "ev.sign_up_written_down"
    guest_id: GuestId
    """Used if the person is not on the list yet."""
    person_id: PersonId
    party: int
    lane: Lane

    @property
    def about(self) -> str:
        return self.guest_id


class GuestInvited(GuestFact):
    """The guest is pending. `opt_in`: they signed up themselves and have to confirm the address."""

    kind: ClassVar[str] = "ev.invited"
    person_id: PersonId
    party: int
    lane: Lane
    opt_in: bool
    mail_id: MailId = NO_MAIL


class GuestConfirmed(GuestFact):
    """The guest has seats: at once, after an invitation, from the line, or by a claim
    (`seq` > 0)."""

    kind: ClassVar[str] = "ev.confirmed"
    person_id: PersonId
    party: int
    lane: Lane
    before: State | None
    """None if they are new."""
    reminders: tuple[str, ...]
    seq: int = 0
    by_host: bool = False
    """The host gave the seat ahead of the line, or claimed the offer for the guest."""
    asked: bool = False
    """The guest waited in line and has just taken a free seat themselves."""
    left_out: tuple[str, ...] = ()
    """Reminders that are not set because they would come too soon after the confirmation."""
    mail_id: MailId = NO_MAIL


class GuestJoinedLine(GuestFact):
    kind: ClassVar[str] = "ev.waitlisted"
    person_id: PersonId
    party: int
    lane: Lane
    before: State | None
    ticket: int
    position: int
    mail_id: MailId = NO_MAIL


class GuestCancelled(GuestFact):
    """The guest gave up seats, an offer, a place in line or an invitation; `before` says which."""

    kind: ClassVar[str] = "ev.cancelled"
    before: State
    party: int
    seq: int
    taken_before: int
    taken_after: int
    by_host: bool = False
    mail_id: MailId = NO_MAIL


class PartyReduced(GuestFact):
    kind: ClassVar[str] = "ev.party_reduced"
    state: State
    before: int
    after: int


class PartyTooLarge(GuestFact):
    """The host cut the cap below a waiting party, so it can get no offer."""

    kind: ClassVar[str] = "ev.party_too_large"
    party: int
    cap: int
    occasion: int


class GuestMovedInLine(GuestFact):
    kind: ClassVar[str] = "ev.moved_in_line"
    ticket: int
    lapsed: bool


class GuestRetimed(GuestFact):
    """The guest's reminders were set again. `tell`: they are told of the change with this
    `sequence`."""

    kind: ClassVar[str] = "ev.retimed"
    reminders: tuple[str, ...]
    tell: bool
    sequence: int
    state: State
    again: bool = False
    """The event had begun and has a new date, so check-ins are reset."""
    left_out: tuple[str, ...] = ()
    """Reminders that are not set because they would come too soon after the news."""


class GuestToldOfCallOff(GuestFact):
    kind: ClassVar[str] = "ev.told_of_call_off"
    state: State
    sequence: int


class ReminderDue(GuestFact):
    kind: ClassVar[str] = "ev.reminder_due"
    timer: str
    rule: str
    due_at: datetime
    superseded: bool
    """The timer fired so late that a newer reminder is due too. Only the newer one is sent."""
    begun: bool = False
    """The timer fired after the event had begun; no reminder is sent."""


class GuestArrived(GuestFact):
    """`arrived` of the party are checked in now; 0 undoes a check-in."""

    kind: ClassVar[str] = "ev.arrived"
    arrived: int


class LinkResent(GuestFact):
    kind: ClassVar[str] = "ev.link_resent"
    state: State
    nth: int
    by_guest: bool = False
    """The event's page asked for it."""


class ContactFollowed(GuestFact):
    """The sign-up got a corrected name or address. `offer_again`: the open offer is sent again."""

    kind: ClassVar[str] = "ev.contact_followed"
    offer_again: bool
    seq: int
    last_useful_at: datetime


class SeatsPassedOn(GuestFact):
    """The host gave the guest's seats to somebody else."""

    kind: ClassVar[str] = "ev.passed_on"
    party: int
    to_guest_id: GuestId


class SeatsTakenOver(GuestFact):
    """The host gave the guest the seats of another guest. The number of taken seats stays
    the same."""

    kind: ClassVar[str] = "ev.taken_over"
    person_id: PersonId
    party: int
    lane: Lane
    before: State | None
    reminders: tuple[str, ...]
    from_guest_id: GuestId
    left_out: tuple[str, ...] = ()
    """Reminders that are not set because they would come too soon after the confirmation."""


class AskedAgain(GuestFact):
    """A guest on the list wrote to the event's address; the answer tells them their status.

    `cancel_link`: they asked to cancel, but the mail is not authenticated.
    """

    kind: ClassVar[str] = "ev.asked_again"
    state: State
    cancel_link: bool
    mail_id: MailId


class StrangerAnswered(EventFact):
    """Somebody who is not on the list wrote to the event's address, and nothing changed.

    `cancelling`: they asked to cancel; otherwise they asked for a seat and were refused.
    """

    kind: ClassVar[str] = "ev.stranger_answered"
    person_id: PersonId
    cancelling: bool
    mail_id: MailId


class GuestUnsubscribed(GuestFact):
    """The guest stopped optional mail, or resumed it if not `out`."""

    kind: ClassVar[str] = "ev.unsubscribed"
    out: bool


class ThanksDue(GuestFact):
    kind: ClassVar[str] = "ev.thanks_due"
    sequence: int = 0
    """The event's sequence. If the event takes place again, guests are thanked again."""


# --- for the host ---------------------------------------------------------------------------


class HeadcountDue(EventFact):
    kind: ClassVar[str] = "ev.headcount_due"
    due_at: datetime


class ThanksDrafted(EventFact):
    kind: ClassVar[str] = "ev.thanks_drafted"
    sequence: int = 0


class JobBegun(EventFact):
    """A job over many guests, done in steps."""

    kind: ClassVar[str] = "ev.job_begun"
    job_id: str
    job: str
    guests: int


# --- the business ---------------------------------------------------------------------------


class WordingChanged(Fact):
    """The business changed the wording of a mail. The text itself is in the settings."""

    kind: ClassVar[str] = "ev.wording_changed"
    mail_kind: str

    @property
    def subject(self) -> str:
        return "voice"
