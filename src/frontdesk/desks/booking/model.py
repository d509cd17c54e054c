"""The rows of the booking desk: bookings, requests and tallies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Final, NewType

from frontdesk.core.ids import id_bytes
from frontdesk.core.mail import NO_MAIL, MailId
from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.desks.booking.rules import BookingRules, ResourceId, ServiceRules
from frontdesk.desks.booking.ticks import HolderKind, Span, span_of
from frontdesk.values import Frozen, field, replace

BookingId = NewType("BookingId", str)
"""32 hex digits: calendars use it in the ids of their events."""
RequestId = NewType("RequestId", str)
NO_REQUEST: Final = RequestId("")
HoldId = NewType("HoldId", str)
"""One for each visitor of the page: a visitor holds one time at most."""
HandoverId = NewType("HandoverId", str)

CODE: Final = "bk"
SAVED_RULES: Final = SavedSetting("bk.rules", BookingRules, BookingRules())
#: The longest span of a booking, with its buffers. A move writes the hours of both spans.
LONGEST_SPAN: Final = timedelta(hours=16)
MOST_RESOURCES: Final = 3


def feed_setting(resource: str) -> SavedSetting[int]:
    """The version of the address of a staff member's calendar file. Another one ends it."""
    return SavedSetting(f"bk.feed.{resource}", int, 1)


def booking_id(any_id: str) -> BookingId:
    """Converts an id of the product to the form that calendars accept."""
    return BookingId(id_bytes(any_id).hex())


class Lane(StrEnum):
    """The way in which a request or a booking came."""

    FORM = "form"
    """Complete, so that nothing has to be read."""
    READING = "reading"
    """Free text by mail, or a form with only a note."""
    DIRECT = "direct"
    """From a sender on the allowlist: forwarded to the owner, unread."""
    STAFF = "staff"
    WAITLIST = "waitlist"
    """An offer of the waitlist desk that was claimed."""


class BookingStatus(StrEnum):
    PENDING = "pending"
    """Waits for approval by staff. It holds its time."""
    CLAIMED = "claimed"
    """Has its time; its calendars are read once more and written before it is confirmed."""
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    DECLINED = "declined"
    """Staff did not approve it."""
    LAPSED = "lapsed"
    """Nobody approved it in time."""
    RELEASED = "released"
    """A calendar was busy after all, or refused the event, before it was confirmed."""
    NO_SHOW = "no_show"


#: A booking in one of these states has its ticks.
TAKES_TIME: Final = frozenset(
    (BookingStatus.PENDING, BookingStatus.CLAIMED, BookingStatus.CONFIRMED)
)


class CalendarLink(Frozen):
    """The event of a booking in one calendar."""

    calendar: str
    """The name of the connected calendar."""
    event_id: str = ""
    generation: int = 0
    """Increases when the id of a deleted event cannot be used again."""
    written_sequence: int = -1
    """The sequence of the booking that the calendar has; -1 before the first write."""


class Booking(Frozen):
    """An appointment. Name and contact are those that were given for this booking."""

    id: BookingId
    person_id: PersonId
    service: str
    party: int
    starts_at: datetime
    ends_at: datetime
    resources: tuple[ResourceId, ...]
    """One for each need of the service, in the order of the needs."""
    places: tuple[int, ...]
    """The number of places that it takes of each resource."""
    capacities: tuple[int, ...]
    """The number of places that each resource had when it was claimed."""
    lane: Lane
    booked_at: datetime
    local_on: date
    """The local day of its start, by which caps count it."""
    status: BookingStatus = BookingStatus.CONFIRMED
    buffer_before: timedelta = timedelta()
    buffer_after: timedelta = timedelta()
    price_cents: int = 0
    name: str = ""
    email: str = ""
    mobile: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    """The answers to the service's questions. They are in no calendar and no .ics file."""
    note: str = ""
    """Staff's own note."""
    anyone: bool = False
    """Whether the customer had no wish who serves them."""
    why_resource: str = ""
    """Why 'anyone' became this resource."""
    overrides: tuple[str, ...] = ()
    """The rules that staff knowingly broke: 'overbooked', 'outside hours'."""
    sequence: int = 0
    """Increases with each move and with the cancellation; the .ics files carry it."""
    moves: int = 0
    """How often the customer moved it."""
    decide_by: datetime | None = None
    """The end of a pending booking."""
    reminders: tuple[int, ...] = ()
    """The reminders that have timers, as seconds before the start."""
    calendars: tuple[CalendarLink, ...] = ()
    calendar_tries: int = 0
    """How often writing its calendars failed since it last worked."""
    request_id: RequestId = RequestId("")
    waitlist_slot: str = ""
    """The slot of the waitlist desk whose offer became this booking."""
    closed_at: datetime | None = None
    version: int = 1
    """Each write compares it and raises it by one."""

    @property
    def holder(self) -> str:
        """The holder of its cells."""
        return f"{HolderKind.BOOKING.value}:{self.id}"

    def wished_resource(self, service: ServiceRules) -> ResourceId:
        """The customer's choice, if the service still has it; empty for anyone."""
        first = self.resources[0] if self.resources and service.needs else ResourceId("")
        return first if not self.anyone and first in service.needs[0].anyone_of else ResourceId("")

    def is_told_by_text(self, mobile: str) -> bool:
        """Whether texts about the booking may go to this number of the customer: only if it was
        given for this booking, or there is no address. A stranger may have typed the number that is
        known beside an address."""
        return not self.email or self.mobile == mobile

    @property
    def is_by_form(self) -> bool:
        """Whether it was made with the form, where anybody can type any contact, and was not moved
        since. Any other booking came through a link or message that only the customer got."""
        is_given = self.request_id in ("", self.id)
        return self.lane is Lane.FORM and is_given and not self.moves

    @property
    def without_person(self) -> Booking:
        """Without anything personal but the person's id, as facts have it."""
        return replace(self, name="", email="", mobile="", answers={}, note="")

    @property
    def span(self) -> Span:
        """The ticks that it claims, with its buffers."""
        return span_of(self.starts_at, self.ends_at, self.buffer_before, self.buffer_after)

    @property
    def takes_time(self) -> bool:
        return self.status in TAKES_TIME


