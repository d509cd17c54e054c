"""Fields in a model's answer count only if the text supports them."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.reading.answer_validation import BadAnswer, checked
from frontdesk.reading.model import Confidence, Field, ReadFields, Words
from tests.reading.corpus import context

CONFIDENT, LIKELY, UNSURE = Confidence
TEXT = (
    "Hi, I'm Ida Blom. A massage for two on 4 December with Ben,\n"
    "or 03/04. I can't do 9 December. Call 0171 2345678, ida@blom.example.\n"
    "\n"
    "On Mon, 16 Nov 2026, Desk <desk@salon.example> wrote:\n"
    "> We have a manicure on 24 November."
)


def claim(value: object, quote: str, confidence: str = "confident") -> dict[str, object]:
    return {"value": value, "confidence": confidence, "quote": quote}


def check(**claims: object) -> ReadFields:
    return checked(json.dumps(claims), TEXT, context(own=("desk@salon.example",)))


def words(piece: str) -> Words:
    return Words(piece, TEXT.index(piece))


@pytest.mark.spec("WL-03")
def test_a_field_that_is_in_the_text_is_kept() -> None:
    day = "on 4 December"
    assert check(
        name=claim("Ida Blom", "I'm Ida Blom", "likely"),
        phone=claim("+491712345678", "0171 2345678"),
        email=claim("ida@blom.example", "ida@blom.example"),
        service=claim("Massage", "A massage"),
        party=claim(2, "for two"),
        earliest_on=claim("2026-12-04", day),
        latest_on=claim("2026-12-04", day),
        staff=claim("Ben Carter", "with  Ben,"),
    ) == ReadFields(
        name=Field("Ida Blom", LIKELY, words("I'm Ida Blom")),
        phone=Field("+491712345678", CONFIDENT, words("0171 2345678")),
        email=Field("ida@blom.example", CONFIDENT, words("ida@blom.example")),
        service=Field("Massage", CONFIDENT, words("A massage")),
        party=Field(2, CONFIDENT, words("for two")),
        earliest_on=Field(date(2026, 12, 4), CONFIDENT, words(day)),
        latest_on=Field(date(2026, 12, 4), CONFIDENT, words(day)),
        staff=Field("Ben Carter", CONFIDENT, words("with Ben,")),
    )


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("field", "value", "quote"),
    [
        ("earliest_on", "2026-12-05", "on 4 December"),
        ("earliest_on", "2026-12-04", "on 5 December"),
        ("earliest_on", "2026-12-04", ""),
        ("earliest_on", "2026-12-04", "Hi"),
        ("earliest_on", "2026-12-09", "9 December"),
        ("earliest_on", "2026-11-24", "24 November"),
        ("latest_on", 20261204, "on 4 December"),
        ("name", "Eve Adams", "Ida Blom"),
        ("name", "Ida", "Hi"),
        ("phone", "+491712345679", "0171 2345678"),
        ("email", "eve@blom.example", "ida@blom.example"),
        ("email", "desk@salon.example", "desk@salon.example"),
        ("service", "Manicure", "A massage"),
        ("service", "Manicure", "a manicure"),
        ("party", 3, "for two"),
        ("party", "2", "for two"),
        ("party", -1, "for two"),
        ("staff", "Anna", "with Ben"),
        ("staff", "Zoe", "with Ben"),
    ],
)
def test_a_field_that_is_not_in_the_text_is_dropped(field: str, value: object, quote: str) -> None:
    assert check(**{field: claim(value, quote)}) == ReadFields()


def test_a_model_cannot_be_surer_than_the_words_allow() -> None:
    found = check(earliest_on=claim("2027-04-03", "03/04"))

    assert found == ReadFields(earliest_on=Field(date(2027, 4, 3), UNSURE, words("03/04")))


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(("value", "is_kept"), [("2026-11-15", True), ("2026-11-17", False)])
def test_tomorrow_counts_from_the_day_the_text_was_written(value: str, is_kept: bool) -> None:
    text = (
        "From: Ann Lee <ann@lee.example>\nDate: Sat, 14 Nov 2026 10:00:00 +0100\nTo: us\n\n"
        "A massage tomorrow, please."
    )
    answer = json.dumps({"latest_on": claim(value, "massage tomorrow")})

    assert bool(checked(answer, text, context()).latest_on) is is_kept


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "answer",
    [
        "", "Sure! {}", "[]", "null", "{", '{"name": "Ida"}', '{"wish": null}', "[" * 10_000,
        '{"name": {"value": "Ida", "confidence": "certain", "quote": "Ida"}}',
        '{"name": {"value": "Ida", "confidence": "likely", "quote": "Ida", "rank": 1}}',
        '{"party": {"value": 2.5, "confidence": "likely", "quote": "two"}}',
        '{"party": NaN}', b"\xff\xfe", " " * 20_001,
    ],
)  # fmt: skip
def test_an_answer_of_another_form_is_refused(answer: str | bytes) -> None:
    with pytest.raises(BadAnswer):
        checked(answer, TEXT, context())


FIELD_NAMES = st.sampled_from(
    ["name", "phone", "email", "service", "party", "earliest_on", "staff"]
)
CLAIMS = st.fixed_dictionaries(
    {
        "value": st.one_of(st.text(max_size=20), st.integers(), st.just("2026-12-04")),
        "confidence": st.sampled_from(list(Confidence)),
        "quote": st.one_of(
            st.text(max_size=20), st.sampled_from(TEXT.split()), st.just("on 4 December")
        ),
    }
)


@given(st.dictionaries(FIELD_NAMES, CLAIMS))
@settings(max_examples=100, deadline=None)
def test_any_claim_is_kept_with_its_words_or_dropped(claims: dict[str, Any]) -> None:
    found = check(**claims)

    for name in claims:
        field = getattr(found, name)
        assert field is None or TEXT[field.words.start : field.words.end] == field.words.text
