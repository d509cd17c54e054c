"""What a model is asked to write or to choose, and what becomes of its answers."""

from __future__ import annotations

import json

import pytest

from frontdesk.connect.models.port import ModelFailed
from frontdesk.connect.models.writer import Writer
from frontdesk.desks.rsvp.queries import MEANINGS, NotUnderstood, Query, Span, Topic
from frontdesk.desks.rsvp.thanks import Evening
from tests.support.models import Told

EVENING = Evening("Pottery workshop", "12 Kiln Lane", 24)


@pytest.mark.spec("EV-28")
def test_the_draft_is_asked_for_with_nothing_but_the_evening() -> None:
    model = Told({"thanks": " Thank you all. "})

    assert Writer(model).thank(EVENING) == "Thank you all."
    assert model.prompts[0].text == "Event: Pottery workshop\nVenue: 12 Kiln Lane\nGuests: 24"


@pytest.mark.spec("EV-29")
def test_a_query_is_chosen_from_the_closed_list() -> None:
    said = {"query": "cancelled", "person": "", "span": "yesterday", "names": True}
    model = Told({"question": json.dumps(said)})

    assert Writer(model).choose("who left?") == Query(
        Topic.CANCELLED, span=Span.YESTERDAY, names=True
    )
    [prompt] = model.prompts
    assert prompt.form is not None
    assert prompt.form.schema["properties"]["query"]["enum"] == [*Topic, "none"]
    assert set(MEANINGS) == set(Topic)
    assert prompt.text == "<question>\nwho left?\n</question>"


@pytest.mark.spec("EV-29", "FD-27")
@pytest.mark.parametrize(
    "said",
    [
        '{"query": "none", "person": "", "span": "", "names": false}',
        '{"query": "delete_all", "person": "", "span": "", "names": false}',
        '{"query": "free", "person": "", "span": "tomorrow", "names": false}',
        '{"query": "free", "person": 7}',
        '{"query": "free", "sql": "DROP TABLE"}',
        "Sure! The query is free.",
        "[" * 10_000,
        "",
    ],
)
def test_anything_else_is_no_query(said: str) -> None:
    assert Writer(Told({"question": said})).choose("well?") is None


def test_without_an_answer_there_are_no_words_and_no_error() -> None:
    denied = ModelFailed("denied", is_denied=True)
    writer = Writer(Told(dict.fromkeys(("thanks", "figures", "question", "summary"), denied)))

    assert (writer.thank(EVENING), writer.rephrase("q", "a"), writer.month("m")) == ("", "", "")
    with pytest.raises(NotUnderstood):
        writer.choose("q")
