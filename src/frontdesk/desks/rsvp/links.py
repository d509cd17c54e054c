"""The links that the RSVP desk hands out: one guest, one purpose each, until they expire."""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import BadLink, ExpiredLink, Keys, Link, read, sign
from frontdesk.desks.rsvp.model import Details, GuestId
from frontdesk.values import Frozen

#: Something of the event can still be seen on the day after.
_AFTERWARDS: Final = timedelta(days=1)
_A_YEAR: Final = timedelta(days=365)
_MOST: Final = 2**16


class Purpose(IntEnum):
    """What a link lets its holder do. A number, once given, keeps its meaning."""

    CONFIRM = 1
    """Say yes or no to an invitation, or confirm the address."""
    MANAGE = 2
    """See where one stands, cancel, come with fewer, fetch the calendar file."""
    OFFER = 3
    """Take the seats on offer, or pass them on."""
    DECLINE = 4
    """Pass the seats on offer on, nothing else."""
    TICKET = 5
    """Be checked in at the door."""
    UNSUBSCRIBE = 6
    """Get nothing more that was not asked for."""


class GuestLink(Frozen):
    """What a good link says. `seq` is the offer's number, where there is one."""

    purpose: Purpose
    guest_id: GuestId
    seq: int = 0


class LinkExpired(Frozen):
    """Ours, but too late; the page can still say what it was for."""

    link: GuestLink


class LinkOutdated(Frozen):
    """Sent to an address that is no longer the guest's, or about a guest we no longer know."""


class NotOurs(Frozen):
    """Forged, garbled or cut short."""


GuestLinkRead = GuestLink | LinkExpired | LinkOutdated | NotOurs


class GuestLinks(Frozen):
    """Writes the links of one guest. A `nth` copy has other tokens than the one before."""

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
        """The same page, asking whether to cancel."""
        return f"{self.manage()}?do=cancel"

    def offer(self, seq: int) -> str:
        """Outlives the offer, so that its page can say that it has passed on."""
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
    """What a token means now. `contact_version` is asked for the guest's present one."""
    try:
        return understood(read(token, keys, now), contact_version)
    except ExpiredLink as late:
        return understood(late.link, contact_version, expired=True)
    except BadLink:
        return NotOurs()


def understood(
    link: Link, contact_version: Callable[[GuestId], int | None], *, expired: bool = False
) -> GuestLinkRead:
    """What a link that we signed means to this desk."""
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
