"""Signs and reads guest links and mail addresses of events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import BadLink, ExpiredLink, Keys, Link, read, sign
from frontdesk.desks.rsvp.model import Details, Event, GuestId
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.values import Frozen

#: Manage and ticket links work until this long after the event.
_AFTERWARDS: Final = timedelta(days=1)
_A_YEAR: Final = timedelta(days=365)
_MOST: Final = 2**16


class Purpose(IntEnum):
    """The purpose of a link. Existing numbers must not change."""

    CONFIRM = 1
    """Say yes or no to an invitation, or confirm the address."""
    MANAGE = 2
    """See the status, cancel, reduce the party, fetch the calendar file."""
    OFFER = 3
    """Claim or decline the offered seats."""
    DECLINE = 4
    """Decline the offered seats, nothing else."""
    TICKET = 5
    """Be checked in at the door."""
    UNSUBSCRIBE = 6
    """Stop optional mail."""


class GuestLink(Frozen):
    """The content of a valid link. `seq` is the offer's number, or 0."""

    purpose: Purpose
    guest_id: GuestId
    seq: int = 0


class LinkExpired(Frozen):
    """A link of ours that has expired; the page can still say what it was for."""

    link: GuestLink


class LinkOutdated(Frozen):
    """The guest no longer has the address to which the link went, or the guest is unknown."""


class NotOurs(Frozen):
    """The token is forged, damaged or incomplete."""


GuestLinkRead = GuestLink | LinkExpired | LinkOutdated | NotOurs


class GuestLinks(Frozen):
    """Builds the links of one guest. `nth` gives a repeated mail different tokens."""

    base_url: str
    keys: Keys
    guest_id: GuestId
    contact_version: int
    details: Details
    nth: int = 0

    def confirm(self) -> str:
        return self._url(Purpose.CONFIRM, self.contact_version, self.details.ends_at)

    def manage(self) -> str:
        expires_at = self.details.ends_at + _AFTERWARDS
        return self._url(Purpose.MANAGE, self.contact_version, expires_at)

    def cancel(self) -> str:
        """Returns the manage page's link in a form that asks whether to cancel."""
        return f"{self.manage()}?do=cancel"

    def offer(self, seq: int) -> str:
        """The offer's link. It outlives the offer, so that its page can show the outcome."""
        return self._url(Purpose.OFFER, self._numbered(seq), self.details.ends_at)

    def decline(self, seq: int) -> str:
        return self._url(Purpose.DECLINE, self._numbered(seq), self.details.ends_at)

    def ticket(self) -> str:
        expires_at = self.details.ends_at + _AFTERWARDS
        return self._url(Purpose.TICKET, self.contact_version, expires_at)

    def unsubscribe(self) -> str:
        return self._url(Purpose.UNSUBSCRIBE, self.contact_version, self.details.ends_at + _A_YEAR)

    def _numbered(self, seq: int) -> int:
        assert 0 <= seq < _MOST
        assert 0 <= self.contact_version < _MOST
        return self.contact_version << 16 | seq

    def _url(self, purpose: Purpose, thing: int, expires_at: datetime) -> str:
        expires_at = (expires_at + timedelta(seconds=self.nth)).replace(microsecond=0)
        link = Link(purpose, id_bytes(self.guest_id), thing, expires_at)
        return f"{self.base_url}/l/{sign(link, self.keys)}"


def read_guest_link(
    token: str,
    keys: Keys,
    now: datetime,
    contact_version: Callable[[GuestId], int | None],
) -> GuestLinkRead:
    """Reads a token. `contact_version` looks up the guest's current contact version."""
    try:
        return guest_link(read(token, keys, now), contact_version)
    except ExpiredLink as late:
        return guest_link(late.link, contact_version, expired=True)
    except BadLink:
        return NotOurs()


def guest_link(
    link: Link, contact_version: Callable[[GuestId], int | None], *, expired: bool = False
) -> GuestLinkRead:
    """Interpret a signed link for this desk."""
    if link.purpose not in _PURPOSES:
        return NotOurs()
    said = _guest_link(link)
    if contact_version(said.guest_id) != _version_in(link):
        return LinkOutdated()
    return LinkExpired(said) if expired else said


_PURPOSES: Final = frozenset(Purpose)
_NUMBERED: Final = frozenset({Purpose.OFFER, Purpose.DECLINE})


def _guest_link(link: Link) -> GuestLink:
    purpose = Purpose(link.purpose)
    seq = link.thing % _MOST if purpose in _NUMBERED else 0
    return GuestLink(purpose, GuestId(new_id(link.subject)), seq)


def _version_in(link: Link) -> int:
    return link.thing >> 16 if link.purpose in _NUMBERED else link.thing


def event_addressed(ev: RsvpReads, recipient: str, mail_domain: str) -> Event | None:
    """Returns the event whose slug is the local part of `recipient`, ignoring a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    if domain != mail_domain.lower():
        return None
    return ev.event_by_slug(local.partition("+")[0])
