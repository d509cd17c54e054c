"""The form of a booking: two fields, and the questions of the service."""

from typing import Any

import pytest

from frontdesk.core.text_rules import TextRules
from frontdesk.desks.booking.pages.details_form import (
    ContactChoices,
    CustomerDetails,
    question_fields,
    read_details,
)
from frontdesk.desks.booking.rules import Question, QuestionKind
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT

TEXTS = ContactChoices("SG", texts=True, text_rules=TextRules(()))
NO_TEXTS = replace(TEXTS, texts=False)
ASKING = replace(
    CUT,
    questions=(
        Question("note", "Anything we should know?"),
        Question("length", "Hair length", QuestionKind.CHOICE, ("Short", "Long"), required=True),
        Question("photos", "Photos are fine", QuestionKind.CONSENT),
        Question("terms", "I agree to the terms", QuestionKind.CONSENT, required=True),
    ),
)
ANSWERED = {"answer-length": "Long", "answer-terms": "yes"}


def read(terms: ContactChoices = TEXTS, **typed: str) -> Any:
    return read_details(terms, CUT, {"name": "Ann Lee", **typed})


@pytest.mark.spec("BK-34")
@pytest.mark.parametrize(
    ("contact", "email", "mobile"),
    [
        ("Ann@Example.org", "ann@example.org", ""),
        ("9123 4567", "", "+6591234567"),
        ("+49 171 1234567", "", "+491711234567"),
    ],
)
def test_one_field_takes_an_address_or_a_number(contact: str, email: str, mobile: str) -> None:
    assert read(contact=contact) == CustomerDetails("Ann Lee", email, mobile, {})


@pytest.mark.parametrize(
    ("contact", "error"),
    [
        ("", "Please give an e-mail address or a mobile number."),
        ("ann", "Please give an e-mail address or a mobile number."),
        ("ann@x.org,bo@x.org", "Please give one e-mail address, like ann@example.org."),
        ("12", "That phone number is too short: is a digit missing?"),
        (
            "+65 6123 4567",
            "Texts don't reach this number. Please give a mobile number or an e-mail address.",
        ),
    ],
)
def test_a_contact_that_reaches_nobody_is_explained(contact: str, error: str) -> None:
    assert read(contact=contact) == {"contact": error}


def test_where_no_texts_can_be_sent_an_address_is_needed() -> None:
    assert "contact" in read(NO_TEXTS, contact="9123 4567")
    assert read(NO_TEXTS, contact="") == {"contact": "Please give an e-mail address."}


def test_the_api_has_two_fields() -> None:
    both = read(email="ann@example.org", mobile="6123 4567")

    assert both == CustomerDetails("Ann Lee", "ann@example.org", "+6561234567", {})


@pytest.mark.spec("BK-37")
def test_questions_are_answered_by_text_choice_or_consent() -> None:
    typed = {"name": "Ann", "contact": "ann@example.org", **ANSWERED, "answer-note": " Curly. "}

    assert read_details(TEXTS, ASKING, typed) == CustomerDetails(
        "Ann", "ann@example.org", "", {"note": "Curly.", "length": "Long", "terms": "yes"}
    )


@pytest.mark.spec("BK-37")
def test_all_errors_are_shown_at_once() -> None:
    typed = {"name": "", "contact": "ann", "answer-length": "Bald", "answer-note": "x" * 501}

    assert read_details(TEXTS, ASKING, typed) == {
        "name": "Please give a name.",
        "contact": "Please give an e-mail address or a mobile number.",
        "answer-note": "Please write at most 500 characters.",
        "answer-length": "Please choose one of these.",
        "answer-terms": "Please tick this to book.",
    }


def test_questions_become_fields() -> None:
    fields = question_fields(ASKING)

    assert [(one.kind, one.name, one.required) for one in fields] == [
        ("text", "answer-note", False),
        ("choice", "answer-length", True),
        ("consent", "answer-photos", False),
        ("consent", "answer-terms", True),
    ]
    assert fields[1].select_options == (
        ("", "Please choose"),
        ("Short", "Short"),
        ("Long", "Long"),
    )
