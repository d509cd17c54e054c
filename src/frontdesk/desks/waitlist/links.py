"""The links that the waitlist desk hands out: one entry, one purpose each, until they expire."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import Keys, Link, sign_short
from frontdesk.desks.waitlist.model import Entry, EntryId, Offer, Slot, SlotId
from frontdesk.values import Frozen

#: What became of an offer, or of a place on the list, can still be seen for a while.
_AFTERWARDS: Final = timedelta(days=30)
_A_YEAR: Final = timedelta(days=365)
_MOST: Final = 2**16


class Purpose(IntEnum):
    """A number, once given, keeps its meaning. Those of the waitlist begin at 50."""

    OFFER = 50
    """See an offer, claim it or pass it on."""
    DECLINE = 51
    """The same, with the button to pass it on first."""
    PLACE = 52
    """See one's place, change one's dates, leave."""
    STOP = 53
    """Get no offers any more."""


class OfferLink(Frozen):
    purpose: Purpose
    slot_id: SlotId
    seq: int
    version: int
    """Of the contact that it was sent to."""


class EntryLink(Frozen):
    purpose: Purpose
    entry_id: EntryId
    version: int


class WaitlistLinks(Frozen):
    """Writes links. `version` is that of the contact: another one kills them."""

    base_url: str
    keys: Callable[[], Keys]

    def offer(self, slot: Slot, offer: Offer, version: int) -> str:
        return self._about_offer(Purpose.OFFER, slot, offer, version)

    def decline(self, slot: Slot, offer: Offer, version: int) -> str:
        return self._about_offer(Purpose.DECLINE, slot, offer, version)

    def place(self, entry: Entry, version: int, since: datetime) -> str:
        """Good for a year. A message that is repeated has the same one."""
        return self._about_entry(Purpose.PLACE, entry, version, since + _A_YEAR)

    def stop(self, entry: Entry, version: int, since: datetime) -> str:
        return self._about_entry(Purpose.STOP, entry, version, since + _A_YEAR)

    def _about_offer(self, purpose: Purpose, slot: Slot, offer: Offer, version: int) -> str:
        """Outlives the offer, so that its page can say what became of it."""
        assert offer.seq < _MOST
        assert version < _MOST
        thing = version << 16 | offer.seq
        return self._url(purpose, slot.id, thing, slot.opening.starts_at + _AFTERWARDS)

    def _about_entry(self, purpose: Purpose, entry: Entry, version: int, until: datetime) -> str:
        return self._url(purpose, entry.id, version, until)

    def _url(self, purpose: Purpose, subject: str, thing: int, until: datetime) -> str:
        link = Link(purpose, id_bytes(subject), thing, until.replace(microsecond=0))
        return f"{self.base_url}/l/{sign_short(link, self.keys())}"


def understood(link: Link) -> OfferLink | EntryLink:
    """Converts a verified link to the offer or entry that it names."""
    purpose, subject = Purpose(link.purpose), new_id(link.subject)
    if purpose in (Purpose.OFFER, Purpose.DECLINE):
        version, seq = divmod(link.thing, _MOST)
        return OfferLink(purpose, SlotId(subject), seq, version)
    return EntryLink(purpose, EntryId(subject), link.thing)
