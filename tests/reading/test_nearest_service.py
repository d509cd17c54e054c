"""A request without a service gets the nearest one as a proposal, which is never certain."""

from __future__ import annotations

import pytest

from frontdesk.connect.embeddings.port import NamesInMemory, NearestNames, Scores
from frontdesk.connect.models.port import ModelFailed
from frontdesk.reading.model import Confidence, Context, Field, ReadFields, Words
from frontdesk.reading.nearest_service import (
    LONGEST_SENTENCE,
    MOST_SENTENCES,
    NearestServiceReader,
)
from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context
from tests.support.embeddings import LocalEmbedder

TEXT = "Hello,\n\nI am new in town. My fringe is in my eyes! Any time suits.\n\nAnn Lee\n"


class Outage:
    def nearest(self, _text: str) -> Scores:
        raise ModelFailed("Titan: down")


class Fixed:
    """Gives the same answer to every sentence, and records the sentences."""

    def __init__(self, *scores: tuple[str, float]) -> None:
        self.scores = list(scores)
        self.texts: list[str] = []

    def nearest(self, text: str) -> Scores:
        self.texts.append(text)
        return self.scores


def names() -> dict[str, tuple[str, ...]]:
    return {each.name: each.names for each in context().services}


def read(text: str, services: NearestNames, of: Context | None = None) -> ReadFields:
    return NearestServiceReader(RulesReader(), services).read(text, of or context())


@pytest.mark.spec("BK-04", "BK-05")
def test_the_sentence_that_is_nearest_to_a_service_proposes_it_and_is_not_certain() -> None:
    assert RulesReader().read(TEXT, context()).service is None

    found = read(TEXT, NamesInMemory(LocalEmbedder(), names))

    sentence = "My fringe is in my eyes"
    assert found.service == Field(
        "Haircut", Confidence.UNSURE, Words(sentence, TEXT.index(sentence))
    )


@pytest.mark.spec("BK-04")
def test_a_service_that_rules_find_is_not_looked_for_again() -> None:
    services = Fixed(("Massage", 0.99))
    text = "A haircut on Friday, please."

    found = read(text, services)

    assert (found, services.texts) == (RulesReader().read(text, context()), [])


@pytest.mark.spec("BK-05")
def test_even_a_perfect_score_is_only_a_proposal() -> None:
    found = read(TEXT, Fixed(("Haircut", 1.0)))

    assert found.service is not None
    assert found.service.confidence is Confidence.UNSURE


@pytest.mark.spec("BK-04")
@pytest.mark.parametrize("scores", [(), (("Haircut", 0.29),), (("A service that is gone", 0.99),)])
def test_weak_matches_and_services_that_are_gone_are_not_proposed(
    scores: tuple[tuple[str, float], ...],
) -> None:
    assert read(TEXT, Fixed(*scores)).service is None


@pytest.mark.spec("BK-04", "FD-30")
def test_an_outage_leaves_the_reading_as_it_is_and_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert read(TEXT, Outage()) == RulesReader().read(TEXT, context())
    assert '"event": "embedding.failed"' in capsys.readouterr().err


def test_a_long_request_is_compared_in_a_few_short_pieces() -> None:
    services = Fixed(("Haircut", 0.5))
    found = read(("word " * 200 + "\n") * 100, services)

    assert len(services.texts) == MOST_SENTENCES
    assert max(map(len, services.texts)) <= LONGEST_SENTENCE
    assert found.service is not None
    assert found.service.words.start == 0, "the first of equals"


def test_pieces_without_words_and_a_business_without_services_are_not_asked_about() -> None:
    services = Fixed(("Haircut", 0.5))
    read("?!\n--\n12:30\n**\n", services)
    read(TEXT, services, Context(context().today, context().zone, "SG"))

    assert services.texts == []
