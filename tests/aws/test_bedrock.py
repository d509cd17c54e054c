"""A model may find nicer words; whatever it does, ours are there."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from frontdesk.connect.bedrock import Haiku
from frontdesk.desks.rsvp.answers import Answer
from frontdesk.desks.rsvp.ask import _spoken_by
from frontdesk.desks.rsvp.thanks import Evening
from tests.aws.payloads import Recorder, refusal

MODEL = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
EVENING = Evening("Pottery workshop", "12 Kiln Lane", 24)


def answer(text: str, stop: str = "end_turn") -> dict[str, Any]:
    return {
        "output": {"message": {"role": "assistant", "content": [{"text": text}]}},
        "stopReason": stop,
        "usage": {"inputTokens": 60, "outputTokens": 40, "totalTokens": 100},
        "metrics": {"latencyMs": 400},
    }


@pytest.mark.spec("EV-28")
def test_the_draft_is_asked_for_with_nothing_but_the_evening() -> None:
    bedrock = Recorder("bedrock-runtime", [answer("  Thank you all.\n")])

    assert Haiku(bedrock, MODEL).thank(EVENING) == "Thank you all."

    [(name, request)] = bedrock.calls
    assert (name, request["modelId"]) == ("converse", MODEL)
    assert request["messages"] == [
        {
            "role": "user",
            "content": [{"text": "Event: Pottery workshop\nVenue: 12 Kiln Lane\nGuests: 24"}],
        }
    ]


def test_figures_are_said_in_its_words_if_it_says_them_all() -> None:
    figures = {"free": 3, "cap": 20}
    given = Answer("free", "3 of 20 seats are free.", figures=figures)
    bedrock = Recorder("bedrock-runtime", [answer("Still 3 of your 20 seats to go!")])

    said = _spoken_by(Haiku(bedrock, MODEL), given)

    assert said.text == "Still 3 of your 20 seats to go!"
    assert bedrock.calls[0][1]["messages"][0]["content"] == [
        {"text": "About: free\nfree: 3\ncap: 20"}
    ]


@pytest.mark.parametrize(
    "outcome",
    [
        refusal("ThrottlingException", "", 429),
        refusal("AccessDeniedException", "", 403),
        ReadTimeoutError(endpoint_url="https://bedrock"),
        answer("Thank you", "max_tokens"),
        answer(""),
        {"output": {}, "stopReason": "end_turn"},
        RuntimeError("whatever"),
    ],
)
def test_whatever_it_does_there_are_no_words_and_no_error(outcome: Any) -> None:
    bedrock = Recorder("bedrock-runtime", [outcome])

    model = Haiku(bedrock, MODEL)

    assert (model.thank(EVENING), model.say("free", {"free": 3})) == ("", "")
