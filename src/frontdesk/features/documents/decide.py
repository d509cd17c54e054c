"""Decides about a text that staff wrote: accepts it, or stores it while the last good one stays."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.features.documents.model import Document, Reason, saved_document, version_of
from frontdesk.values import Frozen, replace


class DocumentDecisions(Frozen):
    """Decides about the documents of one desk. `replaces` is the digest of an older text that is
    still in the file: empty for none, None to leave it as it is."""

    desk: str
    """The desk's code, which prefixes the keys of its settings."""
    taken: type[Any]
    """A fact with `name` and `text`."""
    unclear: type[Any]
    """A fact with `name`, `digest` of the text, and the number of its `problems`."""

    def accept(
        self, before: Document, text: str, replaces: str | None, now: datetime
    ) -> Accepted | Refused:
        """Puts the text in force."""
        if before.text == before.good == text:
            return Refused(Reason.UNCHANGED)
        after = self._after(replace(before, good=text), text, replaces, now)
        return Accepted((self._write(before, after),), (self.taken(before.name, text),))

    def keep_unclear(
        self, before: Document, text: str, replaces: str | None, now: datetime, problems: int
    ) -> Decision:
        """Stores a text that cannot be understood. The last good one stays in force."""
        if before.text == text:
            return Refused(Reason.UNCHANGED)
        after = self._after(before, text, replaces, now)
        fact = self.unclear(before.name, version_of(text), problems)
        return Accepted((self._write(before, after),), (fact,))

    def confirm_file(self, before: Document, text: str) -> Decision:
        """Notes that the file has this text now."""
        if not before.replaces or before.text != text:
            return Refused(Reason.UNCHANGED)
        return Accepted((self._write(before, replace(before, replaces="")),))

    def _after(
        self, document: Document, text: str, replaces: str | None, now: datetime
    ) -> Document:
        return replace(
            document,
            text=text,
            changed_at=now.replace(microsecond=0),
            replaces=document.replaces if replaces is None else replaces,
        )

    def _write(self, before: Document, after: Document) -> WriteSetting:
        return WriteSetting(saved_document(self.desk, before.name), before, after)
