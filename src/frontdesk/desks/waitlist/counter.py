"""Where freed slots and written papers come in: the same way from every door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist import rules_doc, voice_kinds
from frontdesk.desks.waitlist.commands import FreeSlot, TakeDocument
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Document, DocumentName, Opening, SlotId
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Outcome, Reads
from frontdesk.frozen import frozen

#: By which name pages find it.
NAME: Final = "wl.counter"


class Papers(Protocol):
    """Where staff write their documents, outside of the store."""

    def read(self, name: DocumentName) -> str | None:
        """As it is now; nothing if there is none, or it cannot be read."""

    def write(self, name: DocumentName, text: str) -> None: ...


class NoPapers:
    """The store alone has them."""

    def read(self, _name: DocumentName) -> str | None:
        return None

    def write(self, _name: DocumentName, _text: str) -> None:
        pass


@frozen
class Counter:
    engine: Engine
    clock: Clock
    papers: Papers
    zone: Callable[[Reads], str]
    """Where the business is."""

    def free(self, origin: str, opening: Opening, *, by: str) -> Outcome:
        """The rules are read fresh for every slot, so that what staff wrote last counts."""
        self.take_papers(by="papers")
        slot_id = SlotId(self.engine.new_id())
        return self.engine.run(FreeSlot(slot_id, origin, opening), by=by, now=self.clock.now())

    def take_papers(self, *, by: str) -> None:
        """Whatever staff have changed outside of the console, if anything."""
        for name in DocumentName:
            if (text := self.papers.read(name)) is not None:
                self._take(name, text, by)

    def open(self) -> None:
        """For the start: papers that staff can find, and timers that go by them."""
        for name in DocumentName:
            kept = written(waitlist(self.engine.reads()).document(name))
            text = self.papers.read(name)
            if text is None:
                self.papers.write(name, kept)
            if name is DocumentName.RULES:
                self._take(name, kept if text is None else text, "start")

    def write(self, name: DocumentName, text: str, *, by: str) -> Outcome:
        """From the console: into the papers too, where others edit them."""
        outcome = self._take(name, text, by)
        if not isinstance(outcome, Refused):
            self.papers.write(name, text)
        return outcome

    def _take(self, name: DocumentName, text: str, by: str) -> Outcome:
        reads, now = self.engine.reads(), self.clock.now()
        known = waitlist(reads).document(name)
        zone = self.zone(reads)
        if text == known.text and known.is_good and waitlist(reads).rules().zone == zone:
            return Committed(())
        return self.engine.run(TakeDocument(name, text, zone), by=by, now=now)


def written(document: Document) -> str:
    """As staff wrote it last, or what holds as long as nobody has written anything."""
    return document.text or _DEFAULTS[document.name]


_DEFAULTS: Final = {
    DocumentName.RULES: rules_doc.write(rules_doc.DEFAULT_RULES),
    DocumentName.VOICE: voice_kinds.DEFAULT_DOCUMENT,
}
