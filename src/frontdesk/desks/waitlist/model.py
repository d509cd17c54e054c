"""The rows of the waitlist desk: entries, slots and offers; and its rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

from frontdesk.core.localtime import to_local_date, zone
from frontdesk.core.people import Person, PersonId
from frontdesk.core.quiet_hours import DEFAULT_QUIET_HOURS, QuietHours
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen, replace

EntryId = NewType("EntryId", str)
SlotId = NewType("SlotId", str)

#: The prefix of the origin of a slot that staff gave to another person.
GIVEN: Final = "given:"
#: The longest duration of a slot.
LONGEST_SLOT: Final = timedelta(days=1)
#: The farthest slot that staff can free. Beyond it they probably mistyped the year.
FARTHEST_SLOT: Final = timedelta(days=366)


class Lane(StrEnum):
    """How an entry came onto the list."""

    SHEET = "sheet"
    INBOX = "inbox"
    FORM = "form"
    STAFF = "staff"


class EntryStatus(StrEnum):
    WAITING = "waiting"
    """On the list. Only waiting entries get offers."""
    BOOKED = "booked"
    LEFT = "left"
    STOPPED = "stopped"
    """Wants no more offers, for any service."""
    EXPIRED = "expired"
    """The latest date has passed."""


class SlotStatus(StrEnum):
    OPEN = "open"
    BOOKED = "booked"
    HANDED_BACK = "handed_back"
    """Returned to staff: the desk offers it to nobody else."""
    CANCELLED = "cancelled"
    """It was booked, and the customer or staff cancelled the booking."""
    NO_SHOW = "no_show"
    """It was booked, and the customer did not come."""


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
    """A check that an entry must pass for a slot. They run in this order."""

    SERVICE = "service"
    PARTY = "party"
    DATE = "date"
    STAFF = "staff"


class OrderBy(StrEnum):
    """A sort key of the list. The entry's id breaks ties."""

    PRIORITY = "priority"
    JOINED = "joined"


class Rules(Frozen):
    """The rules of the business. A slot keeps the rules that were in force when it came free."""

    zone: str = "UTC"
    order: tuple[OrderBy, ...] = (OrderBy.PRIORITY, OrderBy.JOINED)
    checks: tuple[Check, ...] = tuple(Check)
    """The checks that apply. The service is always checked."""
    claim_window: timedelta = timedelta(minutes=10)
    quiet: QuietHours = DEFAULT_QUIET_HOURS
    tries: int = 5
    """The most people to whom one slot is offered."""
    down_fitting: int | None = 0
    """The number of places that a smaller party may leave empty; None allows any number."""
    cut_off: timedelta = timedelta()
    """How long before a slot's start the desk stops making offers."""
    send_tries: int = 3
    """After this many refusals of a message, the person counts as unreachable."""


SAVED_RULES: Final = SavedSetting("wl.rules", Rules, Rules())


class DocumentName(StrEnum):
    """The documents in which staff write rules and wordings."""

    RULES = "rules"
    VOICE = "voice"


class Wish(Frozen):
    """The service, party, dates and staff member that somebody waits for."""

    service: str
    party: int
    earliest_on: date
    latest_on: date
    staff: str = ""
    """Empty for any staff member."""
    priority: bool = False


class Entry(Frozen):
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
    """Each write compares it and raises it by one."""
    no_more: bool = False
    """Is booked, and wants no more offers for any service."""
    consent: str = ""
    """Consent to texts, in the words of its row in the sheet."""
    mail_only: bool = False
    """The customer has not confirmed the person's number, so a stranger may have typed it beside
    their address. Callers use `is_told_by_mail`."""

    def wishing(self, wish: Wish) -> Entry:
        """The entry with another wish."""
        return replace(
            self,
            service=wish.service,
            party=wish.party,
            earliest_on=wish.earliest_on,
            latest_on=wish.latest_on,
            staff=wish.staff,
            priority=wish.priority,
        )

    def is_told_by_mail(self, person: Person) -> bool:
        """Whether messages about it go only to its person's address, never to their number."""
        return self.mail_only and bool(person.email)

    @property
    def wants_no_offers(self) -> bool:
        return self.no_more or self.status is EntryStatus.STOPPED

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


