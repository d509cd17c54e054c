"""The views: rows that each decision sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.people import Person
from frontdesk.desks.waitlist.commands import SeenRow
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
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
    """A person, if known, with their entries for every service."""

    rules: Rules
    person: Person | None
    entries: Sequence[Entry]
    catalogue: Catalogue = Catalogue()
    holds: Slot | None = None
    """The slot that is booked for their entry for this service."""
    signs_in: bool = False
    """Whether they are in the team. Only looked up if a number may be added."""
    consent: ConsentRecord | None = None
    """The consent of the known person; only read if the command states something."""


class EntryView(Frozen):
    rules: Rules
    entry: Entry


class ContactView(Frozen):
    """An entry, and the person whose contact it uses."""

    entry: Entry
    person: Person


class EditView(Frozen):
    """The edited entry with its person, and the person who has the new contact."""

    rules: Rules
    entry: Entry
    person: Person
    entries: Sequence[Entry]
    namesake: Person | None
    """The person who has the new address or number."""
    signs_in: bool = False
    """Whether this person is a team member."""
    catalogue: Catalogue = Catalogue()
    booking: tuple[Slot, Offer] | None = None
    """Their latest booking and its claimed offer; only read if the new name is another person's."""
    others: Sequence[Entry] = ()
    """The entries of `namesake`."""
    consent: ConsentRecord | None = None
    """The consent of the entry's person; only read if the command states something."""


class ApprovalView(ProposalView):
    join: JoinView


class DocumentView(Frozen):
    rules: Rules
    document: Document


class FreedView(Frozen):
    rules: Rules
    known: Slot | None
    """A slot that already has this id or origin."""
    catalogue: Catalogue = Catalogue()
    near: Sequence[Slot] = ()
    """Slots that may overlap it."""


class SlotView(Frozen):
    slot: Slot
    offers: Sequence[Offer]
    """All offers of the slot, in order."""
    candidates: Sequence[Entry]
    """The first entries that suit it, have had no offer of it and can be reached: as many as the
    move needs."""
    passed_over: Sequence[EntryId] = ()
    """Entries before these that cannot be reached at the moment and are not in the slot's story
    yet."""
    passed_over_why: str = ""

    @property
    def current(self) -> Offer | None:
        """The pending or live offer."""
        if not self.slot.offer_seq:
            return None
        return next((one for one in self.offers if one.seq == self.slot.offer_seq), None)


class OfferView(Frozen):
    slot: Slot
    offer: Offer
    entry: Entry


class AgainView(Frozen):
    """A handed-back slot that staff want to offer again."""

    slot: Slot
    offers: Sequence[Offer]
    known: Slot | None
    """The slot as which it was offered again, if it was offered before."""
    rules: Rules
    """The rules in force now."""
    near: Sequence[Slot]


class BookingView(Frozen):
    """A booked slot, with the rows that are needed to offer its time again."""

    slot: Slot
    offer: Offer
    """The offer that was claimed."""
    offers: Sequence[Offer]
    """All offers of the slot."""
    entry: Entry
    has_another: bool
    """Whether they have booked another slot as well."""
    rules: Rules
    """The rules in force now."""
    near: Sequence[Slot]


class ExpiryView(Frozen):
    rules: Rules
    soonest: Sequence[Entry]
    """Waiting entries with the earliest last days."""


class MonthView(Frozen):
    rules: Rules
    month: date
    """The first day of the month."""
    slots: Sequence[Slot]
    """The slots that came free in the month."""
    catalogue: Catalogue


class ListRow(Frozen):
    """An entry with its person, as a row of the list."""

    entry: Entry
    name: str
    email: str
    mobile: str
    is_erased: bool = False

    @property
    def seen(self) -> SeenRow:
        return SeenRow(self.entry.version, self.name, self.email, self.mobile)

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
    def why_fixed(self) -> str:
        if self.entry.status is not EntryStatus.BOOKED:
            return ""
        return (
            "They have taken a slot, so nothing was changed. Correct their name or contact under"
            " People in the console. If somebody else comes instead, cancel the slot on the board."
        )

    @property
    def position(self) -> tuple[datetime, str]:
        return self.entry.joined_at, self.entry.id
