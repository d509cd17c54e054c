"""Runs the commands that free slots, for every entry point, after reading the latest documents."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, Protocol

from frontdesk.core.decision import Command, Refused
from frontdesk.desks.waitlist import commands, rules_doc
from frontdesk.desks.waitlist.decide.documents import DOCUMENTS
from frontdesk.desks.waitlist.decide.moves import again_origin, still_free, with_catalogue_names
from frontdesk.desks.waitlist.load import slots_near, waitlist
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import (
    DocumentName,
    EntryId,
    Opening,
    Slot,
    SlotId,
    in_the_way,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.features.documents.sync import DocumentDesk, Documents
from frontdesk.values import Frozen
from frontdesk.web.shared_objects import SharedKey

if TYPE_CHECKING:
    from frontdesk.web.site import Site


class HeldTimes(Protocol):
    """Holds the time of a slot if another desk offers the same time."""

    def hold(self, origin: str, opening: Opening, *, by: str) -> bool:
        """Holds the time. Returns False if somebody has it already."""

    def settle(self, origin: str, *, by: str) -> None:
        """Releases the time if there is no slot for it."""


class SlotIntake(Frozen):
    engine: Engine
    clock: Clock
    documents: Documents
    zone: Callable[[Reads], str]
    """The time zone of the business."""
    times: HeldTimes | None = None

    def free(
        self,
        origin: str,
        opening: Opening,
        *,
        by: str,
        beside: Collection[SlotId] = (),
        rest: bool = False,
    ) -> Outcome:
        """Frees a slot. Reads the documents first, so that the latest rules of staff apply."""
        self.documents.take_edits()
        command = commands.FreeSlot(
            SlotId(self.engine.new_id()), origin, opening, tuple(beside), rest
        )
        return self._run_held(command, origin, opening, by)

    def free_again(self, slot: Slot, *, by: str) -> Outcome:
        """Offers a handed-back slot again."""
        self.documents.take_edits()
        command = commands.OfferAgain(slot.id, SlotId(self.engine.new_id()))
        opening = still_free(slot.opening, slot.rules, self.clock.now())
        return self._run_held(command, again_origin(slot.id), opening or slot.opening, by)

    def _run_held(self, command: Command, origin: str, opening: Opening, by: str) -> Outcome:
        """Runs the command while the booking desk keeps the time free."""
        if self.times is not None and not self.times.hold(origin, opening, by=by):
            return Refused(Reason.TAKEN)
        outcome = self.engine.run(command, by=by, now=self.clock.now())
        if self.times is not None and isinstance(outcome, Refused):
            self.times.settle(origin, by=by)
        return outcome

    def cancel(
        self,
        slot: Slot,
        *,
        by: str,
        by_staff: bool,
        stay: bool = False,
        offer: bool = True,
    ) -> Outcome:
        """Cancels the booking of the slot."""
        self.documents.take_edits()
        command = commands.CancelBooking(
            slot.id,
            EntryId(slot.booked_by),
            SlotId(self.engine.new_id()),
            by_staff=by_staff,
            stay=stay,
            offer=offer,
        )
        return self.engine.run(command, by=by, now=self.clock.now())

    def missed(self, slot: Slot, *, by: str) -> Outcome:
        """Notes a no-show, which frees the rest of the slot."""
        self.documents.take_edits()
        command = commands.MarkNoShow(slot.id, SlotId(self.engine.new_id()))
        return self.engine.run(command, by=by, now=self.clock.now())

    def in_the_way(self, opening: Opening) -> list[Slot]:
        """Slots that use the same staff member, or the service's only place, at this time."""
        wl = waitlist(self.engine.reads())
        return in_the_way(with_catalogue_names(opening, wl.catalogue()), slots_near(wl, opening))


def document_desk(zone: Callable[[Reads], str]) -> DocumentDesk:
    """The documents of the waitlist. `zone` returns the time zone of the business."""
    return DocumentDesk(
        DOCUMENTS,
        built_in={
            DocumentName.RULES: rules_doc.write(rules_doc.DEFAULT_RULES),
            DocumentName.VOICE: DOCUMENT.default_text,
        },
        take=lambda reads, name, text, replaces: commands.TakeDocument(
            DocumentName(name), text, zone(reads), replaces
        ),
        confirm_file=lambda name, text: commands.ConfirmDocumentFile(DocumentName(name), text),
        is_current=lambda reads: waitlist(reads).rules().zone == zone(reads),
        at_start=(DocumentName.RULES,),
    )


#: The key in `Site.shared` under which pages find the intake.
SLOT_INTAKE: Final = SharedKey[SlotIntake]("wl.slot_intake")


def slot_intake_in(site: Site) -> SlotIntake:
    return site.shared[SLOT_INTAKE]
