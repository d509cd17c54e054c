"""Calls language models on Amazon Bedrock with `Converse`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from frontdesk.connect.models.port import (
    MOST_ANSWER,
    AnswerSchema,
    ModelFailed,
    Prompt,
    schema_as_text,
    unwrapped,
)
from frontdesk.connect.network_reasons import network_reason
from frontdesk.logs import without_addresses

_Request = dict[str, Any]

#: Errors that persist until somebody changes the access or a setting.
_DENIED: Final = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "ExpiredTokenException",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationTokenException",
        "NotFoundException",
        "ResourceNotFoundException",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
        "ValidationException",
    }
)
_REJECTED: Final = frozenset({"ValidationException"})


class BedrockModel:
    """`quick` is a client with a short time-out, for prompts that somebody waits for.

    A schema is sent as `outputConfig` first. Some accounts reject that, and compiling a new schema
    can exceed the time-out: then the schema is sent as a tool, and finally as text.
    """

    def __init__(self, client: Any, model: str, quick: Any = None) -> None:
        self._client = client
        self._quick = quick or client
        self._model = model
        self._first_format = 0

    def ask(self, prompt: Prompt) -> str:
        if prompt.answer_schema is None:
            return self._call(self._request(prompt), prompt)
        # Bedrock compiles a new schema first, which takes too long for quick prompts.
        first = max(self._first_format, 1) if prompt.is_quick else self._first_format
        for number in range(first, len(_FORMATS)):
            request = _FORMATS[number](self._request(prompt), prompt.answer_schema)
            try:
                answer = self._call(request, prompt)
            except _Rejected as error:
                if number + 1 == len(_FORMATS):
                    raise ModelFailed(str(error), is_denied=True) from None
                continue
            except _TooSlow as error:
                self._first_format = max(self._first_format, 1)
                raise ModelFailed(str(error)) from None
            self._first_format = max(self._first_format, number if not prompt.is_quick else 0)
            return answer
        raise AssertionError("the last format returns or raises")

    def _request(self, prompt: Prompt) -> _Request:
        return {
            "modelId": self._model,
            "system": [{"text": prompt.system}],
            "messages": [{"role": "user", "content": [{"text": prompt.text}]}],
            "inferenceConfig": {
                "maxTokens": prompt.most_tokens,
                "temperature": prompt.temperature,
            },
        }

    def _call(self, request: _Request, prompt: Prompt) -> str:
        client = self._quick if prompt.is_quick else self._client
        try:
            return _answer(client.converse(**request))
        except ModelFailed:
            raise
        except Exception as error:
            raise _failed(error, has_schema=prompt.answer_schema is not None) from error


class _Rejected(ModelFailed):
    """Bedrock rejected the request; it may accept the schema in another format."""


class _TooSlow(ModelFailed):
    pass


def _failed(error: Exception, *, has_schema: bool) -> ModelFailed:
    """Uses the names of botocore's classes, since botocore is imported lazily."""
    kind = type(error).__name__
    response = getattr(error, "response", None) or {}
    code = str(response.get("Error", {}).get("Code", ""))
    why = f"Bedrock: {_reason(error, response)}"
    if has_schema and (code in _REJECTED or kind == "ParamValidationError"):
        return _Rejected(why, is_denied=True)
    if kind == "ReadTimeoutError":
        return _TooSlow(why)
    return ModelFailed(why, is_denied=is_denied(error))


def _reason(error: Exception, response: Mapping[str, Any]) -> str:
    """Returns the error text of Bedrock, or the reason why there was no answer."""
    answered = response.get("Error", {})
    if text := str(answered.get("Message") or answered.get("Code") or ""):
        return without_addresses(text)
    return network_reason(error)


def is_denied(error: Exception) -> bool:
    """Whether an error of AWS persists until somebody changes the access or a setting."""
    response = getattr(error, "response", None) or {}
    code = str(response.get("Error", {}).get("Code", ""))
    kinds = ("NoCredentialsError", "PartialCredentialsError", "UnknownServiceError")
    return code in _DENIED or type(error).__name__ in kinds


def _answer(response: Mapping[str, Any]) -> str:
    try:
        stop, parts = response["stopReason"], response["output"]["message"]["content"]
        tools = [part["toolUse"]["input"] for part in parts if "toolUse" in part]
        text = "".join(part.get("text", "") for part in parts).strip()
    except (KeyError, TypeError, AttributeError):
        raise ModelFailed("Bedrock: the answer cannot be understood") from None
    if stop not in ("end_turn", "tool_use"):
        raise ModelFailed(f"Bedrock: it stopped: {stop}")
    answer = json.dumps(tools[0]) if tools else unwrapped(text)
    if len(answer) > MOST_ANSWER:
        raise ModelFailed("Bedrock: the answer is too long")
    return answer


def _as_schema(request: _Request, schema: AnswerSchema) -> _Request:
    json_schema = {"name": schema.name, "schema": json.dumps(schema.schema)}
    text_format = {"type": "json_schema", "structure": {"jsonSchema": json_schema}}
    return {**request, "outputConfig": {"textFormat": text_format}}


def _as_tool(request: _Request, schema: AnswerSchema) -> _Request:
    tool = {
        "name": schema.name,
        "description": "Takes the answer.",
        "inputSchema": {"json": dict(schema.schema)},
    }
    choice = {"tool": {"name": schema.name}}
    return {**request, "toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": choice}}


def _as_text(request: _Request, schema: AnswerSchema) -> _Request:
    [system] = request["system"]
    return {**request, "system": [{"text": system["text"] + schema_as_text(schema)}]}


_FORMATS: Final[tuple[Callable[[_Request, AnswerSchema], _Request], ...]] = (
    _as_schema,
    _as_tool,
    _as_text,
)
