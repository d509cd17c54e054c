"""Texts become vectors at Titan and at OpenAI-compatible servers, and the nearest names are
found."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest

from frontdesk.connect.embeddings.openai import MOST_TEXTS, OpenAiEmbedder
from frontdesk.connect.embeddings.port import (
    MOST_CHARACTERS,
    NamesInMemory,
    best_of,
    checked_vector,
)
from frontdesk.connect.embeddings.s3_vectors import IndexChanges, NamesInS3Vectors
from frontdesk.connect.embeddings.titan import DIMENSIONS, TitanEmbedder
from frontdesk.connect.models.port import ModelFailed
from tests.support.embeddings import (
    BUCKET,
    INDEX,
    LocalEmbedder,
    Titan,
    Vectors,
    meaning,
    s3_vectors,
    titan,
)
from tests.support.vendor_server import HTML, Reply, Request, VendorServer, serve

NAMES = {"Haircut": ("Haircut", "trim"), "Colour": ("Colour",), "Massage": ("Massage",)}


@pytest.fixture
def bedrock() -> Iterator[Titan]:
    with titan() as found:
        yield found


@pytest.fixture
def vectors() -> Iterator[Vectors]:
    with s3_vectors() as found:
        yield found


def index(vectors: Vectors, bedrock: Titan, name: str = INDEX) -> NamesInS3Vectors:
    return NamesInS3Vectors(vectors.client(), BUCKET, name, TitanEmbedder(bedrock.client()))


# --- Titan ------------------------------------------------------------------------------------


@pytest.mark.spec("BK-04")
def test_titan_embeds_each_text_into_256_numbers(bedrock: Titan) -> None:
    made = TitanEmbedder(bedrock.client())
    found = made.embed(["Haircut", "x" * 60_000])

    assert [len(each) for each in found] == [DIMENSIONS, DIMENSIONS]
    assert found[0] == pytest.approx(meaning("Haircut"))
    assert bedrock.texts == ["Haircut", "x" * MOST_CHARACTERS]
    assert made.name == "amazon.titan-embed-text-v2:0/256"


@pytest.mark.parametrize(
    ("code", "is_denied"),
    [
        ("AccessDeniedException", True),
        ("ResourceNotFoundException", True),
        ("ValidationException", True),
        ("ThrottlingException", False),
        ("ModelTimeoutException", False),
        ("ServiceUnavailableException", False),
    ],
)
def test_a_refusal_of_titan_says_whether_somebody_must_act(
    bedrock: Titan, code: str, is_denied: bool
) -> None:
    bedrock.denies = code
    with pytest.raises(ModelFailed, match=f"Titan: .*{code}") as failed:
        TitanEmbedder(bedrock.client()).embed(["Haircut"])
    assert failed.value.is_denied is is_denied


@pytest.mark.parametrize(
    "answer",
    [
        {"embedding": [0.5] * 512},
        {"embedding": ["a"] * 256},
        {"embedding": [0.0] * 256},
        {"embedding": None},
        {"vector": [0.5] * 256},
        "no JSON",
    ],
)
def test_an_answer_of_another_shape_is_a_failure(bedrock: Titan, answer: object) -> None:
    bedrock.answers = answer
    with pytest.raises(ModelFailed):
        TitanEmbedder(bedrock.client()).embed(["Haircut"])


def test_titan_that_cannot_be_reached_is_a_failure(bedrock: Titan) -> None:
    bedrock.lose("POST")
    with pytest.raises(ModelFailed) as failed:
        TitanEmbedder(bedrock.client()).embed(["Haircut"])
    assert not failed.value.is_denied


# --- vectors ----------------------------------------------------------------------------------


def test_a_vector_is_scaled_and_one_that_is_none_is_refused() -> None:
    assert checked_vector([3, 4]) == pytest.approx((0.6, 0.8))
    for wrong in ([], [0, 0], [math.nan, 1], [math.inf, 1], "12", None, [1, "2"]):
        with pytest.raises(ModelFailed):
            checked_vector(wrong)
    with pytest.raises(ModelFailed, match="size"):
        checked_vector([1.0], 2)


def test_each_name_has_its_best_score() -> None:
    found = [("b", 0.5), ("a", 0.1), ("a", 0.7), ("c", 0.5)]
    assert best_of(found) == [("a", 0.7), ("b", 0.5), ("c", 0.5)]


# --- S3 Vectors -------------------------------------------------------------------------------


@pytest.mark.spec("BK-04")
def test_the_index_has_each_name_once_and_is_asked_for_the_nearest(
    vectors: Vectors, bedrock: Titan
) -> None:
    made = index(vectors, bedrock)

    assert made.update(NAMES) == IndexChanges(put=4, deleted=0)
    assert vectors.names == ["Colour", "Haircut", "Haircut", "Massage"]
    [(first, score), *_others] = made.nearest("my fringe is in my eyes")
    assert first == "Haircut"
    assert 0.3 < score < 1.0
    assert [name for name, _ in made.nearest("Haircut")] == ["Haircut", "Colour", "Massage"]
    assert made.nearest("Haircut")[0][1] == pytest.approx(1.0)


@pytest.mark.spec("BK-04")
def test_an_unchanged_catalogue_is_not_embedded_again(vectors: Vectors, bedrock: Titan) -> None:
    index(vectors, bedrock).update(NAMES)
    embedded = len(bedrock.texts)

    assert index(vectors, bedrock).update(NAMES) == IndexChanges(put=0, deleted=0)
    assert len(bedrock.texts) == embedded
    assert vectors.operations() == ["ListVectors", "PutVectors", "ListVectors"]


@pytest.mark.spec("BK-04")
def test_a_service_that_goes_is_removed_and_a_new_name_of_one_is_added(
    vectors: Vectors, bedrock: Titan
) -> None:
    made = index(vectors, bedrock)
    made.update(NAMES)

    changed = {"Haircut": ("Haircut", "clip"), "Massage": ("Massage",)}
    assert made.update(changed) == IndexChanges(put=1, deleted=2)
    assert vectors.names == ["Haircut", "Haircut", "Massage"]
    assert made.update({}) == IndexChanges(put=0, deleted=3)
    assert made.nearest("Haircut") == []


def test_many_names_are_put_listed_and_deleted_in_pages(vectors: Vectors, bedrock: Titan) -> None:
    vectors.page = 300
    many = {f"Service {n}": (f"Service {n}",) for n in range(1_200)}
    made = NamesInS3Vectors(vectors.client(), BUCKET, INDEX, LocalEmbedder())

    assert made.update(many) == IndexChanges(put=1_200, deleted=0)
    assert made.update({}) == IndexChanges(put=0, deleted=1_200)
    assert vectors.operations() == [
        "ListVectors", *["PutVectors"] * 3, *["ListVectors"] * 4, *["DeleteVectors"] * 3,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "is_denied"),
    [
        ("AccessDeniedException", True),
        ("NotFoundException", True),
        ("TooManyRequestsException", False),
        ("ServiceUnavailableException", False),
    ],
)
def test_a_refusal_of_s3_vectors_says_whether_somebody_must_act(
    vectors: Vectors, bedrock: Titan, code: str, is_denied: bool
) -> None:
    made = index(vectors, bedrock)
    made.update(NAMES)
    vectors.denies = code
    for ask in (lambda: made.nearest("cut"), lambda: made.update({})):
        with pytest.raises(ModelFailed, match=f"S3 Vectors: .*{code}") as failed:
            ask()
        assert failed.value.is_denied is is_denied


def test_an_index_that_is_not_there_is_a_failure(vectors: Vectors, bedrock: Titan) -> None:
    with pytest.raises(ModelFailed, match="not found"):
        index(vectors, bedrock, "another").update(NAMES)


# --- in memory --------------------------------------------------------------------------------


@pytest.mark.spec("BK-04")
def test_names_in_memory_are_embedded_once_and_follow_the_catalogue() -> None:
    names, embedder = dict(NAMES), LocalEmbedder()
    made = NamesInMemory(embedder, lambda: names)

    assert made.nearest("a fringe trim")[0][0] == "Haircut"
    assert embedder.texts == ["Haircut", "trim", "Colour", "Massage", "a fringe trim"]
    del names["Haircut"]
    names["Nails"] = ("Nails",)
    assert {name for name, _ in made.nearest("my roots")} == {"Colour", "Massage", "Nails"}
    assert embedder.texts[5:] == ["Nails", "my roots"]
    names.clear()
    assert made.nearest("my roots") == []


# --- OpenAI -----------------------------------------------------------------------------------


class OpenAi(VendorServer):
    """Answers `POST /v1/embeddings` as OpenAI documents it, in another order than asked."""

    def __init__(self) -> None:
        super().__init__()
        self.status = 200
        self.instead: object = None

    def reply(self, request: Request) -> Reply:
        assert (request.method, request.path) == ("POST", "/v1/embeddings")
        asked = json.loads(request.body)
        assert asked.keys() == {"model", "input", "encoding_format"}
        data = [
            {"object": "embedding", "index": nth, "embedding": meaning(text, 64)}
            for nth, text in enumerate(asked["input"])
        ]
        usage = {"prompt_tokens": 8, "total_tokens": 8}
        said = {"object": "list", "data": data[::-1], "model": asked["model"], "usage": usage}
        return Reply(self.status, self.instead or said)


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    stand_in = OpenAi()
    with serve(stand_in):
        yield stand_in


def at(openai: OpenAi, key: str = "") -> OpenAiEmbedder:
    return OpenAiEmbedder(f"{openai.address}/v1/", "text-embedding-3-small", key)


@pytest.mark.spec("BK-04")
def test_an_openai_compatible_server_embeds_many_texts_in_their_order(openai: OpenAi) -> None:
    texts = [f"text {n}" for n in range(MOST_TEXTS + 1)]
    found = at(openai, "sk-secret").embed(texts)

    assert found == [pytest.approx(meaning(text, 64)) for text in texts]
    assert len(openai.requests) == 2
    assert openai.requests[0].headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in repr(at(openai, "sk-secret"))


@pytest.mark.parametrize(
    ("status", "is_denied"),
    [(401, True), (404, True), (302, True), (429, False), (500, False)],
)
def test_a_refusal_of_the_server_says_whether_somebody_must_act(
    openai: OpenAi, status: int, is_denied: bool
) -> None:
    openai.status = status
    with pytest.raises(ModelFailed, match=str(status)) as failed:
        at(openai).embed(["cut"])
    assert failed.value.is_denied is is_denied


@pytest.mark.parametrize("instead", [HTML, {"data": []}, {"data": [{"index": 0}]}, {"data": 1}])
def test_an_answer_of_another_shape_from_the_server_is_a_failure(
    openai: OpenAi, instead: object
) -> None:
    openai.instead = instead
    with pytest.raises(ModelFailed):
        at(openai).embed(["cut"])


def test_a_server_that_closes_or_is_not_there_is_a_failure(openai: OpenAi) -> None:
    openai.lose("POST")
    with pytest.raises(ModelFailed, match="cannot be reached"):
        at(openai).embed(["cut"])
    with pytest.raises(ModelFailed, match="cannot be reached"):
        OpenAiEmbedder("http://127.0.0.1:9/v1", "m").embed(["cut"])
