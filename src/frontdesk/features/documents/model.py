"""A document that staff edit, as it is stored."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen


class Document(Frozen):
    """A document as it was written last, and as it was last understood: that one is in force."""

    name: str
    text: str
    good: str
    changed_at: datetime | None = None
    replaces: str = ""
    """The digest of the text in the file, as long as that is older than the text here."""

    @property
    def is_good(self) -> bool:
        return self.text == self.good


def saved_document(desk: str, name: str) -> SavedSetting[Document]:
    """An empty document if nobody has written one."""
    return SavedSetting(f"{desk}.document.{name}", Document, Document(name, "", ""))


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


class Reason(StrEnum):
    UNCHANGED = "unchanged"
    EDITED_ELSEWHERE = "edited_elsewhere"
    """Staff edit this document in another place, for example in Google Docs."""


class DocumentUnavailable(Exception):
    """A document may exist, but cannot be read now. The text says why.

    `is_lasting`: it stays so until somebody does something about it.
    """

    def __init__(self, why: str = "", *, is_lasting: bool = False) -> None:
        super().__init__(why)
        self.is_lasting = is_lasting
