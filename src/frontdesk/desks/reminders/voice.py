"""The document with all wordings of the desk, together with the wordings saved one by one.

Both change the same settings: a text that is put in force changes the saved wordings, and a wording
that is saved alone changes the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from frontdesk.core.decision import Accepted, Command, Decision, Fact, Refused
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.core.wording import Wording, saved_name, usable, wording_setting
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.decide import DocumentDecisions
from frontdesk.features.documents.model import Document, digest, saved_document
from frontdesk.features.wordings.document import (
    MOST_CHARACTERS,
    Key,
    WordingDocument,
    Wordings,
    is_second,
)
from frontdesk.features.wordings.rule import WordingCommand
from frontdesk.values import Frozen, replace


class TextCommand(Protocol):
    @property
    def text(self) -> str: ...


class TakeText(TextCommand, Protocol):
    @property
    def replaces(self) -> str | None: ...


class VoiceView(Frozen):
    document: Document
    saved: Mapping[Key, Wording | None]
    """The business's own wordings; None for the default."""


class VoiceDocument(Frozen):
    desk: str
    name: str
    wordings: WordingDocument
    decisions: DocumentDecisions
    changed: Callable[[tuple[str, ...]], Fact]
    """Makes the fact that the wordings with these names have changed."""
    unchanged: StrEnum

    def load(self, reads: Reads, _command: Command) -> VoiceView:
        return self.view(reads)

    def view(self, reads: Reads) -> VoiceView:
        saved = reads.engine.setting
        found = {key: saved(self._setting(key)) for key in self.wordings.specs}
        return VoiceView(saved(saved_document(self.desk, self.name)), found)

    def text(self, reads: Reads) -> str:
        """The document with the wordings as they are saved now."""
        saved, specs = self.view(reads).saved, self.wordings.specs
        known = {
            key: usable(specs[key], own)
            for key, own in saved.items()
            if own is not None or not is_second(key[1])
        }
        return self.wordings.with_intro(known)

    def take(self, view: VoiceView, command: TakeText, now: datetime) -> Decision:
        """Puts a whole text in force. If the text has mistakes, stores it and leaves the last good
        one in force."""
        text = command.text[: MOST_CHARACTERS + 1]
        parsed = self.wordings.parse(text)
        if parsed.problems:
            problems = len(parsed.problems)
            return self.decisions.keep_unclear(view.document, text, command.replaces, now, problems)
        taken = self.decisions.accept(view.document, text, command.replaces, now)
        writes = tuple(self._writes(view.saved, parsed.wordings))
        if not writes:
            return taken
        names = tuple(saved_name(*key) for key, _ in writes)
        stored = taken if isinstance(taken, Accepted) else Accepted()
        changes = (*stored.changes, *(write for _, write in writes))
        return Accepted(changes, (*stored.facts, self.changed(names)))

    def _writes(
        self, saved: Mapping[Key, Wording | None], wanted: Wordings
    ) -> Iterable[tuple[Key, WriteSetting]]:
        for key, before in saved.items():
            after = wanted.get(key)
            if after == self.wordings.defaults.get(key):
                after = None
            if after != before:
                yield key, WriteSetting(self._setting(key), before, after)

    def confirm_file(self, view: VoiceView, command: TextCommand, _now: datetime) -> Decision:
        return self.decisions.confirm_file(view.document, command.text)

    def set_wording(self, view: VoiceView, command: WordingCommand, now: datetime) -> Decision:
        """Changes one wording, and its part of the document if there is a document."""
        key = next(each for each in view.saved if saved_name(*each) == command.mail_kind)
        if view.saved[key] == command.wording:
            return Refused(self.unchanged)
        write = WriteSetting(self._setting(key), view.saved[key], command.wording)
        fact = self.changed((command.mail_kind,))
        before = view.document
        if not before.good:
            return Accepted((write,), (fact,))
        good = self.wordings.with_part(before.good, key, command.wording)
        after = replace(
            before,
            text=self.wordings.with_part(before.text, key, command.wording),
            good=good,
            changed_at=now.replace(microsecond=0),
            replaces=before.replaces or digest(before.text),
        )
        written = WriteSetting(saved_document(self.desk, self.name), before, after)
        return Accepted((write, written), (fact, self.decisions.taken(self.name, good)))

    def _setting(self, key: Key) -> SavedSetting[Wording | None]:
        return wording_setting(self.desk, saved_name(*key))
