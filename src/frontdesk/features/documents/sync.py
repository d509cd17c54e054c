"""Keeps the documents of a desk in step with the files that staff edit."""

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
    """The documents of a desk: built-in texts, commands and decisions. The desk passes these
    values."""

    decisions: DocumentDecisions
    built_in: Mapping[str, str]
    """By the name of each document: the text that holds until staff write one."""
    take: Callable[[Reads, str, str, str | None], Command]
    """A text of a document is to be taken; the last is what it replaces in the file."""
    confirm_file: Callable[[str, str], Command]
    """The file of a document has this text now."""
    is_current: Callable[[Reads], bool] = lambda _reads: True
    """Whether a text that was taken before need not be taken again."""
    at_start: tuple[str, ...] = ()
    """Documents that are taken at each start, also if staff have written none."""

    def text(self, document: Document) -> str:
        """As staff wrote it last, or the built-in text."""
        return document.text or self.built_in[document.name]


class DocumentWatch(Protocol):
    """Is told whether documents can be read, and lets staff know."""

    def failed(self, name: str, why: str, *, at_once: bool) -> None: ...

    def worked(self, names: Sequence[str]) -> None: ...


class NoWatch:
    """Tells nobody."""

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
        """For the start: writes the files that are missing or older, and takes what is new."""
        for name in self.desk.built_in:
            known = self.known(name)
            if self._is_to_be_written(known):
                self._write_file(name, self.desk.text(known))
        self.take_edits(by="start")
        for name in self.desk.at_start:
            self._take(name, self.desk.text(self.known(name)), "start")

    def take_edits(self, *, by: str = "papers") -> bool:
        """Takes what staff have changed outside of the console; whether there was anything."""
        is_new = False
        readable = []
        is_current = self.desk.is_current(self.engine.reads())
        for name in self.desk.built_in:
            known = self.known(name)
            try:
                text = self.files.read(name)
            except DocumentUnavailable as error:
                log("papers.failed", name=name, why=str(error))
                self.watch.failed(name, str(error), at_once=error.is_lasting)
                continue
            readable.append(name)
            if text is not None and not self._is_older(text, known):
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
        """The text in its file; None if that cannot be read, or is older than the known one."""
        try:
            text = self.files.read(known.name)
        except DocumentUnavailable:
            return None
        return None if text is None or self._is_older(text, known) else text

    def write(self, name: str, text: str, *, by: str) -> Outcome:
        """From the console: into the store, and into the file. The older text of the file is
        marked as such first, so that it does not count again if writing the file fails."""
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
        return text is None or self._is_older(text, known)

    def _is_older(self, text: str, known: Document) -> bool:
        """Than what was saved in the console, which is still to be written to the file."""
        if self.files.edited_at(known.name):
            return False
        return digest(text) == known.replaces and text != known.text

    def _digest_of_file(self, known: Document) -> str:
        """If it cannot be read: of the text that it had last."""
        try:
            return digest(self.files.read(known.name) or "")
        except DocumentUnavailable:
            return known.replaces or digest(self.desk.text(known))

    def _write_file(self, name: str, text: str) -> None:
        """If this fails, the next start does it."""
        try:
            self.files.write(name, text)
        except Exception as error:  # whatever is wrong there, the store has it
            log("papers.unwritten", name=name, why=failure(error))
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
        """A document that cannot be understood counts as an error; staff get a mail about it."""
        for recorded in outcome.facts if isinstance(outcome, Committed) else ():
            if isinstance(recorded.fact, self.desk.decisions.unclear):
                fact = recorded.fact
                log("document.failed", name=fact.name, problems=fact.problems)


def _is_taken(known: Document, text: str) -> bool:
    return text == known.text and known.is_good
