"""Syncs the documents of a desk with the files that staff edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from frontdesk.core.decision import Command, Refused
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Outcome, Reads
from frontdesk.features.documents.decide import DocumentDecisions
from frontdesk.features.documents.files import DocumentFiles
from frontdesk.features.documents.model import (
    Document,
    DocumentUnavailable,
    Reason,
    digest,
    saved_document,
)
from frontdesk.logs import failure, log
from frontdesk.values import Frozen


class DocumentDesk(Frozen):
    """The documents of a desk, with their built-in texts, commands and decisions."""

    decisions: DocumentDecisions
    built_in: Mapping[str, str]
    """The text that applies until staff write one, by the name of the document."""
    take: Callable[[Reads, str, str, str | None], Command]
    """The command that takes a text. The last argument is the digest of the replaced file text."""
    confirm_file: Callable[[str, str], Command]
    """The command that notes that the file has this text now."""
    is_current: Callable[[Reads], bool] = lambda _reads: True
    """Whether the results of texts that were taken earlier are still up to date."""
    at_start: tuple[str, ...] = ()
    """Documents whose text is taken at each start, even if staff have written none."""

    def text(self, document: Document) -> str:
        """The last text of staff, or the built-in text."""
        return document.text or self.built_in[document.name]


class DocumentWatch(Protocol):
    """Gets the result of each read of documents, and alerts staff."""

    def failed(self, name: str, why: str, *, at_once: bool) -> None: ...

    def worked(self, names: Sequence[str]) -> None: ...


class NoWatch:
    """A watch that alerts nobody."""

    def failed(self, _name: str, _why: str, *, at_once: bool) -> None:
        pass

    def worked(self, _names: Sequence[str]) -> None:
        pass


class Documents(Frozen):
    desk: DocumentDesk
    engine: Engine
    clock: Clock
    files: DocumentFiles
    watch: DocumentWatch = NoWatch()

    def open(self) -> None:
        """Runs at the start: writes missing or older files, and takes new texts."""
        for name in self.desk.built_in:
            known = self.known(name)
            if self._is_to_be_written(known):
                self._write_file(name, self.desk.text(known))
        self.take_edits(by="start")
        for name in self.desk.at_start:
            self._take(name, self.desk.text(self.known(name)), "start")

    def take_edits(self, *, by: str = "papers") -> bool:
        """Takes edits made outside of the console; returns whether there were any."""
        is_new = False
        readable = []
        is_current = self.desk.is_current(self.engine.reads())
        for name in self.desk.built_in:
            known = self.known(name)
            try:
                text = self.files.read(name)
            except DocumentUnavailable as error:
                log("documents.failed", name=name, why=str(error))
                self.watch.failed(name, str(error), at_once=error.is_lasting)
                continue
            readable.append(name)
            if text is not None and self._is_older(text, known):
                if not self.files.edited_at(name):
                    self._write_file(name, self.desk.text(known))
            elif text is not None:
                self._confirm_file(known, text)
                if is_current and _is_taken(known, text):
                    continue
                outcome = self._run_take(name, text, by, replaces="")
                is_new = is_new or bool(isinstance(outcome, Committed) and outcome.facts)
        self.watch.worked(readable)
        return is_new

    def known(self, name: str) -> Document:
        return self.engine.reads().engine.setting(saved_document(self.desk.decisions.desk, name))

    def in_file(self, known: Document) -> str | None:
        """The text in the file; None if it cannot be read, or is older than the stored one."""
        try:
            text = self.files.read(known.name)
        except DocumentUnavailable:
            return None
        return None if text is None or self._is_older(text, known) else text

    def write(self, name: str, text: str, *, by: str) -> Outcome:
        """Saves a text from the console in the store, then in the file. It first marks the
        file's text as older, so that it is not taken again if writing the file fails."""
        if self.files.edited_at(name):
            return Refused(Reason.EDITED_ELSEWHERE)
        outcome = self._take(name, text, by, replaces=self._digest_of_file(self.known(name)))
        if not isinstance(outcome, Refused) or outcome.reason == Reason.UNCHANGED:
            self._write_file(name, text)
        return outcome

    def _is_to_be_written(self, known: Document) -> bool:
        try:
            text = self.files.read(known.name)
        except DocumentUnavailable:
            return False
        is_here = not self.files.edited_at(known.name)
        return is_here and (text is None or self._is_older(text, known))

    def _is_older(self, text: str, known: Document) -> bool:
        """Whether the file's text is older than the stored one, which is not in the file yet. A
        document that staff edit elsewhere stays older until they edit it there."""
        return digest(text) == known.replaces and text != known.text

    def _digest_of_file(self, known: Document) -> str:
        """The digest of the file, or of its last known text if it cannot be read."""
        try:
            return digest(self.files.read(known.name) or "")
        except DocumentUnavailable:
            return known.replaces or digest(self.desk.text(known))

    def _write_file(self, name: str, text: str) -> None:
        """Writes the file. If this fails, the next start does it."""
        try:
            self.files.write(name, text)
        except Exception as error:  # the store has the text
            log("documents.not_written", name=name, why=failure(error))
            return
        self._confirm_file(self.known(name), text)

    def _confirm_file(self, known: Document, text: str) -> None:
        if known.replaces and known.text == text:
            command = self.desk.confirm_file(known.name, text)
            self.engine.run(command, by="papers", now=self.clock.now())

    def _take(self, name: str, text: str, by: str, *, replaces: str | None = None) -> Outcome:
        if _is_taken(self.known(name), text) and self.desk.is_current(self.engine.reads()):
            return Committed(())
        return self._run_take(name, text, by, replaces)

    def _run_take(self, name: str, text: str, by: str, replaces: str | None) -> Outcome:
        command = self.desk.take(self.engine.reads(), name, text, replaces)
        outcome = self.engine.run(command, by=by, now=self.clock.now())
        self._log_unclear(outcome)
        return outcome

    def _log_unclear(self, outcome: Outcome) -> None:
        """Logs a document that cannot be understood as an error. Staff get a mail about it."""
        for recorded in outcome.facts if isinstance(outcome, Committed) else ():
            if isinstance(recorded.fact, self.desk.decisions.unclear):
                fact = recorded.fact
                log("document.failed", name=fact.name, problems=fact.problems)


def _is_taken(known: Document, text: str) -> bool:
    return text == known.text and known.is_good
