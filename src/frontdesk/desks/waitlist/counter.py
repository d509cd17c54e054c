"""Where freed slots and written papers come in: the same way from every door."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, Protocol

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist import rules_doc, voice_kinds
from frontdesk.desks.waitlist.commands import (
    CancelBooking,
    FreeSlot,
    MarkNoShow,
    OfferAgain,
    SettlePaper,
    TakeDocument,
)
from frontdesk.desks.waitlist.decide.moves import as_known
from frontdesk.desks.waitlist.facts import DocumentUnclear
from frontdesk.desks.waitlist.load import near, waitlist
from frontdesk.desks.waitlist.model import (
    BadPaper,
    Document,
    DocumentName,
    EntryId,
    Opening,
    Slot,
    SlotId,
    in_the_way,
    mark,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Outcome, Reads
from frontdesk.frozen import frozen
from frontdesk.logs import failure, log

#: By which name pages find it.
NAME: Final = "wl.counter"


class Papers(Protocol):
    """Where staff write their documents, outside of the store."""

    def read(self, name: DocumentName) -> str | None:
        """As it is now; nothing if there is none. Raises `BadPaper`."""

    def write(self, name: DocumentName, text: str) -> None: ...

    def edited_at(self, _name: DocumentName) -> str:
        """The address where staff edit it, if that is elsewhere: then it is only read here."""
        return ""


class NoPapers:
    """The store alone has them."""

    def read(self, _name: DocumentName) -> str | None:
        return None

    def write(self, _name: DocumentName, _text: str) -> None:
        pass

    def edited_at(self, _name: DocumentName) -> str:
        return ""


class Watch(Protocol):
    """Is told whether documents can be read, and lets staff know."""

    def failed(self, name: DocumentName, why: str, *, at_once: bool) -> None: ...

    def worked(self, names: Sequence[DocumentName]) -> None: ...


class NoWatch:
    """Nobody is told."""

    def failed(self, _name: DocumentName, _why: str, *, at_once: bool) -> None:
        pass

    def worked(self, _names: Sequence[DocumentName]) -> None:
        pass


@frozen
class Counter:
    engine: Engine
    clock: Clock
    papers: Papers
    zone: Callable[[Reads], str]
    """Where the business is."""
    watch: Watch = NoWatch()

    def free(
        self,
        origin: str,
        opening: Opening,
        *,
        by: str,
        beside: Collection[SlotId] = (),
        rest: bool = False,
    ) -> Outcome:
        """The rules are read fresh for every slot, so that what staff wrote last counts."""
        self.take_papers(by="papers")
        command = FreeSlot(SlotId(self.engine.new_id()), origin, opening, tuple(beside), rest)
        return self.engine.run(command, by=by, now=self.clock.now())

    def free_again(self, slot: Slot, *, by: str) -> Outcome:
        """A slot that was handed back."""
        self.take_papers(by="papers")
        command = OfferAgain(slot.id, SlotId(self.engine.new_id()))
        return self.engine.run(command, by=by, now=self.clock.now())

    def cancel(
        self,
        slot: Slot,
        *,
        by: str,
        by_staff: bool,
        stay: bool = False,
        offer: bool = True,
    ) -> Outcome:
        """The booking of whoever has the slot."""
        self.take_papers(by="papers")
        command = CancelBooking(
            slot.id,
            EntryId(slot.booked_by),
            SlotId(self.engine.new_id()),
            by_staff=by_staff,
            stay=stay,
            offer=offer,
        )
        return self.engine.run(command, by=by, now=self.clock.now())

    def missed(self, slot: Slot, *, by: str) -> Outcome:
        """The customer did not come: the rest of the slot is free."""
        self.take_papers(by="papers")
        command = MarkNoShow(slot.id, SlotId(self.engine.new_id()))
        return self.engine.run(command, by=by, now=self.clock.now())

    def in_the_way(self, opening: Opening) -> list[Slot]:
        """Slots that already have its staff member, or its only place, at this time."""
        wl = waitlist(self.engine.reads())
        return in_the_way(as_known(opening, wl.shop()), near(wl, opening))

    def take_papers(self, *, by: str) -> bool:
        """Whatever staff have changed outside of the console; whether there was anything."""
        is_new = False
        readable = []
        for name in DocumentName:
            known = self._known(name)
            try:
                text = self.papers.read(name)
            except BadPaper as bad:
                log("papers.failed", name=name.value, why=str(bad))
                self.watch.failed(name, str(bad), at_once=bad.is_lasting)
                continue
            readable.append(name)
            if text is not None and not self._is_older(text, known):
                self._settle(known, text)
                outcome = self._take(name, text, by, replaces="")
                is_new = is_new or bool(isinstance(outcome, Committed) and outcome.facts)
        self.watch.worked(readable)
        return is_new

    def on_paper(self, known: Document) -> str | None:
        """As staff wrote it outside of the console; nothing if there is none that can be read, or
        an older one that is still to be written over."""
        try:
            text = self.papers.read(known.name)
        except BadPaper:
            return None
        return None if text is None or self._is_older(text, known) else text

    def open(self) -> None:
        """For the start: papers that staff can find, and timers that go by them."""
        for name in DocumentName:
            known = self._known(name)
            if self._is_to_be_written(known):
                self._write_paper(name, written(known))
        self.take_papers(by="start")
        self._take(DocumentName.RULES, written(self._known(DocumentName.RULES)), "start")

    def _is_to_be_written(self, known: Document) -> bool:
        try:
            text = self.papers.read(known.name)
        except BadPaper:
            return False
        return text is None or self._is_older(text, known)

    def _is_older(self, text: str, known: Document) -> bool:
        """Than what was written in the console, which is still to be written over it."""
        if self.papers.edited_at(known.name):
            return False
        return mark(text) == known.replaces and text != known.text

    def write(self, name: DocumentName, text: str, *, by: str) -> Outcome:
        """From the console: onto paper too, where others edit it. What stands there until then is
        known to be older, so that it does not count again if we get no further."""
        if self.papers.edited_at(name):
            return Refused(Reason.EDITED_ELSEWHERE)
        outcome = self._take(name, text, by, replaces=self._mark_of_paper(self._known(name)))
        if not isinstance(outcome, Refused) or outcome.reason is Reason.UNCHANGED:
            self._write_paper(name, text)
        return outcome

    def _mark_of_paper(self, known: Document) -> str:
        """If it cannot be read: of what we saw there last."""
        try:
            return mark(self.papers.read(known.name) or "")
        except BadPaper:
            return known.replaces or mark(written(known))

    def _write_paper(self, name: DocumentName, text: str) -> None:
        """What cannot be written now is written by the next start."""
        try:
            self.papers.write(name, text)
        except Exception as error:  # whatever is wrong there, the store has it
            log("papers.unwritten", name=name.value, why=failure(error))
            return
        self._settle(self._known(name), text)

    def _settle(self, known: Document, text: str) -> None:
        if known.replaces and known.text == text:
            self.engine.run(SettlePaper(known.name, text), by="papers", now=self.clock.now())

    def _take(
        self, name: DocumentName, text: str, by: str, *, replaces: str | None = None
    ) -> Outcome:
        reads, now = self.engine.reads(), self.clock.now()
        known = waitlist(reads).document(name)
        zone = self.zone(reads)
        if text == known.text and known.is_good and waitlist(reads).rules().zone == zone:
            return Committed(())
        outcome = self.engine.run(TakeDocument(name, text, zone, replaces), by=by, now=now)
        _log_unclear(outcome)
        return outcome

    def _known(self, name: DocumentName) -> Document:
        return waitlist(self.engine.reads()).document(name)


def _log_unclear(outcome: Outcome) -> None:
    """A document that cannot be understood counts as an error; staff get a mail about it."""
    for recorded in outcome.facts if isinstance(outcome, Committed) else ():
        if isinstance(recorded.fact, DocumentUnclear):
            fact = recorded.fact
            log("document.failed", name=fact.name.value, problems=fact.problems)


def written(document: Document) -> str:
    """As staff wrote it last, or what holds as long as nobody has written anything."""
    return document.text or _DEFAULTS[document.name]


_DEFAULTS: Final = {
    DocumentName.RULES: rules_doc.write(rules_doc.DEFAULT_RULES),
    DocumentName.VOICE: voice_kinds.DEFAULT_DOCUMENT,
}
