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
    bare,
    in_words,
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
_NOT_TAKEN: Final = frozenset({"ValidationException"})


class BedrockModel:
    """`quick` is a client with a short time-out, for prompts that somebody waits for.

    A form is sent as `outputConfig` first. Some accounts reject that, and compiling a new schema
    can exceed the time-out: then the form is sent as a tool, and finally as text.
    """

    def __init__(self, client: Any, model: str, quick: Any = None) -> None:
        self._client = client
        self._quick = quick or client
        self._model = model
        self._first_way = 0

    def ask(self, prompt: Prompt) -> str:
        if prompt.form is None:
            return self._call(self._request(prompt), prompt)
        # Bedrock compiles a new schema first, which takes too long for quick prompts.
        first = max(self._first_way, 1) if prompt.is_quick else self._first_way
        for way in range(first, len(_WAYS)):
            request = _WAYS[way](self._request(prompt), prompt.form)
            try:
                answer = self._call(request, prompt)
            except _NotTaken as error:
                if way + 1 == len(_WAYS):
                    raise ModelFailed(str(error), is_denied=True) from None
                continue
            except _TooSlow as error:
                self._first_way = max(self._first_way, 1)
                raise ModelFailed(str(error)) from None
            self._first_way = max(self._first_way, way if not prompt.is_quick else 0)
            return answer
        raise AssertionError("the last way returns or raises")

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
            raise _failed(error, has_form=prompt.form is not None) from error


class _NotTaken(ModelFailed):
    """Bedrock rejected the request; it may accept the form in another way."""


class _TooSlow(ModelFailed):
    pass


def _failed(error: Exception, *, has_form: bool) -> ModelFailed:
    """Uses the names of botocore's classes, since botocore is imported lazily."""
    kind = type(error).__name__
    said = getattr(error, "response", None) or {}
    code = str(said.get("Error", {}).get("Code", ""))
    why = f"Bedrock: {_reason(error, said)}"
    if has_form and (code in _NOT_TAKEN or kind == "ParamValidationError"):
        return _NotTaken(why, is_denied=True)
    if kind == "ReadTimeoutError":
        return _TooSlow(why)
    return ModelFailed(why, is_denied=is_denied(error))


def _reason(error: Exception, said: Mapping[str, Any]) -> str:
    """Returns the words of Bedrock if it answered, else why it could not be asked."""
    answered = said.get("Error", {})
    if text := str(answered.get("Message") or answered.get("Code") or ""):
        return without_addresses(text)
    return network_reason(error)


def is_denied(error: Exception) -> bool:
    """Whether an error of AWS persists until somebody changes the access or a setting."""
    said = getattr(error, "response", None) or {}
    code = str(said.get("Error", {}).get("Code", ""))
    kinds = ("NoCredentialsError", "PartialCredentialsError", "UnknownServiceError")
    return code in _DENIED or type(error).__name__ in kinds


def _answer(said: Mapping[str, Any]) -> str:
    try:
        stop, parts = said["stopReason"], said["output"]["message"]["content"]
        tools = [part["toolUse"]["input"] for part in parts if "toolUse" in part]
        text = "".join(part.get("text", "") for part in parts).strip()
    except (KeyError, TypeError, AttributeError):
        raise ModelFailed("Bedrock: the answer cannot be understood") from None
    if stop not in ("end_turn", "tool_use"):
        raise ModelFailed(f"Bedrock: it stopped: {stop}")
    answer = json.dumps(tools[0]) if tools else bare(text)
    if len(answer) > MOST_ANSWER:
        raise ModelFailed("Bedrock: the answer is too long")
    return answer


def _as_schema(request: _Request, form: AnswerSchema) -> _Request:
    schema = {"name": form.name, "schema": json.dumps(form.schema)}
    text_format = {"type": "json_schema", "structure": {"jsonSchema": schema}}
    return {**request, "outputConfig": {"textFormat": text_format}}


def _as_tool(request: _Request, form: AnswerSchema) -> _Request:
    tool = {
        "name": form.name,
        "description": "Takes the answer.",
        "inputSchema": {"json": dict(form.schema)},
    }
    choice = {"tool": {"name": form.name}}
    return {**request, "toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": choice}}


def _as_words(request: _Request, form: AnswerSchema) -> _Request:
    [system] = request["system"]
    return {**request, "system": [{"text": system["text"] + in_words(form)}]}


_WAYS: Final[tuple[Callable[[_Request, AnswerSchema], _Request], ...]] = (
    _as_schema,
    _as_tool,
    _as_words,
)
