"""Calls language models at OpenAI-compatible servers (`chat/completions`)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.connect.models.port import (
    MOST_ANSWER,
    AnswerSchema,
    ModelFailed,
    Prompt,
    schema_as_text,
    unwrapped,
)
from frontdesk.values import Frozen

MOST_BYTES: Final = 1_000_000
#: The most attempts with a changed request, if the server does not support a part of it.
MOST_TRIES: Final = 5
_DENIED: Final = frozenset({401, 402, 403, 404})
_REJECTED: Final = frozenset({400, 422})


class _Style(Frozen):
    """The features that this server supports, learned from its errors."""

    schema_as: int = 0
    """0: a JSON schema; 1: any JSON object; 2: text only."""
    has_new_limit: bool = False
    """Uses `max_completion_tokens` instead of `max_tokens`."""
    has_temperature: bool = True


class OpenAiModel:
    """`url` ends before `/chat/completions`, such as `https://api.openai.com/v1`.

    The key goes to no other host, since redirects are not followed.
    """

    def __init__(self, url: str, model: str, key: str = "") -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._model = model
        self._key = key
        self._style = _Style()

    def __repr__(self) -> str:
        return f"OpenAiModel({self._url!r}, {self._model!r})"

    def ask(self, prompt: Prompt) -> str:
        style, until = self._style, time.monotonic() + prompt.seconds
        for _ in range(MOST_TRIES):
            status, data = self._post(self._request(prompt, style), until)
            if status == 200:
                self._style = style
                return _answer(data)
            changed = _changed(style, _error(data), prompt) if status in _REJECTED else None
            if changed is None:
                denied = status in _DENIED or status in _REJECTED or 300 <= status < 400
                raise ModelFailed(f"the model: {status} {_kind(data)}".strip(), is_denied=denied)
            style = changed
        raise ModelFailed("the model: it accepts none of our requests", is_denied=True)

    def _request(self, prompt: Prompt, style: _Style) -> bytes:
        schema, system = prompt.answer_schema, prompt.system
        if schema is not None and style.schema_as > 0:
            system += schema_as_text(schema)
        limit = "max_completion_tokens" if style.has_new_limit else "max_tokens"
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": prompt.text},
            ],
            limit: prompt.most_tokens,
        }
        if style.has_temperature:
            body["temperature"] = prompt.temperature
        if schema is not None and style.schema_as < len(_FORMATS):
            body["response_format"] = _FORMATS[style.schema_as](schema)
        return json.dumps(body).encode()

    def _post(self, body: bytes, until: float) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        left = max(until - time.monotonic(), 0.001)
        try:
            answer = send(self._url, headers, body, seconds=left, within=left, max_bytes=MOST_BYTES)
        except Unreachable as error:
            raise ModelFailed(f"the model cannot be reached: {error}") from None
        except TooLarge:
            raise ModelFailed("the model: the answer is too long") from None
        return answer.status, answer.body


_FORMATS: Final[tuple[Callable[[AnswerSchema], Mapping[str, Any]], ...]] = (
    lambda schema: {
        "type": "json_schema",
        "json_schema": {"name": schema.name, "strict": True, "schema": schema.schema},
    },
    lambda _schema: {"type": "json_object"},
)


def _changed(style: _Style, error: Mapping[str, Any], prompt: Prompt) -> _Style | None:
    """Returns the style for the next try after an error; None if there is no other."""
    text = f"{error.get('param') or ''} {error.get('message') or ''}"
    if "max_tokens" in text and not style.has_new_limit:
        return _Style(style.schema_as, True, style.has_temperature)
    if "temperature" in text and style.has_temperature:
        return _Style(style.schema_as, style.has_new_limit, False)
    if prompt.answer_schema is not None and style.schema_as < len(_FORMATS):
        return _Style(style.schema_as + 1, style.has_new_limit, style.has_temperature)
    return None


def _error(data: bytes) -> Mapping[str, Any]:
    """Parses OpenAI's `{"error": {"message": …, "param": …}}`, and variants of other servers."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    found = content.get("error", content) if isinstance(content, dict) else {}
    if isinstance(found, dict):
        return found
    return {"message": found} if isinstance(found, str) else {}


def _kind(data: bytes) -> str:
    """Returns the code of an error, not its text, which may quote the key or the prompt."""
    error = _error(data)
    code = error.get("code") or error.get("type") or ""
    return str(code)[:60] if isinstance(code, str) else ""


def _answer(data: bytes) -> str:
    try:
        [choice, *_] = json.loads(data)["choices"]
        stop, text = choice.get("finish_reason"), choice["message"]["content"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ModelFailed("the model: the answer has an unknown format") from None
    if stop not in ("stop", None) or not isinstance(text, str):
        raise ModelFailed(f"the model: it stopped: {str(stop)[:30]}")
    if len(text) > MOST_ANSWER:
        raise ModelFailed("the model: the answer is too long")
    return unwrapped(text)
