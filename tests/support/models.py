"""Stand-ins for language models: one in this process, and a server with OpenAI's interface.

The server's payloads are those that OpenAI documents for `POST /v1/chat/completions`, with every
field that the defaults return.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from frontdesk.connect.models.port import ModelFailed, Prompt
from tests.support.vendor_server import Reply, Request, answering

KEY = "sk-test-only-0123456789abcdefghijklmnop"
MODEL = "gpt-4.1-mini"


@dataclass
class ScriptedModel:
    """A model with a prepared answer for each task; records the prompts."""

    answers: dict[str, str | Exception] = field(default_factory=dict)
    prompts: list[Prompt] = field(default_factory=list)

    def ask(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        answer = self.answers.get(prompt.task, ModelFailed("nothing to say"))
        if isinstance(answer, Exception):
            raise answer
        return answer


def completion(text: str | None, stop: str = "stop") -> dict[str, Any]:
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-4.1-mini-2025-04-14",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": text,
                    "refusal": None,
                    "annotations": [],
                },
                "logprobs": None,
                "finish_reason": stop,
            }
        ],
        "usage": {
            "prompt_tokens": 19,
            "completion_tokens": 10,
            "total_tokens": 29,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        },
        "service_tier": "default",
        "system_fingerprint": "fp_0123456789",
    }


def error(message: str, code: str | None, param: str | None = None) -> dict[str, Any]:
    kind = "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


WRONG_KEY = error(
    f"Incorrect API key provided: {KEY}. You can find your API key at"
    " https://platform.openai.com/account/api-keys.",
    "invalid_api_key",
)
OLD_LIMIT = error(
    "Unsupported parameter: 'max_tokens' is not supported with this model."
    " Use 'max_completion_tokens' instead.",
    "unsupported_parameter",
    "max_tokens",
)
ONE_TEMPERATURE = error(
    "Unsupported value: 'temperature' does not support 0.0 with this model."
    " Only the default (1) value is supported.",
    "unsupported_value",
    "temperature",
)
NO_SCHEMA = error(
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    None,
    None,
)
Answer = tuple[int, Any]


@dataclass
class ModelServer:
    """Records requests and returns prepared answers in turn; the last one repeats."""

    url: str = ""
    answers: list[Answer | Callable[[Any], Answer]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    embeds: Callable[[str], list[float]] | None = None
    """Embeds a text, if the server has embeddings."""
    embedded: list[str] = field(default_factory=list)

    def take(self, path: str, headers: dict[str, str], body: bytes) -> Answer:
        self.headers.append(headers)
        if path == "/v1/embeddings" and self.embeds is not None:
            return 200, self._vectors(json.loads(body), self.embeds)
        if path != "/v1/chat/completions":
            return 404, error(f"Invalid URL (POST {path})", None)
        self.asked.append(json.loads(body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(self.asked[-1]) if callable(answer) else answer

    def _vectors(self, asked: Any, embeds: Callable[[str], list[float]]) -> Any:
        self.embedded += asked["input"]
        data = [
            {"object": "embedding", "index": nth, "embedding": embeds(text)}
            for nth, text in enumerate(asked["input"])
        ]
        usage = {"prompt_tokens": 8, "total_tokens": 8}
        return {"object": "list", "data": data, "model": asked["model"], "usage": usage}


@contextmanager
def openai_server() -> Iterator[ModelServer]:
    served = ModelServer()

    def reply(request: Request) -> Reply:
        status, said = served.take(request.path, dict(request.headers), request.body)
        headers = {"Content-Type": "application/json"}
        if 300 <= status < 400:
            headers["Location"] = f"{served.url}/elsewhere"
        return Reply(status, said if isinstance(said, bytes) else json.dumps(said), headers)

    with answering(reply) as address:
        served.url = f"{address}/v1"
        yield served
