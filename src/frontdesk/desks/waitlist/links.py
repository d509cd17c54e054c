"""Signed links of the waitlist desk: one entry or offer and one purpose each, with an expiry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import Keys, Link, sign_short
from frontdesk.desks.waitlist.model import Entry, EntryId, Offer, Slot, SlotId
from frontdesk.values import Frozen

#: How long an offer's link stays valid after the slot's start, so that its page can show the
#: outcome.
_AFTERWARDS: Final = timedelta(days=30)
_A_YEAR: Final = timedelta(days=365)
_MOST: Final = 2**16


class Purpose(IntEnum):
    """Purposes of links. Never reuse a number; the waitlist's begin at 50."""

    OFFER = 50
    """Shows an offer, to claim or decline."""
    DECLINE = 51
    """Shows an offer with the decline button first."""
    PLACE = 52
    """Shows their place in line, to change dates or leave."""
    STOP = 53
    """Stops all offers."""


class OfferLink(Frozen):
    purpose: Purpose
    slot_id: SlotId
    seq: int
    version: int
    """The version of the contact that it was sent to."""


class EntryLink(Frozen):
    purpose: Purpose
    entry_id: EntryId
    version: int


class WaitlistLinks(Frozen):
    """Creates links. `version` is that of the contact: a change of the contact makes earlier links
    invalid."""

    base_url: str
    keys: Callable[[], Keys]

    def offer(self, slot: Slot, offer: Offer, version: int) -> str:
        return self._about_offer(Purpose.OFFER, slot, offer, version)

    def decline(self, slot: Slot, offer: Offer, version: int) -> str:
        return self._about_offer(Purpose.DECLINE, slot, offer, version)

    def place(self, entry: Entry, version: int, since: datetime) -> str:
        """The link to their place, valid for a year. The same message always contains the same
        link."""
        return self._about_entry(Purpose.PLACE, entry, version, since + _A_YEAR)

    def stop(self, entry: Entry, version: int, since: datetime) -> str:
        return self._about_entry(Purpose.STOP, entry, version, since + _A_YEAR)

    def _about_offer(self, purpose: Purpose, slot: Slot, offer: Offer, version: int) -> str:
        """A link that outlives the offer, so that its page can show the outcome."""
        assert offer.seq < _MOST
        assert version < _MOST
        thing = version << 16 | offer.seq
        return self._url(purpose, slot.id, thing, slot.opening.starts_at + _AFTERWARDS)

    def _about_entry(self, purpose: Purpose, entry: Entry, version: int, until: datetime) -> str:
        return self._url(purpose, entry.id, version, until)

    def _url(self, purpose: Purpose, subject: str, thing: int, until: datetime) -> str:
        link = Link(purpose, id_bytes(subject), thing, until.replace(microsecond=0))
        return f"{self.base_url}/l/{sign_short(link, self.keys())}"


def waitlist_link(link: Link) -> OfferLink | EntryLink:
    """Converts a verified link to the offer or entry that it names."""
    purpose, subject = Purpose(link.purpose), new_id(link.subject)
    if purpose in (Purpose.OFFER, Purpose.DECLINE):
        version, seq = divmod(link.thing, _MOST)
        return OfferLink(purpose, SlotId(subject), seq, version)
    return EntryLink(purpose, EntryId(subject), link.thing)
