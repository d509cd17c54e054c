"""A whole request is read by rules."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Field,
    Reader,
    ReadFields,
    Words,
)
from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import FIELDS, context, requests
from tests.support.processor_time import takes_less_than

CONFIDENT, LIKELY, UNSURE = Confidence
READER: Reader = RulesReader()
OURS = ("desk@salon.example",)
SLOWEST_S = 5.0


@pytest.mark.spec("WL-03")
def test_a_request_becomes_fields_with_their_words() -> None:
    text = "Massage for 2 people with Anna, 4 to 6 December.\nThanks\nIda Blom, ida@blom.example"

    def words(piece: str) -> Words:
        return Words(piece, text.index(piece))

    assert READER.read(text, context()) == ReadFields(
        name=Field("Ida Blom", CONFIDENT, words("Ida Blom")),
        email=Field("ida@blom.example", CONFIDENT, words("ida@blom.example")),
        service=Field("Massage", CONFIDENT, words("Massage")),
        party=Field(2, CONFIDENT, words("2 people")),
        earliest_on=Field(date(2026, 12, 4), CONFIDENT, words("4 to 6 December")),
        latest_on=Field(date(2026, 12, 6), CONFIDENT, words("4 to 6 December")),
        staff=Field("Anna", CONFIDENT, words("Anna")),
    )


def test_a_text_without_wishes_gives_no_fields() -> None:
    assert READER.read("Hello, I have a question.", context()) == ReadFields()


def test_times_of_day_are_shown_to_staff() -> None:
    found = READER.read("On 24 November in the afternoon, after 3 pm", context())

    assert [words.text for words in found.asides] == ["afternoon", "after 3 pm"]


@pytest.mark.spec("WL-03")
def test_tomorrow_counts_from_the_day_the_forwarded_mail_was_written() -> None:
    head = "Date: Sat, 14 Nov 2026 23:30:00 -0500\nSubject: hi\nTo: desk@salon.example\n\n"
    text = f"Begin forwarded message:\n\nFrom: Ann Lee <ann@lee.example>\n{head}tomorrow please"

    found = READER.read(text, context(own=OURS))

    assert found.earliest_on
    assert (found.earliest_on.value, found.earliest_on.confidence) == (
        date(2026, 11, 16),
        CONFIDENT,
    )


def test_without_a_day_of_writing_a_forwarded_tomorrow_is_not_certain() -> None:
    text = (
        "-------- Forwarded Message --------\nFrom: Ann Lee <ann@lee.example>\nSubject: hi\n"
        "To: desk@salon.example\n\ntomorrow please"
    )

    found = READER.read(text, context(own=OURS))

    assert found.earliest_on
    assert found.earliest_on.confidence is LIKELY


@pytest.mark.spec("WL-03")
def test_our_own_text_in_a_mail_is_no_request() -> None:
    text = (
        "Yes please!\n\nFrom: Desk <desk@salon.example>\nSent: Monday, November 16, 2026\nTo: Ann\n"
        "Subject: A place\n\nWe have a massage on 24 November for 2 people with Anna."
    )

    assert READER.read(text, context(own=OURS)) == ReadFields()


PIECES = st.sampled_from(
    [
        *("next", "Tuesday", "3", "03/04", "March", "to", "-", "between", "and", "except", "until"),
        *("\n", "\n\n", ">", "From:", "Date:", "To:", "--", ",", ".", "|", "Name:", "for", "two"),
        *(
            "+49 171",
            "2345678",
            "ann@",
            "x.example",
            "Anna",
            "with",
            "haircut",
            "can't",
            "die Woche",
        ),
        *(
            "à",
            "ß",
            "İ",
            "ﬁ",
            "\u202e",
            "\ud800",
            "\x00",
            "١٢",
            "🎉",
            "20",
            "2026",
            "31",
            "the",
            "th",
        ),
    ]
)
ANY_TEXT = st.one_of(
    st.text(st.characters(), max_size=300),
    st.lists(PIECES, max_size=60).map(" ".join),
    st.lists(PIECES, max_size=60).map("".join),
)


@pytest.mark.spec("FD-27")
@given(ANY_TEXT, st.sampled_from(["DE", "US", "FR"]))
@settings(max_examples=250, deadline=None)
def test_any_text_gives_an_answer_whose_words_are_in_it(text: str, country: str) -> None:
    found = READER.read(text, context(country, own=OURS))

    fields = [field for name in FIELDS if (field := getattr(found, name))]
    for words in (*found.asides, *(field.words for field in fields)):
        assert words.text
        assert text[words.start : words.end] == words.text


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            " ",
            "\n",
            "> ",
            "3",
            "3 ",
            "3/",
            "3.",
            "-",
            "+",
            "(1 ",
            "a@a.",
            "a.",
            "@",
            "March ",
        ),
        *(
            "next ",
            "Tuesday ",
            "Tuesday or ",
            "between 3 and ",
            "3, ",
            "not ",
            "before the ",
            "can't ",
        ),
        *(
            "From: a\n",
            "Name: ",
            "| Name ",
            "A ",
            "Ann Lee ",
            "my name is ",
            "haircut ",
            "haircu ",
            "for 2 ",
        ),
        *(
            "Thanks\n",
            "--\n",
            "was a b c d e ",
            "two people and ",
            "before a b c ",
            "\t",
            "é",
            "\ud800",
        ),
        *(
            "Big hug, Mira ",
            "First name: A\nLast name: B\n",
            "Ann\n",
            "A. ",
            "my friend Anna and ",
            "0171 ",
            "burned a b on ",
            "Fr oder ",
        ),
    ],
)
def test_repeated_text_does_not_make_reading_slow(piece: str) -> None:
    text = (piece * (2 * MOST_CHARACTERS // len(piece)))[: 2 * MOST_CHARACTERS]

    assert takes_less_than(SLOWEST_S, lambda: READER.read(text, context(own=OURS)))


def test_reading_twice_gives_the_same() -> None:
    for request in requests():
        assert READER.read(request.text, request.context) == READER.read(
            request.text, request.context
        )
