"""The interface of every language model: a prompt in, text or a failure out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from frontdesk.logs import failure, log
from frontdesk.values import Frozen

#: The time limit for an answer.
TIMEOUT_SECONDS: Final = 40.0
#: The time limit while somebody waits for a page.
QUICK_SECONDS: Final = 8.0
MOST_ANSWER: Final = 20_000


class AnswerSchema(Frozen):
    """The JSON schema that an answer must follow."""

    name: str
    schema: Mapping[str, Any]


class Prompt(Frozen, kw_only=True):
    task: str
    """The name for logs: 'thanks', 'request'."""
    system: str
    text: str
    answer_schema: AnswerSchema | None = None
    most_tokens: int = 500
    temperature: float = 0.0
    is_quick: bool = False
    """Somebody waits for a page: the short time limit applies."""

    @property
    def seconds(self) -> float:
        return QUICK_SECONDS if self.is_quick else TIMEOUT_SECONDS


class ModelFailed(Exception):
    """A model gave no usable answer or vectors. The text says why; it names no key and no person.

    `is_denied` means that it fails until somebody changes the access, the key or a setting.
    """

    def __init__(self, why: str, *, is_denied: bool = False) -> None:
        super().__init__(why)
        self.is_denied = is_denied


class LanguageModel(Protocol):
    def ask(self, prompt: Prompt) -> str:
        """Returns the answer: JSON if the prompt has a schema. Raises only `ModelFailed`."""


def ask_for_text(model: LanguageModel, prompt: Prompt) -> str:
    """Returns the answer, or an empty text if there is none. The caller then uses its own."""
    try:
        return model.ask(prompt).strip()
    except ModelFailed as error:
        log("model.no_answer", what=prompt.task, why=failure(error))
        return ""


def schema_as_text(schema: AnswerSchema) -> str:
    """Returns the schema as part of the instructions, for models without schemas."""
    text = json.dumps(schema.schema)
    return (
        " Answer with one JSON object and nothing else: no explanation, no code fence."
        f" The object follows this JSON schema: {text}"
    )


_FENCE: Final = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_THOUGHTS: Final = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


def unwrapped(answer: str) -> str:
    """Removes the code fence or the thoughts that some models put around an answer."""
    text = _THOUGHTS.sub("", answer).strip()
    fenced = _FENCE.match(text)
    return fenced[1] if fenced else text
