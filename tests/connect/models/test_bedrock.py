"""A model on Bedrock: requests and answers match AWS's own description."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import NoCredentialsError, ParamValidationError, ReadTimeoutError

from frontdesk.connect.models.bedrock import BedrockModel
from frontdesk.connect.models.port import AnswerSchema, ModelFailed, Prompt
from tests.aws.payloads import Recorder, refusal

MODEL = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
FORM = AnswerSchema("choice", {"type": "object", "properties": {"n": {"type": "integer"}}})
PLAIN = Prompt(task="thanks", system="Be brief.", text="Hello.", temperature=0.5)
FORMED = Prompt(task="request", system="Read it.", text="For two.", answer_schema=FORM)
NO_SCHEMA = refusal(
    "ValidationException",
    "The model returned the following errors: output_config.format: Extra inputs are not permitted",
)
SLOW = ReadTimeoutError(endpoint_url="https://bedrock-runtime.example")


def answer(text: str, stop: str = "end_turn") -> dict[str, Any]:
    return _said([{"text": text}], stop)


def by_tool(value: Any) -> dict[str, Any]:
    use = {"toolUseId": "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q", "name": "choice", "input": value}
    return _said([{"text": "Here it is."}, {"toolUse": use}], "tool_use")


def _said(content: list[Any], stop: str) -> dict[str, Any]:
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": stop,
        "usage": {"inputTokens": 60, "outputTokens": 40, "totalTokens": 100},
        "metrics": {"latencyMs": 400},
    }


def asked_of(bedrock: Recorder) -> list[dict[str, Any]]:
    return [request for _, request in bedrock.calls]


def test_it_is_asked_by_converse_and_answers_in_words() -> None:
    bedrock = Recorder("bedrock-runtime", [answer("  Thank you all.\n")])

    assert BedrockModel(bedrock, MODEL).ask(PLAIN) == "Thank you all."

    assert asked_of(bedrock) == [
        {
            "modelId": MODEL,
            "system": [{"text": "Be brief."}],
            "messages": [{"role": "user", "content": [{"text": "Hello."}]}],
            "inferenceConfig": {"maxTokens": 500, "temperature": 0.5},
        }
    ]


def test_an_account_that_rejects_a_schema_is_asked_by_a_tool_from_then_on() -> None:
    bedrock = Recorder("bedrock-runtime", [NO_SCHEMA, by_tool({"n": 2}), by_tool({"n": 3})])
    model = BedrockModel(bedrock, MODEL)

    assert (model.ask(FORMED), model.ask(FORMED)) == ('{"n": 2}', '{"n": 3}')

    schema, tool, again = asked_of(bedrock)
    assert json.loads(
        schema["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]
    ) == dict(FORM.schema)
    assert "outputConfig" not in tool
    assert tool["toolConfig"]["toolChoice"] == {"tool": {"name": "choice"}}
    assert tool["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"] == {"json": dict(FORM.schema)}
    assert again == tool


def test_an_account_that_rejects_tools_too_gets_the_form_in_words() -> None:
    old = ParamValidationError(report='Unknown parameter in input: "outputConfig"')
    bedrock = Recorder("bedrock-runtime", [old, NO_SCHEMA, answer('```json\n{"n": 2}\n```')])

    assert BedrockModel(bedrock, MODEL).ask(FORMED) == '{"n": 2}'

    last = asked_of(bedrock)[-1]
    assert json.dumps(FORM.schema) in last["system"][0]["text"]
    assert not {"outputConfig", "toolConfig"} & set(last)


def test_a_schema_that_takes_too_long_to_compile_is_sent_as_a_tool_the_next_time() -> None:
    bedrock = Recorder("bedrock-runtime", [SLOW, by_tool({"n": 2})])
    model = BedrockModel(bedrock, MODEL)

    with pytest.raises(ModelFailed) as failed:
        model.ask(FORMED)

    assert not failed.value.is_denied
    assert model.ask(FORMED) == '{"n": 2}'
    assert ["outputConfig" in each for each in asked_of(bedrock)] == [True, False]


def test_a_call_for_a_page_waits_for_no_schema_and_not_long() -> None:
    patient = Recorder("bedrock-runtime", [answer("{}")])
    quick = Recorder("bedrock-runtime", [by_tool({"n": 1})])
    prompt = Prompt(task="question", system="Choose.", text="?", answer_schema=FORM, is_quick=True)

    assert BedrockModel(patient, MODEL, quick).ask(prompt) == '{"n": 1}'

    assert patient.calls == []
    assert "outputConfig" not in asked_of(quick)[0]


@pytest.mark.parametrize(
    ("outcome", "is_denied"),
    [
        (refusal("AccessDeniedException", "You don't have access to the model", 403), True),
        (refusal("ResourceNotFoundException", "Model use case details", 404), True),
        (refusal("ValidationException", "The provided model identifier is invalid."), True),
        (NoCredentialsError(), True),
        (refusal("ThrottlingException", status=429), False),
        (refusal("ModelTimeoutException", status=408), False),
        (SLOW, False),
        (RuntimeError("whatever"), False),
        (answer("Thank you", "max_tokens"), False),
        (answer("", "guardrail_intervened"), False),
        (answer("x" * 30_000), False),
        ({"output": {}, "stopReason": "end_turn"}, False),
    ],
)
@pytest.mark.parametrize("prompt", [PLAIN, FORMED], ids=["plain", "formed"])
def test_each_failure_says_whether_somebody_must_do_something(
    outcome: Any, is_denied: bool, prompt: Prompt
) -> None:
    model = BedrockModel(Recorder("bedrock-runtime", [outcome]), MODEL)

    with pytest.raises(ModelFailed) as failed:
        model.ask(prompt)

    assert failed.value.is_denied is is_denied
