"""The reads of the waitlist desk: rows for decisions, and rows for display."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.desks.waitlist.model import (
    SAVED_RULES,
    DocumentName,
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    Rules,
    Slot,
    SlotId,
)
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import DeskReads, Recorded
from frontdesk.features.calendars.state import CalendarState, calendar_setting
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue
from frontdesk.features.documents.model import Document, saved_document
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus
from frontdesk.features.sheet_sync.model import SheetReads


class WaitlistSettings(SettingReads, Protocol):
    """The saved settings of the desk. Each store's reads inherit these."""

    def rules(self) -> Rules:
        """The rules in force: the last good ones."""
        return self.setting(SAVED_RULES)

    def catalogue(self) -> Catalogue:
        return self.setting(CATALOGUE)

    def document(self, name: DocumentName) -> Document:
        return self.setting(saved_document("wl", name))

    def calendar(self) -> CalendarState:
        return self.setting(calendar_setting("wl"))


class WaitlistReads(WaitlistSettings, DeskReads, Protocol):
    """Reads of the desk. Decisions use rows; counts are only for display."""

    @property
    def sheet(self) -> SheetReads:
        """The versions and the sync state of the sheet."""

    # To decide
    def proposal(self, proposal_id: ProposalId) -> Proposal | None: ...
    def slot(self, slot_id: SlotId) -> Slot | None: ...
    def slot_by_origin(self, origin: str) -> Slot | None: ...
    def offer(self, slot_id: SlotId, seq: int) -> Offer | None: ...
    def offers(self, slot_id: SlotId) -> Sequence[Offer]:
        """All offers of a slot, in order."""

    def entry(self, entry_id: EntryId) -> Entry | None: ...
    def entries_of(self, person_id: PersonId) -> Sequence[Entry]:
        """The person's entries for every service, in every state."""

    def candidates(self, slot: Slot, limit: int) -> Sequence[Entry]:
        """The first entries, in the order of the slot's rules, that suit it and have had no offer
        of it."""

    def open_offers(self, entry_id: EntryId) -> Sequence[Offer]:
        """The entry's pending and live offers."""

    def bookings(self, entry_id: EntryId) -> Sequence[Slot]:
        """Slots that this entry has booked, by their start."""

    def idle_slots(self, service: str, limit: int) -> Sequence[SlotId]:
        """Open slots of a service that nobody has an offer for, by their start."""

    def open_slots(self, limit: int) -> Sequence[SlotId]:
        """Open slots by their start."""

    def soonest_to_expire(self, limit: int) -> Sequence[Entry]:
        """Waiting entries by their latest date."""

    def services_waited_for(self, limit: int) -> Sequence[str]:
        """The services of waiting entries, each once, in order. Reads one row for each service."""

    def count_waiting(self, service: str) -> int:
        """Counts the waiting entries of a service."""

    # To show
    def ahead(self, slot: Slot, entry: Entry) -> int:
        """Counts the entries before this one that suit the slot and have had no offer of it."""

    def slots(self, limit: int) -> Sequence[Slot]:
        """All slots, the most recently freed first."""

    def entries(
        self, *, status: EntryStatus | None = None, limit: int = 100, after: str = ""
    ) -> Sequence[Entry]:
        """Entries by id, after the id `after`."""

    def slots_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        """Slots that start in this period, by their start."""

    def freed_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        """Slots that came free in this period, in the order in which they did."""

    def proposals(self, status: ProposalStatus, limit: int) -> Sequence[Proposal]:
        """Proposals, the newest first."""

    def list_rows(self) -> Sequence[ListRow]:
        """Every entry, in any state, with its person."""

    def facts_between(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        """The facts of this desk in this period, in order, after the number `after`. The newest
        facts may be missing for a moment."""

    def people_of(self, entry_ids: Collection[EntryId]) -> Mapping[EntryId, Person]:
        """The person of each entry."""
