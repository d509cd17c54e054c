"""Defines the stored data of the RSVP desk: events, seats, guests and offers."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

from frontdesk.core.people import Person, PersonId
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, QuietHours
from frontdesk.core.reminder_times import DEFAULT_RULES, ReminderRule, parse_rule
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.core.wording import Wording as Wording
from frontdesk.values import Frozen, replace

EventId = NewType("EventId", str)
GuestId = NewType("GuestId", str)


class State(StrEnum):
    """The state of one guest at one event."""

    PENDING = "pending"
    """Invited, or asked to confirm the address; holds no seats yet."""
    CONFIRMED = "confirmed"
    WAITING = "waiting"
    OFFERED = "offered"
    """In line, with seats held for them."""
    CANCELLED = "cancelled"


class Lane(StrEnum):
    """The channel by which a sign-up came in."""

    FORM = "form"
    EMAIL = "email"
    IMPORT = "import"
    HOST = "host"


class EventState(StrEnum):
    OPEN = "open"
    CALLED_OFF = "called_off"


class OfferState(StrEnum):
    PENDING = "pending"
    """Waits for quiet hours to end or for its message to go out."""
    LIVE = "live"
    CLAIMED = "claimed"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class EventSettings(Frozen):
    """Event settings. The host can change them at any time; the next decision uses them."""

    reminders: tuple[str, ...] = tuple(str(rule) for rule in DEFAULT_RULES)
    """Reminder rules in text form: '7d', 'morning 09:00'."""
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    claim_window: timedelta = timedelta(hours=6)
    time_critical: bool = False
    """Sends an offer in quiet hours if waiting would leave less than one claim window."""
    party_limit: int = 1
    strict_order: bool = False
    """Lets a party that does not fit block those behind it."""
    double_opt_in: bool = False
    """Keeps a sign-up by form or unauthenticated mail pending until the address is confirmed."""
    private_answers: bool = False
    """Gives every visitor of the form the same answer. Guests learn their status by mail only."""
    daily_mail: bool = True
    reminder_gap: timedelta = timedelta(hours=6)
    """Skips a reminder that is due this soon after the confirmation, which says the same."""

    @property
    def rules(self) -> tuple[ReminderRule, ...]:
        return tuple(parse_rule(text) for text in self.reminders)


#: Default settings of new events.
SAVED_DEFAULTS: Final = SavedSetting("ev.defaults", EventSettings, EventSettings())


class Seats(Frozen):
    """The counters of one event. Always: free + offered + taken = cap."""

    cap: int
    free: int
    offered: int = 0
    taken: int = 0
    waiting: int = 0
    """Guests (not seats) in line, without those who have an offer."""
    owed: int = 0
    """How many of the waiting guests have had no offer since seats were last freed."""
    round: int = 0
    """Grows each time seats come free."""
    rev: int = 0
    """Grows with each change that may change who is next."""
    tickets: int = 0

    @property
    def room(self) -> int:
        """Seats that are not taken; negative while the cap is below the number taken."""
        return self.cap - self.taken


class Details(Frozen):
    """The description of an event that guests read."""

    name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    venue: str = ""
    description: str = ""


class Event(Frozen):
    """The occasion that guests attend."""

    id: EventId
    slug: str
    details: Details
    settings: EventSettings
    seats: Seats
    state: EventState = EventState.OPEN
    sequence: int = 0
    """The version of the calendar entries. It grows with each change that guests are told of."""
    version: int = 0
    """The version of details, settings and state. Changes of the counters do not raise it."""
    thanks: str = ""
    """The draft of the thank-you note; empty until after the event."""
    thanks_sent: bool = False


class Guest(Frozen):
    """One person's place at one event, with name and address as they signed up."""

    id: GuestId
    event_id: EventId
    person_id: PersonId
    state: State
    party: int
    lane: Lane
    version: int = 0
    """Grows with each write of this row. Each write compares it."""
    ticket: int = 0
    lapsed: bool = False
    seen: int = -1
    """The round in which their last offer ended."""
    seq: int = 0
    """The number of their latest offer."""
    live: bool = False
    claim_by: datetime | None = None
    reminders: tuple[str, ...] = ()
    """The names of the reminder timers that are set for them."""
    arrived: int = 0
    """How many of the party are checked in."""
    joined_at: datetime | None = None
    name: str = ""
    """The name given with this sign-up; empty in old rows and after the person is erased."""
    email: str = ""
    own_name: bool = False
    """The person already had another name at sign-up, for example because a family shares an
    address."""

    @property
    def signed_up_themselves(self) -> bool:
        """Whether they signed up by form or mail, and not the host for them."""
        return self.lane in (Lane.FORM, Lane.EMAIL)


def phase(event: Event, now: datetime) -> str:
    """Returns 'open', 'called_off', 'begun' or 'over'."""
    if event.state is EventState.CALLED_OFF:
        return "called_off"
    if now >= event.details.ends_at:
        return "over"
    return "begun" if now >= event.details.starts_at else "open"


def open_until(event: Event, guest: Guest) -> datetime | None:
    """Returns when the live offer ends: at its deadline, or at the event's start if earlier."""
    if guest.state is not State.OFFERED or not guest.live or guest.claim_by is None:
        return None
    return min(guest.claim_by, event.details.starts_at)


def as_signed_up(guest: Guest, person: Person) -> Person:
    """Returns the person with the name of this sign-up and their current address."""
    return replace(person, name=guest.name) if guest.name and not person.erased else person


class Offer(Frozen):
    """Seats held for one guest. The row stays as history after the offer has ended."""

    event_id: EventId
    guest_id: GuestId
    seq: int
    seats: int
    state: OfferState
    made_at: datetime
    armed_at: datetime | None = None
    claim_by: datetime | None = None
    ended_at: datetime | None = None
    fills: int = 0
    """The round whose freed seats it fills. Only the history shows it."""
