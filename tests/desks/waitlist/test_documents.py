"""A document of staff is accepted as a whole, or the earlier one stays in force."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import SetCatalogue, SetRules, TakeDocument
from frontdesk.desks.waitlist.decide import timers
from frontdesk.desks.waitlist.decide.documents import (
    MOST_TEXT,
    as_rules,
    set_catalogue,
    set_rules,
    take_document,
)
from frontdesk.desks.waitlist.document_facts import (
    CatalogueChanged,
    DocumentTaken,
    DocumentUnclear,
    RulesChanged,
)
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import (
    SAVED_RULES,
    DocumentName,
    OrderBy,
    Rules,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import DocumentView
from frontdesk.features.catalogue import model as catalogue
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, Service
from frontdesk.features.documents.model import Document, saved_document
from frontdesk.values import replace
from tests.support.waitlist import HOUR, NEXT_OPENING, NINE, RULES, WaitlistDesk

ZONE = "Asia/Singapore"
FIVE = "Claim window: 5 minutes.\n"
FIVE_RULES = replace(RULES, claim_window=timedelta(minutes=5))
GLORP = "Claim window: a while.\n"
GREETING = (
    "## Text: offer\n"
    "{{ name }}: {{ service }} {{ with_staff }} on {{ when }}, until {{ claim_by }}?\n\n"
    "Tell us:\n{{ offer_link }}\n"
)


def view(text: str = "", good: str | None = None, rules: Rules = RULES) -> DocumentView:
    good = text if good is None else good
    return DocumentView(rules, Document(DocumentName.RULES, text, good, NINE if text else None))


def take(before: DocumentView, text: str, zone: str = ZONE) -> Decision:
    return take_document(before, TakeDocument(DocumentName.RULES, text, zone), NINE + HOUR)


def written(text: str, good: str) -> Document:
    return Document(DocumentName.RULES, text, good, NINE + HOUR)


def write_document(before: Document, after: Document) -> WriteSetting:
    return WriteSetting(saved_document("wl", after.name), before, after)


def set_anew(rules: Rules) -> tuple[Any, ...]:
    at = NINE + HOUR
    return (timers.next_expiry(rules, at), timers.next_summary(rules, at))


# --- rules ------------------------------------------------------------------------------------


@pytest.mark.spec("WL-23")
def test_rules_that_are_understood_are_in_force_with_their_document() -> None:
    before = view()

    assert take(before, FIVE) == Accepted(
        (
            write_document(before.document, written(FIVE, FIVE)),
            WriteSetting(SAVED_RULES, before.rules, FIVE_RULES),
        ),
        (DocumentTaken(DocumentName.RULES, FIVE), RulesChanged(FIVE_RULES)),
        set_anew(FIVE_RULES),
    )


@pytest.mark.spec("WL-24", "WL-25")
def test_the_first_rules_set_the_timers_also_if_they_are_those_that_hold_anyway() -> None:
    before = view(rules=FIVE_RULES)

    assert take(before, FIVE) == Accepted(
        (
            write_document(before.document, written(FIVE, FIVE)),
            WriteSetting(SAVED_RULES, before.rules, FIVE_RULES),
        ),
        (DocumentTaken(DocumentName.RULES, FIVE), RulesChanged(FIVE_RULES)),
        set_anew(FIVE_RULES),
    )


@pytest.mark.spec("WL-23")
def test_of_a_document_that_is_not_understood_staff_are_told_and_nothing_else_changes() -> None:
    before = view(FIVE, rules=FIVE_RULES)

    decision = take(before, GLORP)

    assert isinstance(decision, Accepted)
    assert decision.changes == (write_document(before.document, written(GLORP, FIVE)),)
    [fact] = decision.facts
    assert isinstance(fact, DocumentUnclear)
    assert (fact.name, fact.problems) == (DocumentName.RULES, 1)
    assert decision.timers == ()


@pytest.mark.spec("WL-23")
@pytest.mark.parametrize(
    "before",
    [view(FIVE, rules=FIVE_RULES), view(GLORP, FIVE, FIVE_RULES)],
    ids=["good", "unclear"],
)
def test_a_document_that_was_taken_before_changes_nothing(before: DocumentView) -> None:
    assert take(before, before.document.text) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("WL-23")
def test_the_last_good_document_written_again_puts_an_unclear_one_right() -> None:
    before = view(GLORP, FIVE, FIVE_RULES)

    assert take(before, FIVE) == Accepted(
        (write_document(before.document, written(FIVE, FIVE)),),
        (DocumentTaken(DocumentName.RULES, FIVE),),
    )


def test_a_document_that_a_newer_version_understands_is_taken() -> None:
    """Simulates an update that understands more of the same text."""
    before = view(FIVE, good="")

    assert take(before, FIVE) == Accepted(
        (
            write_document(before.document, written(FIVE, FIVE)),
            WriteSetting(SAVED_RULES, before.rules, FIVE_RULES),
        ),
        (DocumentTaken(DocumentName.RULES, FIVE), RulesChanged(FIVE_RULES)),
        set_anew(FIVE_RULES),
    )


def test_the_same_document_where_the_business_has_moved_gives_the_rules_of_that_place() -> None:
    before = view(FIVE, rules=FIVE_RULES)
    moved = replace(FIVE_RULES, zone="Europe/Berlin")

    assert take(before, FIVE, "Europe/Berlin") == Accepted(
        (WriteSetting(SAVED_RULES, FIVE_RULES, moved),), (RulesChanged(moved),), set_anew(moved)
    )
    assert take(before, FIVE, "Nowhere/Land") == Refused(Reason.BAD_RULES)


def test_another_wording_of_the_same_rules_is_kept_and_the_rules_stay() -> None:
    before = view(FIVE, rules=FIVE_RULES)
    other = "People have 5 minutes to answer.\n"
    assert rules_doc.parse(other).problems == ()

    assert take(before, other) == Accepted(
        (write_document(before.document, written(other, other)),),
        (DocumentTaken(DocumentName.RULES, other),),
    )


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("name", DocumentName)
def test_of_a_document_without_end_the_beginning_is_kept_and_it_is_unclear(
    name: DocumentName,
) -> None:
    before = DocumentView(RULES, Document(name, "", ""))
    endless = TakeDocument(name, "x" * 10_000_000, ZONE)

    decision = take_document(before, endless, NINE)

    assert isinstance(decision, Accepted)
    [change] = decision.changes
    assert isinstance(change, WriteSetting)
    assert change.after == Document(name, "x" * MOST_TEXT, "", NINE)
    again = DocumentView(RULES, change.after)
    assert take_document(again, endless, NINE) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("WL-23")
def test_every_document_of_rules_that_can_be_written_makes_sense() -> None:
    assert as_rules(rules_doc.parse("").rules, ZONE) == RULES
    assert take(view(), rules_doc.write(rules_doc.WrittenRules())) != Refused(Reason.BAD_RULES)


def test_rules_go_by_an_order_that_a_store_has() -> None:
    odd = replace(RULES, order=(OrderBy.JOINED, OrderBy.PRIORITY))

    assert set_rules(RULES, SetRules(odd), NINE) == Refused(Reason.BAD_RULES)


# --- words ------------------------------------------------------------------------------------


@pytest.mark.spec("WL-23")
def test_a_voice_that_is_understood_is_in_force_and_one_that_is_not_leaves_it_so() -> None:
    nothing = Document(DocumentName.VOICE, "", "")
    assert DOCUMENT.parse(GREETING).problems == ()
    good = replace(nothing, text=GREETING, good=GREETING, changed_at=NINE)
    unclear = GREETING + "{{ glorp }}\n"

    assert speak(nothing, GREETING) == Accepted(
        (write_document(nothing, good),), (DocumentTaken(DocumentName.VOICE, GREETING),)
    )
    assert speak(good, GREETING) == Refused(Reason.UNCHANGED)
    decision = speak(good, unclear)
    assert isinstance(decision, Accepted)
    assert decision.changes == (write_document(good, replace(good, text=unclear)),)


def speak(before: Document, text: str) -> Decision:
    command = TakeDocument(DocumentName.VOICE, text, ZONE)
    return take_document(DocumentView(RULES, before), command, NINE)


@pytest.mark.spec("WL-23")
def test_documents_are_read_fresh_for_every_slot(desk: WaitlistDesk) -> None:
    desk.given("ann").do(TakeDocument(DocumentName.RULES, FIVE, ZONE))
    desk.free()
    desk.do(TakeDocument(DocumentName.RULES, GLORP, ZONE))
    desk.free(NEXT_OPENING, slot_id="s2")

    assert [desk.slot(each).rules for each in ("s1", "s2")] == [FIVE_RULES, FIVE_RULES]
    document = desk.reads.document(DocumentName.RULES)
    assert (document.text, document.good, document.is_good) == (GLORP, FIVE, False)


# --- the catalogue ----------------------------------------------------------------------------

SHOP = Catalogue((Service("Cut", aliases=("haircut",)), Service("Colour")), ("Mia", "Leo"), "S$")


def test_the_same_catalogue_is_saved_once() -> None:
    assert set_catalogue(Catalogue(), SetCatalogue(SHOP), NINE) == Accepted(
        (WriteSetting(CATALOGUE, Catalogue(), SHOP),), (CatalogueChanged(SHOP),)
    )
    assert set_catalogue(SHOP, SetCatalogue(SHOP), NINE) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "shop",
    [
        Catalogue((Service(""),)),
        Catalogue((Service(" Cut"),)),
        Catalogue((Service("Cut", aliases=("trim ",)),)),
        Catalogue((Service("x" * 81),)),
        Catalogue((Service("Cut"), Service("CUT"))),
        Catalogue((Service("Cut", aliases=("trim",)), Service("Trim"))),
        Catalogue((Service("Cut", duration=timedelta()),)),
        Catalogue((Service("Cut", duration=timedelta(days=2)),)),
        Catalogue((Service("Cut", price_cents=-1),)),
        Catalogue((Service("Cut", most=0),)),
        Catalogue((Service("Cut", aliases=tuple(f"a{n}" for n in range(600))),)),
        Catalogue(tuple(Service(f"s{n}") for n in range(201))),
        Catalogue(staff=("Mia", "mia")),
        Catalogue(staff=("",)),
        Catalogue(staff=tuple(f"m{n}" for n in range(201))),
        Catalogue(currency="dollars of Singapore"),
    ],
    ids=repr,
)
def test_an_invalid_catalogue_is_refused(shop: Catalogue) -> None:
    assert set_catalogue(Catalogue(), SetCatalogue(shop), NINE) == Refused(
        catalogue.Reason.BAD_CATALOGUE
    )
