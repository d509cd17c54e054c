"""The views: rows that each decision sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from frontdesk.core.people import Person
from frontdesk.desks.waitlist.commands import Seen
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryStatus,
    Offer,
    Rules,
    Slot,
)
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.documents.model import Document
from frontdesk.features.proposals.model import ProposalView
from frontdesk.values import Frozen


class JoinView(Frozen):
    """Somebody wants on the list: who they are if known, and their entries for any service."""

    rules: Rules
    person: Person | None
    entries: Sequence[Entry]
    catalogue: Catalogue = Catalogue()
    holds: Slot | None = None
    """The slot that is booked for their entry for this service."""
    signs_in: bool = False
    """Whether they are in the team. Only looked up where a number could be added."""


class EntryView(Frozen):
    rules: Rules
    entry: Entry


class EditView(Frozen):
    """A row that staff wrote: whose it is, what else they wait for, who has that address."""

    rules: Rules
    entry: Entry
    person: Person
    entries: Sequence[Entry]
    namesake: Person | None
    """The person who has the new address or number."""
    signs_in: bool = False
    """This person is of the team."""
    catalogue: Catalogue = Catalogue()
    booking: tuple[Slot, Offer] | None = None
    """Their slot that is still to come, and the offer that they claimed."""
    others: Sequence[Entry] = ()
    """The entries of the person who has the new address or number."""


class ApprovalView(ProposalView):
    join: JoinView


class DocumentView(Frozen):
    rules: Rules
    document: Document


class FreedView(Frozen):
    rules: Rules
    known: Slot | None
    """The slot of this id or origin, if we were told of it before."""
    catalogue: Catalogue = Catalogue()
    near: Sequence[Slot] = ()
    """All that may overlap it."""


class SlotView(Frozen):
    slot: Slot
    offers: Sequence[Offer]
    """All that were made, in order."""
    candidates: Sequence[Entry]
    """The first of those who suit it and have not had it: as many as the move looks at."""

    @property
    def current(self) -> Offer | None:
        """The one that is pending or live."""
        return next((one for one in self.offers if one.seq == self.slot.offer_seq), None)


class OfferView(Frozen):
    slot: Slot
    offer: Offer
    entry: Entry


class AgainView(Frozen):
    """A slot that is to be offered once more."""

    slot: Slot
    offers: Sequence[Offer]
    known: Slot | None
    """The slot that it was offered as again, if it was."""
    rules: Rules
    """Those in force now."""
    near: Sequence[Slot]


class BookingView(Frozen):
    """A slot that was booked, and what is needed to offer its time again."""

    slot: Slot
    offer: Offer
    """The one that was claimed."""
    offers: Sequence[Offer]
    """All that were made."""
    entry: Entry
    has_another: bool
    """They have booked another slot as well."""
    rules: Rules
    """Those in force now."""
    near: Sequence[Slot]


class HouseView(Frozen):
    rules: Rules
    soonest: Sequence[Entry]
    """Those waiting whose latest date comes, or came, first."""


class MonthView(Frozen):
    rules: Rules
    month: date
    """Its first day."""
    slots: Sequence[Slot]
    """Those that came free in it."""
    catalogue: Catalogue


class ListRow(Frozen):
    """An entry as staff see it, with its person."""

    entry: Entry
    name: str
    email: str
    mobile: str
    is_erased: bool = False

    @property
    def seen(self) -> Seen:
        return Seen(self.entry.version, self.name, self.email, self.mobile)

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def person_id(self) -> str:
        return self.entry.person_id

    @property
    def topic(self) -> str:
        return self.entry.service

    @property
    def is_listed(self) -> bool:
        return self.entry.status is EntryStatus.WAITING

    @property
    def can_return(self) -> bool:
        return not self.entry.wants_no_offers

    @property
    def position(self) -> tuple[datetime, str]:
        return self.entry.joined_at, self.entry.id
