"""A model on Bedrock that finds nicer words. It is told of figures and places, not of people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from frontdesk.desks.rsvp.thanks import Evening
from frontdesk.logs import failure, log

MOST_TOKENS: Final = 500
#: Ours is used instead of whatever is longer.
MOST_WORDS_OF_FIGURES: Final = 300

_THANKS: Final = (
    "You write short thank-you notes that a host sends to all guests after an event."
    " Write the note alone: plain text, two or three short paragraphs, warm and simple,"
    " no subject, no headings, no links, no placeholders, no signature, no names of people."
    " Say nothing that you were not told."
)
_FIGURES: Final = (
    "You say counted figures about an event in one short, friendly sentence."
    " Use every figure that you are given, as digits, and no other number."
    " Say nothing that you were not told."
)


class Haiku:
    """Never raises and never insists: no words are an answer, and then ours are used."""

    def __init__(self, client: Any, model: str) -> None:
        self._client = client
        self._model = model

    def thank(self, evening: Evening) -> str:
        told = f"Event: {evening.event}\nVenue: {evening.venue}\nGuests: {evening.guests}"
        return self._ask("thanks", _THANKS, told)

    def say(self, topic: str, figures: Mapping[str, int]) -> str:
        told = "\n".join(f"{name}: {figure}" for name, figure in figures.items())
        said = self._ask("figures", _FIGURES, f"About: {topic}\n{told}")
        return said if len(said) <= MOST_WORDS_OF_FIGURES else ""

    def _ask(self, what: str, system: str, told: str) -> str:
        try:
            answer = self._client.converse(
                modelId=self._model,
                system=[{"text": system}],
                messages=[{"role": "user", "content": [{"text": told}]}],
                inferenceConfig={"maxTokens": MOST_TOKENS, "temperature": 0.5},
            )
            if answer["stopReason"] != "end_turn":
                raise ValueError(f"it stopped: {answer['stopReason']}")
            parts = answer["output"]["message"]["content"]
            return "".join(part.get("text", "") for part in parts).strip()
        except Exception as error:
            log("model.gave_no_words", what=what, why=failure(error))
            return ""
