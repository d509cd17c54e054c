"""What the RSVP desk remembers: events with their seats, guests and their offers."""

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
    """Where a guest stands."""

    PENDING = "pending"
    """Invited, or asked to confirm the address: holds nothing yet."""
    CONFIRMED = "confirmed"
    WAITING = "waiting"
    OFFERED = "offered"
    """Waitlisted, with seats held for them."""
    CANCELLED = "cancelled"


class Lane(StrEnum):
    """The way in."""

    FORM = "form"
    EMAIL = "email"
    IMPORT = "import"
    HOST = "host"


class EventState(StrEnum):
    OPEN = "open"
    CALLED_OFF = "called_off"


class OfferState(StrEnum):
    PENDING = "pending"
    """Held back by quiet hours, or its message is not out yet."""
    LIVE = "live"
    CLAIMED = "claimed"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Settings(Frozen):
    """What the host can change about an event at any time; the next decision uses it."""

    reminders: tuple[str, ...] = tuple(str(rule) for rule in DEFAULT_RULES)
    """Rules as they are written: '7d', 'morning 09:00'."""
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    claim_window: timedelta = timedelta(hours=6)
    time_critical: bool = False
    """Send an offer in quiet hours if holding it would leave less than one claim window."""
    party_limit: int = 1
    strict_order: bool = False
    """A party that does not fit holds up those behind it."""
    double_opt_in: bool = False
    """Who signs up by the form or by a mail that may be forged confirms the address first."""
    private_answers: bool = False
    """The form answers everybody the same: where somebody stands is told by mail only."""
    daily_mail: bool = True
    reminder_gap: timedelta = timedelta(hours=6)
    """A reminder that would come so soon after the confirmation is left out: it says the same."""

    @property
    def rules(self) -> tuple[ReminderRule, ...]:
        return tuple(parse_rule(text) for text in self.reminders)


#: The settings with which events begin.
SAVED_DEFAULTS: Final = SavedSetting("ev.defaults", Settings, Settings())


class Seats(Frozen):
    """The counters of one event. Always: free + offered + taken = cap."""

    cap: int
    free: int
    offered: int = 0
    taken: int = 0
    waiting: int = 0
    """Guests (not seats) in line, without those who hold an offer."""
    owed: int = 0
    """How many of them have had no chance since the last freeing."""
    round: int = 0
    """Raised by each freeing."""
    rev: int = 0
    """Raised by whatever may change who is next."""
    tickets: int = 0

    @property
    def room(self) -> int:
        """Seats that are not taken; negative while the host has cut below what is taken."""
        return self.cap - self.taken


class Details(Frozen):
    """What an event is, as guests read it."""

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
    settings: Settings
    seats: Seats
    state: EventState = EventState.OPEN
    sequence: int = 0
    """Of its calendar entries: grows with each change that guests are told of."""
    version: int = 0
    """Of details, settings and state; the counters do not touch it."""
    thanks: str = ""
    """The thank-you note as drafted; empty until after the event."""
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
    """Raised by each change of this row, and compared by each."""
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
    """As given with this sign-up; empty in old rows and once the person is erased."""
    email: str = ""
    own_name: bool = False
    """The person was called something else when they signed up: a family shares the address."""

    @property
    def signed_up_themselves(self) -> bool:
        """By the form or by mail: the host has not put them on the list."""
        return self.lane in (Lane.FORM, Lane.EMAIL)


def phase(event: Event, now: datetime) -> str:
    """'open', 'called_off', 'begun' or 'over'."""
    if event.state is EventState.CALLED_OFF:
        return "called_off"
    if now >= event.details.ends_at:
        return "over"
    return "begun" if now >= event.details.starts_at else "open"


def open_until(event: Event, guest: Guest) -> datetime | None:
    """When a guest's live offer ends: at its deadline, and never after the event has begun."""
    if guest.state is not State.OFFERED or not guest.live or guest.claim_by is None:
        return None
    return min(guest.claim_by, event.details.starts_at)


def as_signed_up(guest: Guest, person: Person) -> Person:
    """The person as this sign-up calls them. Mail goes to the address that they have now."""
    return replace(person, name=guest.name) if guest.name and not person.erased else person


class Offer(Frozen):
    """Seats held for one guest. Never deleted: it is history once it has ended."""

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
    """The round of the release that it fills; a label for the story, it decides nothing."""
