"""Consent to texts: for each number how, when and in which words it was given or withdrawn.

The record of a person is a list of statements, the oldest first. The newest statement about a
number is the valid one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from frontdesk.core.decision import Change
from frontdesk.core.people import PersonId
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen, replace

#: The newest statements of a person that are kept.
MOST_STATEMENTS: Final = 50
MOST_WORDS: Final = 500
#: Earlier sentences of the forms, so that consent from a page that was opened before a change
#: counts.
MOST_EARLIER: Final = 20


class ConsentSource(StrEnum):
    BOOKING_FORM = "booking_form"
    WAITLIST_FORM = "waitlist_form"
    SHEET = "sheet"
    STAFF = "staff"
    REPLY = "reply"
    """A text from the number itself: START, or STOP."""


SOURCE_NAMES: Final[Mapping[ConsentSource, str]] = {
    ConsentSource.BOOKING_FORM: "Booking form",
    ConsentSource.WAITLIST_FORM: "Waitlist form",
    ConsentSource.SHEET: "Sheet",
    ConsentSource.STAFF: "Staff",
    ConsentSource.REPLY: "Text from the number",
}


class Statement(Frozen):
    """Consent to texts or its withdrawal, without the number and the time."""

    source: ConsentSource
    given: bool = True
    words: str = ""
    """The exact words: the sentence that the form showed, the cell, the text that came in."""
    note: str = ""
    """What staff wrote beside it."""


class Consent(Frozen):
    """One statement about one number. `given=False` withdraws."""

    mobile: str
    at: datetime
    source: ConsentSource
    given: bool = True
    words: str = ""
    note: str = ""

    @property
    def statement(self) -> Statement:
        return Statement(self.source, self.given, self.words, self.note)

    @property
    def version(self) -> str:
        """A digest of the words: the same text has the same version."""
        return words_version(self.words) if self.words else ""


class ConsentRecord(Frozen):
    """All statements of one person."""

    person_id: PersonId
    statements: tuple[Consent, ...] = ()
    version: int = 0
    """Each write compares it and raises it by one; 0 if there is no row yet."""

    def about(self, mobile: str) -> Consent | None:
        """The newest statement about this number, if there is one."""
        return next((each for each in reversed(self.statements) if each.mobile == mobile), None)

    def allows(self, mobile: str) -> bool:
        found = self.about(mobile)
        return found is not None and found.given


class WriteConsent(Change):
    """Writes the record of a person. Condition: its version as read, which is one less."""

    record: ConsentRecord


def add_statement(
    record: ConsentRecord, mobile: str, statement: Statement, now: datetime
) -> ConsentRecord | None:
    """The record with one more statement; None if the statement is not new or does not count.

    A withdrawal by text is only lifted by text. A sheet repeats its statements on every line and
    every day, so a repeated one is ignored.
    """
    if not mobile or not _counts(record, mobile, statement):
        return None
    made = Consent(
        mobile,
        now.replace(microsecond=0),
        statement.source,
        statement.given,
        statement.words[:MOST_WORDS],
        statement.note[:MOST_WORDS],
    )
    kept = (*record.statements, made)[-MOST_STATEMENTS:]
    return replace(record, statements=kept, version=record.version + 1)


def _counts(record: ConsentRecord, mobile: str, statement: Statement) -> bool:
    last = record.about(mobile)
    if last is None:
        return True
    short = replace(statement, words=statement.words[:MOST_WORDS], note=statement.note[:MOST_WORDS])
    if last.statement == short:
        return False
    if statement.source is ConsentSource.REPLY:
        return True
    if last.source is ConsentSource.REPLY and not last.given:
        return False
    if statement.source is not ConsentSource.SHEET:
        return True
    before = (each for each in record.statements if each.mobile == mobile)
    latest = next((e for e in reversed([*before]) if e.source is ConsentSource.SHEET), None)
    return latest is None or latest.statement != short


def consent_changes(
    record: ConsentRecord | None,
    person_id: PersonId,
    mobile: str,
    statement: Statement | None,
    now: datetime,
) -> tuple[Change, ...]:
    """The write for a statement that comes with a command. `record` is None for a new person."""
    if statement is None:
        return ()
    after = add_statement(record or ConsentRecord(person_id), mobile, statement, now)
    return (WriteConsent(after),) if after else ()


# --- the sentence of the forms, and whether consent is needed -------------------------------------


class ConsentRule(StrEnum):
    """Whether a text needs recorded consent."""

    NOTED = "noted"
    """Texts go out without it as well; it is recorded where it is known."""
    REQUIRED = "required"
    """Without it no text goes out; mail is used instead."""


DEFAULT_SENTENCE: Final = (
    "If you give a mobile number, you agree to texts from {business} about your visits."
    " Reply STOP at any time to end them."
)


class TextConsent(Frozen):
    rule: ConsentRule = ConsentRule.NOTED
    sentence: str = DEFAULT_SENTENCE
    """Shown where a form asks for a number. `{business}` is the name of the business."""
    earlier: tuple[str, ...] = ()
    """Earlier sentences, the newest first."""

    def shown(self, business: str) -> str:
        return _filled(self.sentence, business)

    def words_of(self, version: str, business: str) -> str:
        """The sentence that a form showed; empty if the version is unknown."""
        known = (_filled(each, business) for each in (self.sentence, *self.earlier))
        return next((each for each in known if words_version(each) == version), "")

    def with_sentence(self, sentence: str) -> TextConsent:
        if sentence == self.sentence:
            return self
        before = (self.sentence, *(each for each in self.earlier if each != sentence))
        return replace(self, sentence=sentence, earlier=before[:MOST_EARLIER])


TEXT_CONSENT: Final = SavedSetting("fd.text_consent", TextConsent, TextConsent())


def words_version(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def _filled(sentence: str, business: str) -> str:
    return sentence.replace("{business}", business)


# --- a cell of a sheet ----------------------------------------------------------------------------

_NO: Final = frozenset(
    ("no", "n", "0", "false", "refused", "withdrawn", "stop", "nein", "non", "✗")
)


def statement_in_cell(cell: str) -> Statement | None:
    """Reads a cell of the column 'consent'. An empty cell is no statement."""
    words = " ".join(cell.split())
    if not words:
        return None
    return Statement(ConsentSource.SHEET, words.casefold() not in _NO, words)
