"""A model at an OpenAI-compatible address: a stand-in answers as OpenAI documents."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator

import pytest

from frontdesk.connect.models.openai import MOST_BYTES, OpenAiModel
from frontdesk.connect.models.port import AnswerSchema, ModelFailed, Prompt
from tests.support.models import (
    KEY,
    MODEL,
    NO_SCHEMA,
    OLD_LIMIT,
    ONE_TEMPERATURE,
    WRONG_KEY,
    ModelServer,
    completion,
    openai_server,
)

FORM = AnswerSchema("choice", {"type": "object", "properties": {"n": {"type": "integer"}}})
PLAIN = Prompt(task="thanks", system="Be brief.", text="Hello.", temperature=0.5)
FORMED = Prompt(task="request", system="Read it.", text="For two.", answer_schema=FORM)


@pytest.fixture
def served() -> Iterator[ModelServer]:
    with openai_server() as found:
        yield found


def model(served: ModelServer, key: str = KEY) -> OpenAiModel:
    return OpenAiModel(served.url, MODEL, key)


def test_it_is_asked_with_the_key_and_answers_in_words(served: ModelServer) -> None:
    served.answers = [(200, completion("  Thank you all.\n"))]

    assert model(served).ask(PLAIN) == "Thank you all."

    assert served.headers[0]["authorization"] == f"Bearer {KEY}"
    assert served.asked == [
        {
            "model": MODEL,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Hello."},
            ],
            "max_tokens": 500,
            "temperature": 0.5,
        }
    ]


def test_a_server_without_keys_gets_none(served: ModelServer) -> None:
    served.answers = [(200, completion("Hi."))]

    model(served, key="").ask(PLAIN)

    assert "authorization" not in served.headers[0]


def test_a_form_is_sent_as_a_schema(served: ModelServer) -> None:
    served.answers = [(200, completion('{"n": 2}'))]

    assert model(served).ask(FORMED) == '{"n": 2}'

    assert served.asked[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "choice", "strict": True, "schema": FORM.schema},
    }


def test_a_parameter_that_the_server_does_not_know_is_left_out_from_then_on(
    served: ModelServer,
) -> None:
    served.answers = [
        (400, OLD_LIMIT),
        (400, ONE_TEMPERATURE),
        (400, NO_SCHEMA),
        (200, completion('```json\n{"n": 2}\n```')),
    ]
    asked = model(served)

    assert (asked.ask(FORMED), asked.ask(FORMED)) == ('{"n": 2}', '{"n": 2}')

    assert len(served.asked) == 5
    last = served.asked[-1]
    assert last["response_format"] == {"type": "json_object"}
    assert last["max_completion_tokens"] == 500
    assert not {"max_tokens", "temperature"} & set(last)
    assert json.dumps(FORM.schema) in last["messages"][0]["content"]


def test_a_server_that_takes_no_form_at_all_gets_it_in_words(served: ModelServer) -> None:
    """Some local servers answer 400 with their own kind of error."""
    served.answers = [
        (400, {"error": "json_schema is not supported"}),
        (422, {"detail": [{"loc": ["body", "response_format"], "msg": "extra fields"}]}),
        (200, completion('<think>\nTwo, then.\n</think>\n\n{"n": 2}')),
    ]

    assert model(served).ask(FORMED) == '{"n": 2}'
    assert "response_format" not in served.asked[-1]


@pytest.mark.parametrize(
    ("answer", "is_denied"),
    [
        ((401, WRONG_KEY), True),
        ((403, {}), True),
        ((404, {"error": {"code": "model_not_found"}}), True),
        ((302, {}), True),
        ((400, {}), True),
        ((429, {"error": {"code": "rate_limit_exceeded"}}), False),
        ((500, b"<html>"), False),
        ((503, b"[" * 100_000), False),
        ((200, b""), False),
        ((200, b"[" * 100_000), False),
        ((200, {"choices": []}), False),
        ((200, completion(None)), False),
        ((200, completion("Thank y", "length")), False),
        ((200, completion("no", "content_filter")), False),
        ((200, completion("x" * 30_000)), False),
        ((200, b" " * (MOST_BYTES + 10)), False),
    ],
)
def test_each_failure_is_a_sentence_without_the_key(
    served: ModelServer, answer: tuple[int, object], is_denied: bool
) -> None:
    served.answers = [answer]

    with pytest.raises(ModelFailed) as failed:
        model(served).ask(PLAIN)

    assert failed.value.is_denied is is_denied
    assert KEY[:10] not in f"{failed.value} {failed.value!r} {model(served)!r}"
    assert len(str(failed.value)) < 200


def test_a_redirect_does_not_take_the_key_elsewhere(served: ModelServer) -> None:
    served.answers = [(307, {})]

    with pytest.raises(ModelFailed):
        model(served).ask(PLAIN)

    assert len(served.headers) == 1


def test_a_refused_connection_is_a_temporary_failure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"

        with pytest.raises(ModelFailed) as failed:
            OpenAiModel(url, MODEL, KEY).ask(PLAIN)

    assert not failed.value.is_denied


def test_a_server_that_never_answers_is_waited_for_within_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("frontdesk.connect.models.port.QUICK_SECONDS", 0.2)
    quick = Prompt(task="question", system="", text="", is_quick=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"

        with pytest.raises(ModelFailed, match="it did not answer in time"):
            OpenAiModel(url, MODEL, KEY).ask(quick)


@pytest.mark.parametrize("status", [200, 500])
def test_a_very_slow_answer_is_abandoned_at_the_time_limit(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("frontdesk.connect.models.port.QUICK_SECONDS", 0.3)
    quick = Prompt(task="question", system="", text="", is_quick=True)
    with socket.create_server(("127.0.0.1", 0)) as slow:
        thread = threading.Thread(target=_drip, args=(slow, status), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{slow.getsockname()[1]}/v1"

        with pytest.raises(ModelFailed, match="it did not answer in time"):
            OpenAiModel(url, MODEL, KEY).ask(quick)
    thread.join()


def _drip(slow: socket.socket, status: int) -> None:
    """Sends a byte now and then, for as long as the client listens."""
    with slow.accept()[0] as visitor, contextlib.suppress(OSError):
        visitor.sendall(f"HTTP/1.1 {status} X\r\nContent-Length: 100000\r\n\r\n".encode())
        wait = threading.Event()
        while not wait.wait(0.05):
            visitor.sendall(b" ")