class Opening(Frozen):
    """A time that came free, with its service and staff member."""

    service: str
    starts_at: datetime
    duration: timedelta
    capacity: int
    staff: str = ""
    price_cents: int = 0
    in_room: bool = False
    """Whether `staff` is a room or device, where no staff member serves."""

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + self.duration

    @property
    def resource(self) -> str:
        """The resource that serves one customer at a time: the staff member, or else the service's
        only place. Empty if there are several places."""
        if self.staff.strip():
            return f"staff:{self.staff.strip().casefold()}"
        return f"service:{self.service.strip().casefold()}" if self.capacity == 1 else ""

    def overlaps(self, other: Opening) -> bool:
        """Whether both use the same resource at the same time."""
        return (
            bool(self.resource)
            and self.resource == other.resource
            and self.starts_at < other.ends_at
            and other.starts_at < self.ends_at
        )


class Slot(Frozen):
    """A freed time, with the state of its offers. At most one offer is pending or live."""

    id: SlotId
    origin: str
    """The source's id of what was freed ('webhook:<booking>'). It is unique."""
    opening: Opening
    rules: Rules
    freed_at: datetime
    status: SlotStatus = SlotStatus.OPEN
    offer_seq: int = 0
    """The number of the pending or live offer, or 0."""
    live: bool = False
    offers: int = 0
    """The number of offers that were made."""
    nobody_fits: bool = False
    """Staff know that nobody suits it. It stays open for people who join in time."""
    booked_by: str = ""
    """The entry that has booked it, or had booked it before a cancellation or no-show."""
    closed_at: datetime | None = None
    beside: tuple[SlotId, ...] = ()
    """Slots that overlap it with the consent of staff."""
    not_to: tuple[EntryId, ...] = ()
    """Entries that declined, cancelled or missed this time before."""

    @property
    def is_given(self) -> bool:
        """Whether staff gave it to another person without an offer."""
        return self.origin.startswith(GIVEN)

    @property
    def takes_time(self) -> bool:
        """Whether it is open or booked, so that no other slot can have its resource."""
        return self.status in (SlotStatus.OPEN, SlotStatus.BOOKED)

    @property
    def on(self) -> date:
        """The local day of its start."""
        return to_local_date(self.opening.starts_at, zone(self.rules.zone))

    @property
    def ends_at(self) -> datetime:
        return self.opening.starts_at + self.opening.duration

    @property
    def least_party(self) -> int:
        """The smallest party that can have it."""
        empty = self.rules.down_fitting
        return 1 if empty is None else max(1, self.opening.capacity - empty)

    @property
    def last_at(self) -> datetime:
        """The time at which the desk stops making offers."""
        return self.opening.starts_at - self.rules.cut_off


def in_the_way(
    opening: Opening, slots: Iterable[Slot], besides: Collection[SlotId] = ()
) -> list[Slot]:
    """Open and booked slots that overlap the opening, other than `besides`."""
    return [
        slot
        for slot in slots
        if slot.takes_time and slot.id not in besides and slot.opening.overlaps(opening)
    ]


class Offer(Frozen):
    """A slot held for one entry. Offers are never deleted; ended ones are history."""

    slot_id: SlotId
    seq: int
    entry_id: EntryId
    state: OfferState
    made_at: datetime
    refusals: int = 0
    """The number of times that a channel definitely refused its message."""
    armed_at: datetime | None = None
    claim_by: datetime | None = None
    ended_at: datetime | None = None


class Figures(Frozen):
    """Statistics of the slots that came free in a period."""

    freed: int = 0
    filled: int = 0
    handed_back: int = 0
    offers: int = 0
    seconds_to_fill: int = 0
    """The sum over all filled slots."""
    recovered_cents: int = 0
    """The total price of the filled slots."""

    @property
    def average_to_fill(self) -> timedelta | None:
        return timedelta(seconds=self.seconds_to_fill / self.filled) if self.filled else None


def figures(slots: Iterable[Slot]) -> Figures:
    them = list(slots)
    filled = [one for one in them if one.status is SlotStatus.BOOKED and one.closed_at]
    return Figures(
        freed=len(them),
        filled=len(filled),
        handed_back=sum(one.status is SlotStatus.HANDED_BACK for one in them),
        offers=sum(one.offers for one in them),
        seconds_to_fill=sum(
            int((one.closed_at - one.freed_at).total_seconds()) for one in filled if one.closed_at
        ),
        recovered_cents=sum(one.opening.price_cents for one in filled),
    )
