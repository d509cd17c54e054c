"""Prompts for a model, and how its answers are used."""

from __future__ import annotations

import json

import pytest

from frontdesk.connect.models.port import ModelFailed, Prompt, ask_for_text
from frontdesk.desks.rsvp.prompts import HostAssistant
from frontdesk.desks.rsvp.queries import MEANINGS, DaySpan, GuestQuery, NotUnderstood, Topic
from frontdesk.desks.rsvp.thanks import Evening
from tests.support.models import ScriptedModel

EVENING = Evening("Pottery workshop", "12 Kiln Lane", 24)


@pytest.mark.spec("EV-28")
def test_the_draft_is_asked_for_with_nothing_but_the_evening() -> None:
    model = ScriptedModel({"thanks": " Thank you all. "})

    assert HostAssistant(model).thank(EVENING) == "Thank you all."
    assert model.prompts[0].text == "Event: Pottery workshop\nVenue: 12 Kiln Lane\nGuests: 24"


@pytest.mark.spec("EV-29")
def test_a_query_is_chosen_from_the_closed_list() -> None:
    said = {"query": "cancelled", "person": "", "span": "yesterday", "names": True}
    model = ScriptedModel({"question": json.dumps(said)})

    assert HostAssistant(model).choose("who left?") == GuestQuery(
        Topic.CANCELLED, span=DaySpan.YESTERDAY, names=True
    )
    [prompt] = model.prompts
    assert prompt.answer_schema is not None
    assert prompt.answer_schema.schema["properties"]["query"]["enum"] == [*Topic, "none"]
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
def test_any_other_answer_of_the_model_is_no_query(said: str) -> None:
    assert HostAssistant(ScriptedModel({"question": said})).choose("well?") is None


def test_without_an_answer_of_the_model_there_is_no_text_and_no_error() -> None:
    denied = ModelFailed("denied", is_denied=True)
    assistant = HostAssistant(
        ScriptedModel(dict.fromkeys(("thanks", "figures", "question"), denied))
    )

    assert (assistant.thank(EVENING), assistant.rephrase("q", "a")) == ("", "")
    with pytest.raises(NotUnderstood):
        assistant.choose("q")


def test_a_failed_prompt_gives_an_empty_text() -> None:
    model = ScriptedModel({"summary": ModelFailed("denied", is_denied=True)})

    assert ask_for_text(model, Prompt(task="summary", system="s", text="m")) == ""
