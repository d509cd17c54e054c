"""What the waitlist desk remembers: entries on the list, slots that came free, and their offers."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import NewType

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, QuietHours
from frontdesk.frozen import frozen

EntryId = NewType("EntryId", str)
SlotId = NewType("SlotId", str)


class Lane(StrEnum):
    """The way onto the list."""

    SHEET = "sheet"
    INBOX = "inbox"
    FORM = "form"
    STAFF = "staff"


class EntryStatus(StrEnum):
    WAITING = "waiting"
    """On the list: the only ones who are offered anything."""
    BOOKED = "booked"
    LEFT = "left"
    STOPPED = "stopped"
    """Wants no offers any more, for any service."""
    EXPIRED = "expired"
    """Their latest date has passed."""


class SlotStatus(StrEnum):
    OPEN = "open"
    BOOKED = "booked"
    HANDED_BACK = "handed_back"
    """Staff's again: nothing more is offered."""


class OfferState(StrEnum):
    PENDING = "pending"
    """Held back by quiet hours, or its message is not out yet."""
    LIVE = "live"
    CLAIMED = "claimed"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    UNREACHABLE = "unreachable"


class Check(StrEnum):
    """What makes an entry suitable for a slot; checked in this order."""

    SERVICE = "service"
    PARTY = "party"
    DATE = "date"
    STAFF = "staff"


class OrderBy(StrEnum):
    """What the order goes by; the entry's id settles what is still equal."""

    PRIORITY = "priority"
    JOINED = "joined"


@frozen
class Rules:
    """How the business wants it. A slot keeps those that were in force when it came free."""

    zone: str = "UTC"
    order: tuple[OrderBy, ...] = (OrderBy.PRIORITY, OrderBy.JOINED)
    checks: tuple[Check, ...] = tuple(Check)
    """Those that count. The service always does."""
    claim_window: timedelta = timedelta(minutes=10)
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    tries: int = 5
    """How many people one slot is offered to at most."""
    down_fitting: int | None = 0
    """How many places a smaller party may leave empty; any number if nothing."""
    cut_off: timedelta = timedelta()
    """How long before its start a slot is offered to nobody any more."""
    send_tries: int = 3
    """How often a message may be refused before its person counts as unreachable."""


@frozen
class Wish:
    """What somebody is waiting for."""

    service: str
    party: int
    earliest_on: date
    latest_on: date
    staff: str = ""
    """Nobody in particular if empty."""
    priority: bool = False


@frozen
class Entry:
    """One person's place on the list for one service. Name and contact are in the people table."""

    id: EntryId
    person_id: PersonId
    service: str
    party: int
    earliest_on: date
    latest_on: date
    staff: str
    priority: bool
    joined_at: datetime
    status: EntryStatus = EntryStatus.WAITING
    lane: Lane = Lane.FORM
    version: int = 1
    """Raised by each change of this row, and compared by each."""

    @property
    def wish(self) -> Wish:
        return Wish(
            self.service,
            self.party,
            self.earliest_on,
            self.latest_on,
            self.staff,
            self.priority,
        )


@frozen
class Opening:
    """What came free."""

    service: str
    starts_at: datetime
    duration: timedelta
    capacity: int
    staff: str = ""
    price_cents: int = 0


@frozen
class Slot:
    """A freed time and who it is offered to. At most one offer is pending or live."""

    id: SlotId
    origin: str
    """What was freed, as its source names it ('webhook:<booking>'): it is freed once."""
    opening: Opening
    rules: Rules
    freed_at: datetime
    status: SlotStatus = SlotStatus.OPEN
    offer_seq: int = 0
    """The number of the offer that is pending or live, or 0."""
    live: bool = False
    offers: int = 0
    """How many were made."""
    nobody_fits: bool = False
    """Staff have been told that nobody suits; it stays open for who joins in time."""
    booked_by: str = ""
    closed_at: datetime | None = None

    @property
    def on(self) -> date:
        """The day of its start, by the clock on the wall."""
        return to_wall(self.opening.starts_at, zone(self.rules.zone)).date()

    @property
    def least_party(self) -> int:
        """The smallest that it is given to."""
        empty = self.rules.down_fitting
        return 1 if empty is None else max(1, self.opening.capacity - empty)

    @property
    def last_at(self) -> datetime:
        """From here on nobody new is told of it."""
        return self.opening.starts_at - self.rules.cut_off


@frozen
class Offer:
    """A slot held for one entry. Never deleted: it is history once it has ended."""

    slot_id: SlotId
    seq: int
    entry_id: EntryId
    state: OfferState
    made_at: datetime
    refusals: int = 0
    """How often its message was definitely not taken."""
    armed_at: datetime | None = None
    claim_by: datetime | None = None
    ended_at: datetime | None = None
