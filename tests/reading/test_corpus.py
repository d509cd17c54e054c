"""Counts on a corpus how well requests in people's own words are read."""

import pytest

from frontdesk.reading.model import Confidence
from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import (
    FIELDS,
    FILES,
    HELD_OUT,
    TRAPS,
    Finding,
    figures,
    findings,
    requests,
)

DATES = ("earliest_on", "latest_on")


@pytest.fixture(scope="module")
def corpus() -> list[Finding]:
    return findings(RulesReader(), *FILES)


@pytest.fixture(scope="module")
def held_out() -> list[Finding]:
    return findings(RulesReader(), *HELD_OUT)


@pytest.fixture(scope="module")
def traps() -> list[Finding]:
    return findings(RulesReader(), TRAPS)


@pytest.fixture(scope="module")
def found(corpus: list[Finding], held_out: list[Finding], traps: list[Finding]) -> list[Finding]:
    return [*corpus, *held_out, *traps]


def test_the_corpus_is_large_and_every_request_has_a_name_of_its_own() -> None:
    ids = [request.id for request in requests()]

    assert len(ids) >= 700
    assert len(set(ids)) == len(ids)
    assert {name for each in requests() for name in each.expect} == set(FIELDS)


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("which", ["corpus", "held_out", "traps"])
def test_certain_fields_are_right(which: str, request: pytest.FixtureRequest) -> None:
    found: list[Finding] = request.getfixturevalue(which)
    print(figures(found))
    certain = [each for each in found if each.is_certain]
    right = [each for each in certain if each.is_right]

    assert len(right) >= 0.98 * len(certain)


@pytest.mark.parametrize(
    ("name", "share"),
    {
        "name": 0.6, "phone": 0.7, "email": 0.9, "service": 0.85, "party": 0.55,
        "earliest_on": 0.3, "latest_on": 0.3, "staff": 0.7,
    }.items(),
)  # fmt: skip
def test_not_all_fields_may_be_unsure(corpus: list[Finding], name: str, share: float) -> None:
    there = [each for each in corpus if each.name == name and each.expected is not None]
    certain = [each for each in there if each.is_certain]

    assert len(certain) >= share * len(there)


@pytest.mark.spec("WL-03")
def test_no_date_is_proposed_where_the_text_has_none(found: list[Finding]) -> None:
    without = [each for each in _beyond_what_is_said(found) if not set(DATES) & each.said]

    assert without == []


def test_an_end_that_is_left_open_stays_open(corpus: list[Finding], traps: list[Finding]) -> None:
    assert _beyond_what_is_said([*corpus, *traps]) == []


def test_an_end_that_was_left_open_is_never_certain(held_out: list[Finding]) -> None:
    assert [each for each in _beyond_what_is_said(held_out) if each.is_certain] == []


def _beyond_what_is_said(found: list[Finding]) -> list[Finding]:
    """Returns dates that were found although the request names none, or none for that end."""
    return [
        each
        for each in found
        if each.name in DATES
        and each.found
        and each.expected is None
        and each.name not in each.said
    ]


@pytest.mark.spec("WL-03")
def test_an_ambiguous_field_is_never_certain(found: list[Finding]) -> None:
    too_sure = [
        (each.request.id, each.name) for each in found
        if each.is_certain and each.name in each.request.not_sure
    ]  # fmt: skip

    assert too_sure == []


@pytest.mark.spec("WL-03")
def test_every_value_names_the_words_it_came_from_and_where_they_stand(
    found: list[Finding],
) -> None:
    for each in found:
        if each.found:
            words = each.found.words
            assert words.text, each.request.id
            assert each.request.text[words.start : words.end] == words.text, each.request.id


@pytest.mark.parametrize("name", FIELDS)
def test_most_expected_values_are_found(corpus: list[Finding], name: str) -> None:
    there = [each for each in corpus if each.name == name and each.expected is not None]
    right = [each for each in there if each.is_right]
    proposed = [
        each
        for each in corpus
        if each.name == name and each.found and each.found.confidence is not Confidence.UNSURE
    ]
    right_of_those = [each for each in proposed if each.is_right]

    assert len(right) >= 0.85 * len(there)
    assert len(right_of_those) >= 0.93 * len(proposed)