class Hold(Frozen):
    """A time that is held while a visitor fills in the form, or while it is proposed to a customer.
    It ends by itself at `until`."""

    id: HoldId
    service: str
    starts_at: datetime
    resources: tuple[ResourceId, ...]
    span: Span
    until: datetime
    version: int = 1

    @property
    def holder(self) -> str:
        return f"{HolderKind.HOLD.value}:{self.id}:{int(self.until.timestamp())}"


def rules_with_holds(
    rules: BookingRules, holds: Iterable[Hold], service: ServiceRules, at: datetime, now: datetime
) -> BookingRules:
    """The rules for a visitor with these holds: the notice does not apply to a held time."""
    is_late = at < now + service.notice
    if is_late and any(
        (one.service, one.starts_at) == (service.name, at) and now < one.until for one in holds
    ):
        return rules.without_notice(service.name)
    return rules


def proposal_hold_id(request_id: RequestId, place: int) -> HoldId:
    """The id of the hold of a proposed time, by its place in the list of the request."""
    return HoldId(f"{request_id}-{place}")


class HandoverStatus(StrEnum):
    OPEN = "open"
    """The waitlist desk offers the time."""
    BOOKED = "booked"
    RELEASED = "released"


def handover_id(origin: str) -> HandoverId:
    """The id of the handover for a slot of the waitlist desk with this origin."""
    prefix, _, rest = origin.partition(":")
    if prefix == HolderKind.BOOKING.value:
        return HandoverId(rest)
    return HandoverId(blake2b(origin.encode(), digest_size=16).hexdigest())


class Handover(Frozen):
    """A time that is held for the waitlist desk: freed by a booking, or found by that desk."""

    id: HandoverId
    origin: str
    """The origin of the waitlist's slot."""
    service: str
    starts_at: datetime
    ends_at: datetime
    resources: tuple[ResourceId, ...]
    places: tuple[int, ...]
    span: Span
    handed_at: datetime
    price_cents: int = 0
    status: HandoverStatus = HandoverStatus.OPEN
    booking_id: BookingId = BookingId("")
    """The booking that it became."""
    closed_at: datetime | None = None
    version: int = 1

    @property
    def holder(self) -> str:
        return f"{HolderKind.HANDOVER.value}:{self.id}"


class Tally(Frozen):
    """Counts the bookings that take time, for caps and for the choice of 'anyone'.

    `scope` is 'business', 'service:<name>', 'resource:<id>' or 'person:<id>'; `period` is a local
    day ('2026-11-20') or week ('2026-W47'), or 'all' for a resource or person.
    """

    scope: str
    period: str
    bookings: int = 0
    minutes: int = 0
    last_at: datetime | None = None
    """The instant at which the last booking was made."""


class RequestStatus(StrEnum):
    OPEN = "open"
    """Times are proposed, and nothing is chosen yet."""
    DRAFT = "draft"
    """Staff check how it was read."""
    BOOKED = "booked"
    FORWARDED = "forwarded"
    WAITLISTED = "waitlisted"
    DISCARDED = "discarded"


#: A request in one of these states still needs an answer.
UNSETTLED: Final = frozenset((RequestStatus.OPEN, RequestStatus.DRAFT))


class GivenBy(StrEnum):
    """The form in which all values of a request were given, instead of read from text."""

    FORM = "form"
    JSON = "json"
    CONSOLE = "console"
    COMMAND_LINE = "command line"


#: The confidence of a value that was given.
CERTAIN: Final = "confident"


class RequestField(Frozen):
    """One field of a request as it was read or given."""

    name: str
    value: str
    confidence: str
    words: str = ""


#: The fields that say nothing about the customer.
_IMPERSONAL: Final = frozenset(("service", "staff", "resource", "party", "when", "wish", "check"))


class ProposedTime(Frozen):
    service: str
    starts_at: datetime
    resource: ResourceId = ResourceId("")
    """Empty: anyone."""


class BookingRequest(Frozen):
    """The record of a request: how it came, how it was read, what was proposed and chosen."""

    id: RequestId
    lane: Lane
    received_at: datetime
    status: RequestStatus = RequestStatus.OPEN
    person_id: PersonId = PersonId("")
    mail_id: MailId = NO_MAIL
    """The latest mail of the customer about it."""
    sender: str = ""
    text: str = ""
    fields: tuple[RequestField, ...] = ()
    reader: str = ""
    """'rules' or 'model', or a value of `GivenBy` if nothing had to be read."""
    proposed: tuple[ProposedTime, ...] = ()
    chosen: ProposedTime | None = None
    booking_id: BookingId = BookingId("")
    settled_at: datetime | None = None
    version: int = 1

    @property
    def without_person(self) -> BookingRequest:
        """Without anything personal but the person's id, as facts have it."""
        kept = tuple(replace(one, words="") for one in self.fields if one.name in _IMPERSONAL)
        return replace(self, sender="", text="", fields=kept)
