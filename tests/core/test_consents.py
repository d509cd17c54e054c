"""Consent to texts: which statement holds for a number, and which ones count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.consents import (
    DEFAULT_SENTENCE,
    MOST_EARLIER,
    MOST_STATEMENTS,
    Consent,
    ConsentRecord,
    ConsentSource,
    Statement,
    TextConsent,
    WriteConsent,
    add_statement,
    consent_changes,
    statement_in_cell,
    words_version,
)
from frontdesk.core.people import PersonId

NOW = datetime(2026, 11, 16, 9, tzinfo=UTC)
ANN = PersonId("ann")
MINE, OTHER = "+6591234567", "+6598765432"
FORM = Statement(ConsentSource.BOOKING_FORM, words="You agree to texts.")
STOP = Statement(ConsentSource.REPLY, given=False, words="STOP")
START = Statement(ConsentSource.REPLY, words="START")
SHEET = Statement(ConsentSource.SHEET, words="yes")
STAFF = Statement(ConsentSource.STAFF, note="by phone")
NO_TEXTS = Statement(ConsentSource.STAFF, given=False, note="asked at the desk")


def after(*said: Statement, mobile: str = MINE) -> ConsentRecord:
    record = ConsentRecord(ANN)
    for hours, each in enumerate(said):
        record = add_statement(record, mobile, each, NOW + timedelta(hours=hours)) or record
    return record


@pytest.mark.spec("AR-24")
def test_a_statement_says_how_when_and_in_which_words() -> None:
    record = after(FORM)

    assert record == ConsentRecord(
        ANN,
        (Consent(MINE, NOW, ConsentSource.BOOKING_FORM, True, "You agree to texts."),),
        version=1,
    )
    assert record.statements[0].version == words_version("You agree to texts.")
    assert record.allows(MINE)


@pytest.mark.spec("AR-24")
def test_consent_is_for_one_number_alone() -> None:
    record = after(FORM)

    assert not record.allows(OTHER)
    assert record.about(OTHER) is None
    assert add_statement(record, "", STAFF, NOW) is None


@pytest.mark.spec("AR-24")
@pytest.mark.parametrize("later", [FORM, SHEET, STAFF])
def test_only_a_text_from_the_number_lifts_a_stop(later: Statement) -> None:
    assert not after(FORM, STOP, later).allows(MINE)
    assert len(after(FORM, STOP, later).statements) == 2
    assert after(FORM, STOP, START).allows(MINE)
    assert after(FORM, STOP, START, STOP).statements[-1].at == NOW + timedelta(hours=3)


@pytest.mark.spec("AR-24")
def test_the_same_words_again_are_no_news_and_other_words_are() -> None:
    other = Statement(ConsentSource.BOOKING_FORM, words="You agree to texts and mails.")

    assert len(after(FORM, FORM).statements) == 1
    assert len(after(FORM, other).statements) == 2


@pytest.mark.spec("AR-24")
def test_a_sheet_that_still_says_yes_does_not_overrule_what_came_after_it() -> None:
    assert not after(SHEET, NO_TEXTS, SHEET).allows(MINE)
    newer = Statement(ConsentSource.SHEET, words="yes, signed on 3 May")
    assert after(SHEET, NO_TEXTS, newer).allows(MINE)


@pytest.mark.spec("AR-24")
def test_a_statement_that_staff_recorded_can_be_changed_by_staff_and_by_a_form() -> None:
    assert after(NO_TEXTS, STAFF).allows(MINE)
    assert after(NO_TEXTS, FORM).allows(MINE)


def test_a_record_keeps_its_newest_statements() -> None:
    record = after(*[STOP, START] * MOST_STATEMENTS)

    assert len(record.statements) == MOST_STATEMENTS
    assert record.version == 2 * MOST_STATEMENTS
    assert record.statements[-1].source is ConsentSource.REPLY
    assert record.allows(MINE)


def test_a_command_without_a_statement_writes_nothing() -> None:
    assert consent_changes(None, ANN, MINE, None, NOW) == ()
    assert consent_changes(after(FORM), ANN, MINE, FORM, NOW) == ()
    assert consent_changes(None, ANN, MINE, FORM, NOW) == (WriteConsent(after(FORM)),)


@pytest.mark.spec("AR-24")
def test_the_words_of_a_page_from_before_a_change_are_still_known() -> None:
    before = TextConsent()
    version = words_version(before.shown("Salon"))
    changed = before.with_sentence("New words of {business}.")

    assert before.shown("Salon") == DEFAULT_SENTENCE.replace("{business}", "Salon")
    assert changed.shown("Salon") == "New words of Salon."
    assert changed.words_of(version, "Salon") == before.shown("Salon")
    assert changed.words_of("0123456789ab", "Salon") == ""
    assert changed.with_sentence(DEFAULT_SENTENCE).earlier == ("New words of {business}.",)


def test_only_so_many_earlier_sentences_are_kept() -> None:
    setting = TextConsent()
    for number in range(2 * MOST_EARLIER):
        setting = setting.with_sentence(f"Words {number}.")

    assert setting.earlier[0] == f"Words {2 * MOST_EARLIER - 2}."
    assert len(setting.earlier) == MOST_EARLIER


@pytest.mark.spec("AR-24")
@pytest.mark.parametrize(
    ("cell", "given"), [("yes", True), ("signed form, 3 May", True), ("No", False), ("nein", False)]
)
def test_a_cell_says_yes_or_no_in_its_own_words(cell: str, given: bool) -> None:
    assert statement_in_cell(f" {cell} ") == Statement(ConsentSource.SHEET, given, cell)
    assert statement_in_cell("  ") is None
