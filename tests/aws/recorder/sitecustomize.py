"""Writes down what the emulator is asked, by whom, and what DynamoDB would charge for it.

Python imports it by itself when it starts with this folder on its path. One line of JSON for each
thing that happens goes to the file that `FRONTDESK_RECORD` names.
"""

import json
import os
import threading
import time

RECORD = os.environ.get("FRONTDESK_RECORD", "")
TICKS = os.sysconf("SC_CLK_TCK")
_lock = threading.Lock()


def write(**what):
    line = json.dumps(what)
    with _lock, open(RECORD, "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write(line + "\n")


def believe_that_it_came_by_tls():
    """As every request does on AWS."""
    from ministack.core import iam_evaluator

    pin = iam_evaluator.pin_request_origin
    iam_evaluator.pin_request_origin = lambda source_ip, _secure: pin(source_ip, True)


def record_permissions():
    """Each action that was asked for, and what became of it."""
    from ministack.core import iam_evaluator

    enforce = iam_evaluator.enforce

    def recorded(access_key_id, iam_action, service, region, resource_arn="*", **more):
        if iam_action == "bedrock:Converse":  # AWS takes it for this, on the profile that is named
            from ministack.core.responses import get_account_id

            iam_action, profile = "bedrock:InvokeModel", resource_arn.rpartition("/")[2]
            account = get_account_id()
            resource_arn = f"arn:aws:bedrock:{region}:{account}:inference-profile/{profile}"
        denied = enforce(access_key_id, iam_action, service, region, resource_arn, **more)
        caller = iam_evaluator.caller_arn()
        if not caller.endswith(":root"):
            write(
                asked=iam_action, of=resource_arn, by=caller, allowed=denied is None, at=time.time()
            )
        return denied

    iam_evaluator.enforce = recorded


def record_units():
    """What DynamoDB counts, and how many facts are put on the bus, for the functions alone."""
    from ministack import app
    from ministack.core import iam_evaluator

    dynamodb, events = app.SERVICE_HANDLERS["dynamodb"], app.SERVICE_HANDLERS["events"]

    async def counted(method, path, headers, body, query_params):
        caller = iam_evaluator.caller_arn()
        if caller.endswith(":root") or not body:
            return await dynamodb(method, path, headers, body, query_params)
        operation = headers.get("x-amz-target", "").rpartition(".")[2]
        asked = json.loads(body)
        asked["ReturnConsumedCapacity"] = "INDEXES"
        answer = await dynamodb(method, path, headers, json.dumps(asked).encode(), query_params)
        units = json.loads(answer[2] or b"{}").get("ConsumedCapacity", [])
        units = units if isinstance(units, list) else [units]
        write(
            operation=operation,
            by=caller,
            status=answer[0],
            units={each["TableName"]: each["CapacityUnits"] for each in units},
        )
        return answer

    async def put(method, path, headers, body, query_params):
        if headers.get("x-amz-target", "").endswith("PutEvents"):
            entries = json.loads(body)["Entries"]
            write(put=entries)
        return await events(method, path, headers, body, query_params)

    app.SERVICE_HANDLERS["dynamodb"], app.SERVICE_HANDLERS["events"] = counted, put


def record_runs():
    """Each run of a function, from its beginning to its end, and each schedule that fires."""
    from ministack.core import lambda_runtime
    from ministack.services import eventbridge

    invoke, target_of = lambda_runtime.Worker.invoke, eventbridge._invoke_target

    def ran(self, event, request_id, **more):
        cold = self._proc is None or self._proc.poll() is not None
        began, used = time.monotonic(), 0.0 if cold else processor_seconds(self._proc.pid)
        write(begins=self.func_name)
        result = {}
        try:
            result = invoke(self, event, request_id, **more)
            return result
        finally:
            alive = self._proc is not None and self._proc.poll() is None
            write(
                ends=self.func_name,
                cold=cold,
                seconds=time.monotonic() - began,
                processor=processor_seconds(self._proc.pid) - used if alive else 0.0,
                result=str(result)[:400] if result.get("status") != "ok" else "",
            )

    def fired(target, event, *more):
        if event.get("Source") == "aws.scheduler":
            write(fired=target["Arn"].rpartition(":")[2])
        return target_of(target, event, *more)

    lambda_runtime.Worker.invoke = ran
    eventbridge._invoke_target = fired


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if RECORD and "AWS_LAMBDA_FUNCTION_NAME" not in os.environ:
    believe_that_it_came_by_tls()
    record_permissions()
    record_units()
    record_runs()
