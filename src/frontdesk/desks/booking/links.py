"""Signed links of the booking desk: bookings, held times and unlisted services."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import BadLink, Keys, Link, read, sign, sign_short
from frontdesk.desks.booking.model import Booking, BookingId, BookingRequest, HoldId, RequestId
from frontdesk.values import Frozen

#: A booking can be moved to a later time, and the links of its first message must still work.
_AFTERWARDS: Final = timedelta(days=365)
#: A private link may be on a flyer or in a mail of the business, so it does not expire.
_NO_END: Final = datetime(2100, 1, 1, tzinfo=UTC)
_SUBJECT_BYTES: Final = 16
#: 32 bits have room for these beside the minutes since 1970, which need 25.
_VERSION_BITS: Final = 6


class Purpose(IntEnum):
    """Purposes of links. Never change or reuse a number; the booking desk's begin at 70."""

    MANAGE = 70
    """Shows a booking, to move or cancel it."""
    HOLD = 71
    """Names the hold of a time while its form is filled in. Only that form has it."""
    SERVICE = 72
    """Opens the booking page of an unlisted service."""
    PROPOSAL = 73
    """Shows a proposed time of a request, to book it with one press."""
    MADE = 74
    """Names the booking that a browser has just made. Only its cookie has it; it opens no page."""
    FEED = 79
    """Reads the bookings of one staff member as a calendar file."""


class BookingLink(Frozen):
    booking_id: BookingId
    version: int
    """The version of the contact that it was sent to."""


class BookingLinks(Frozen):
    """Creates links. `version` is that of the contact: a link to an older contact is invalid."""

    base_url: str
    keys: Callable[[], Keys]

    def manage(self, booking: Booking, version: int) -> str:
        """The link stays the same until the booking is moved."""
        expires_at = (booking.ends_at + _AFTERWARDS).replace(microsecond=0)
        link = Link(Purpose.MANAGE, bytes.fromhex(booking.id), version, expires_at)
        return f"{self.base_url}/l/{sign_short(link, self.keys())}"

    def move(self, booking: Booking, version: int) -> str:
        return f"{self.manage(booking, version)}?do=move"

    def cancel(self, booking: Booking, version: int) -> str:
        """A link to the page that asks whether to cancel."""
        return f"{self.manage(booking, version)}?do=cancel"


def new_booking_token(booking: Booking, version: int, until: datetime, keys: Keys) -> str:
    """The token of the cookie that names a new booking. It opens no page: anybody can type somebody
    else's contact."""
    return sign(Link(Purpose.MADE, bytes.fromhex(booking.id), version, until), keys)


def read_new_booking(token: str, keys: Keys, now: datetime) -> BookingLink | None:
    link = _read(token, Purpose.MADE, keys, now)
    return None if link is None else _booking_in(link)


class ProposalLink(Frozen):
    request_id: RequestId
    starts_at: datetime
    version: int
    """The version of the contact that it was sent to, in its lowest bits."""


class ProposalLinks(Frozen):
    base_url: str
    keys: Callable[[], Keys]

    def time(self, request: BookingRequest, starts_at: datetime, version: int) -> str:
        """A link that opens one proposed time. It is valid until the time has passed."""
        minute = int(starts_at.timestamp()) // 60
        thing = minute << _VERSION_BITS | version % (1 << _VERSION_BITS)
        expires_at = starts_at.replace(microsecond=0)
        link = Link(Purpose.PROPOSAL, id_bytes(request.id), thing, expires_at)
        return f"{self.base_url}/l/{sign(link, self.keys())}"


def understood_proposal(link: Link) -> ProposalLink:
    """Returns the request and the time that a verified link names."""
    assert link.purpose == Purpose.PROPOSAL
    minute, version = divmod(link.thing, 1 << _VERSION_BITS)
    starts_at = datetime.fromtimestamp(minute * 60, UTC)
    return ProposalLink(RequestId(new_id(link.subject)), starts_at, version)


def read_proposal(token: str, keys: Keys, now: datetime) -> ProposalLink | None:
    """Reads a token that we signed; None if it is another text, or the time has passed."""
    link = _read(token, Purpose.PROPOSAL, keys, now)
    return None if link is None else understood_proposal(link)


def is_version(link: ProposalLink, contact_version: int) -> bool:
    return link.version == contact_version % (1 << _VERSION_BITS)


def understood(link: Link) -> BookingLink:
    """Returns the booking that a verified link names, and the version of its contact."""
    assert link.purpose == Purpose.MANAGE
    return _booking_in(link)


def _booking_in(link: Link) -> BookingLink:
    return BookingLink(BookingId(link.subject.hex()), link.thing)


# --- holds ------------------------------------------------------------------------------------


class HeldTime(Frozen):
    """The hold that a form names."""

    hold_id: HoldId
    starts_at: datetime
    until: datetime


def hold_token(held: HeldTime, keys: Keys) -> str:
    minute = int(held.starts_at.timestamp()) // 60
    link = Link(Purpose.HOLD, id_bytes(held.hold_id), minute, held.until.replace(microsecond=0))
    return sign(link, keys)


def read_hold(token: str, keys: Keys, now: datetime) -> HeldTime | None:
    """Reads a token that we signed; None if it is another text, or the hold has ended."""
    link = _read(token, Purpose.HOLD, keys, now)
    if link is None:
        return None
    starts_at = datetime.fromtimestamp(link.thing * 60, UTC)
    return HeldTime(HoldId(new_id(link.subject)), starts_at, link.expires_at)


# --- unlisted services ------------------------------------------------------------------------


def service_key(service: str, keys: Keys) -> str:
    """The key of the private link of a service: `/book/<service>?key=…`."""
    return sign(Link(Purpose.SERVICE, _subject(service), 0, _NO_END), keys)


def opens_service(key: str, service: str, keys: Keys, now: datetime) -> bool:
    link = _read(key, Purpose.SERVICE, keys, now)
    return link is not None and link.subject == _subject(service)


def _subject(service: str) -> bytes:
    return hashlib.sha256(service.casefold().encode()).digest()[:_SUBJECT_BYTES]


# --- feeds ------------------------------------------------------------------------------------


def feed_token(resource: str, version: int, keys: Keys) -> str:
    """The secret part of a feed's address. Another version makes the old address invalid."""
    return sign(Link(Purpose.FEED, _subject(resource), version, _NO_END), keys)


def opens_feed(token: str, resource: str, version: int, keys: Keys, now: datetime) -> bool:
    link = _read(token, Purpose.FEED, keys, now)
    return link is not None and (link.subject, link.thing) == (_subject(resource), version)


def _read(token: str, purpose: Purpose, keys: Keys, now: datetime) -> Link | None:
    """Reads a token; None unless we signed it for this purpose and it is still valid."""
    try:
        link = read(token, keys, now)
    except BadLink:
        return None
    return link if link.purpose == purpose else None
