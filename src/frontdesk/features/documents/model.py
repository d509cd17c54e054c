"""The stored form of a document that staff edit."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen


class Document(Frozen):
    """A document: its last text, and its last good text, which is in force."""

    name: str
    text: str
    good: str
    changed_at: datetime | None = None
    replaces: str = ""
    """The digest of the file's text while that is older than this text; else empty."""

    @property
    def is_good(self) -> bool:
        return self.text == self.good


def saved_document(desk: str, name: str) -> SavedSetting[Document]:
    """The setting of a document; empty until staff write one."""
    return SavedSetting(f"{desk}.document.{name}", Document, Document(name, "", ""))


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def version_of(text: str) -> str:
    """A short digest that identifies a text in the fact that it cannot be understood."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


class Reason(StrEnum):
    UNCHANGED = "unchanged"
    EDITED_ELSEWHERE = "edited_elsewhere"
    """Staff edit this document in another place, for example in Google Docs."""


class DocumentUnavailable(Exception):
    """A document may exist, but cannot be read now. The text says why.

    `is_lasting` says that somebody has to fix the cause.
    """

    def __init__(self, why: str = "", *, is_lasting: bool = False) -> None:
        super().__init__(why)
        self.is_lasting = is_lasting
