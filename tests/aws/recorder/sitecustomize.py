"""Records the requests to the emulator, the callers, and what DynamoDB would charge.

Python imports this module by itself when it starts with this folder on its path. Each request or
event becomes a line of JSON in the file that `FRONTDESK_RECORD` names. The file that
`FRONTDESK_NUMBERS` names has the answers of SNS by number.
"""

import json
import os
import threading
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl
from zlib import crc32

RECORD = os.environ.get("FRONTDESK_RECORD", "")
NUMBERS = os.environ.get("FRONTDESK_NUMBERS", "")
TICKS = os.sysconf("SC_CLK_TCK")
Answer = tuple[int, dict[str, str], bytes]

_lock = threading.Lock()


def write(**what: object) -> None:
    line = json.dumps(what)
    with _lock, open(RECORD, "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write(line + "\n")


def believe_that_it_came_by_tls() -> None:
    """Makes the emulator treat every request as sent by TLS."""
    evaluator = import_module("ministack.core.iam_evaluator")
    pin = evaluator.pin_request_origin

    def pinned(source_ip: str, _secure: bool) -> None:
        pin(source_ip, True)

    vars(evaluator)["pin_request_origin"] = pinned


def record_permissions() -> None:
    """Records each requested action, and whether it was allowed."""
    evaluator = import_module("ministack.core.iam_evaluator")
    enforce = evaluator.enforce

    def recorded(
        access_key_id: str,
        iam_action: str,
        service: str,
        region: str,
        resource_arn: str = "*",
        **more: Any,
    ) -> Any:
        if iam_action == "bedrock:Converse":
            iam_action, resource_arn = as_aws_takes_it(region, resource_arn)
        denied = enforce(access_key_id, iam_action, service, region, resource_arn, **more)
        caller = evaluator.caller_arn()
        if not caller.endswith(":root"):
            write(asked=iam_action, of=resource_arn, by=caller, allowed=denied is None)
        return denied

    vars(evaluator)["enforce"] = recorded


def as_aws_takes_it(region: str, model_arn: str) -> tuple[str, str]:
    """Returns the permission and the resource that AWS checks for the operation Converse:
    InvokeModel on the profile."""
    account = import_module("ministack.core.responses").get_account_id()
    profile = model_arn.rpartition("/")[2]
    arn = f"arn:aws:bedrock:{region}:{account}:inference-profile/{profile}"
    return "bedrock:InvokeModel", arn


def record_units() -> None:
    """Records the DynamoDB units of functions, and the facts that they put on the bus."""
    handlers: dict[str, Any] = import_module("ministack.app").SERVICE_HANDLERS
    evaluator = import_module("ministack.core.iam_evaluator")
    dynamodb, events = handlers["dynamodb"], handlers["events"]

    async def counted(
        method: str, path: str, headers: Mapping[str, str], body: bytes, query: Any
    ) -> Answer:
        caller = evaluator.caller_arn()
        if not caller.endswith(":root") and body:
            body = json.dumps({**json.loads(body), "ReturnConsumedCapacity": "INDEXES"}).encode()
        answer: Answer = await dynamodb(method, path, headers, body, query)
        if not caller.endswith(":root"):
            operation = headers.get("x-amz-target", "").rpartition(".")[2]
            write(operation=operation, by=caller, units=units(answer[2]))
        return answer

    async def put(
        method: str, path: str, headers: Mapping[str, str], body: bytes, query: Any
    ) -> Answer:
        if headers.get("x-amz-target", "").endswith("PutEvents"):
            write(put=json.loads(body)["Entries"])
        answer: Answer = await events(method, path, headers, body, query)
        return answer

    handlers.update(dynamodb=counted, events=put)


def units(body: bytes) -> dict[str, float]:
    """Returns the units by table."""
    consumed = json.loads(body or b"{}").get("ConsumedCapacity", [])
    listed = consumed if isinstance(consumed, list) else [consumed]
    return {each["TableName"]: each["CapacityUnits"] for each in listed}


def record_runs() -> None:
    """Records the start and end of each function run, and each schedule that fires."""
    worker = import_module("ministack.core.lambda_runtime").Worker
    bridge = import_module("ministack.services.eventbridge")
    invoke, ring = worker.invoke, bridge._invoke_target

    def ran(self: Any, event: Any, request_id: str, **more: Any) -> Any:
        cold = self._proc is None or self._proc.poll() is not None
        used = 0.0 if cold else processor_seconds(self._proc.pid)
        write(begins=self.func_name)
        result: dict[str, Any] = {}
        try:
            result = invoke(self, event, request_id, **more)
            return result
        finally:
            alive = self._proc is not None and self._proc.poll() is None
            write(
                ends=self.func_name,
                cold=cold,
                processor=processor_seconds(self._proc.pid) - used if alive else 0.0,
                result=str(result)[:400] if result.get("status") != "ok" else "",
            )

    def rang(target: Mapping[str, str], event: Mapping[str, str], *more: Any) -> Any:
        if event.get("Source") == "aws.scheduler":
            write(fired=target["Arn"].rpartition(":")[2])
        return ring(target, event, *more)

    worker.invoke = ran
    vars(bridge)["_invoke_target"] = rang


def take_texts_as_told() -> None:
    """Answers as SNS according to the tests, by number: the emulator accepts every text and knows
    no opt-outs."""
    app, sns = import_module("ministack.app"), import_module("ministack.services.sns")
    handlers: dict[str, Any] = app.SERVICE_HANDLERS
    others = handlers["sns"]

    async def answered(
        method: str, path: str, headers: Mapping[str, str], body: bytes, query: Any
    ) -> Answer:
        asked = dict(parse_qsl(body.decode("utf-8", "replace")))
        told = numbers().get(asked.get("phoneNumber") or asked.get("PhoneNumber", ""), {})
        name = "CheckIfPhoneNumberIsOptedOut"
        if asked.get("Action") == name:
            is_out = str(told.get("opted_out", False)).lower()
            said = f"<{name}Result><isOptedOut>{is_out}</isOptedOut></{name}Result>"
            yes_or_no: Answer = sns._xml(200, f"{name}Response", said)
            return yes_or_no
        if "code" in told:
            refused: Answer = sns._error(told["code"], "Not to this number.", told["status"])
            return refused
        answer: Answer = await others(method, path, headers, body, query)
        return answer

    handlers["sns"] = answered


def numbers() -> dict[str, dict[str, Any]]:
    told = Path(NUMBERS)
    found: dict[str, dict[str, Any]] = json.loads(told.read_text()) if told.exists() else {}
    return found


class UnpackedOnce(zipfile.ZipFile):
    """Lets all functions share one copy of the code: thousands of files for each would take long to
    write and delete."""

    _one_at_a_time = threading.Lock()

    def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
        digest = crc32(repr([each.CRC for each in self.infolist()]).encode())
        unpacked = Path.cwd() / f"code-{digest:x}"
        with self._one_at_a_time:
            if not unpacked.exists():
                super().extractall(unpacked, members, pwd)
        Path(path).rmdir()
        Path(path).symlink_to(unpacked)


def unpack_code_once() -> None:
    runtime = import_module("ministack.core.lambda_runtime")
    vars(runtime)["zipfile"] = SimpleNamespace(ZipFile=UnpackedOnce)


def processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if RECORD and "AWS_LAMBDA_FUNCTION_NAME" not in os.environ:
    believe_that_it_came_by_tls()
    record_permissions()
    record_units()
    record_runs()
    take_texts_as_told()
    unpack_code_once()
