"""Defines the facts of rules and words, which staff write."""

from __future__ import annotations

from typing import ClassVar

from frontdesk.desks.reminders.facts import DeskFact
from frontdesk.desks.reminders.rules import ReminderRules


class RulesChanged(DeskFact):
    kind: ClassVar[str] = "ar.rules_changed"
    rules: ReminderRules


class DocumentTaken(DeskFact):
    """A text of `reminders.yml`, or of the words of messages, was understood and is in force."""

    kind: ClassVar[str] = "ar.document_taken"
    name: str
    text: str


class DocumentUnclear(DeskFact):
    """A document has mistakes; its last good text stays in force."""

    kind: ClassVar[str] = "ar.document_unclear"
    name: str
    digest: str
    problems: int


class WordingChanged(DeskFact):
    """The business changed the wording of a message."""

    kind: ClassVar[str] = "ar.wording_changed"
    mail_kind: str


class WordingsChanged(DeskFact):
    """A document of the business changed the wordings of these messages."""

    kind: ClassVar[str] = "ar.wordings_changed"
    mail_kinds: tuple[str, ...]
