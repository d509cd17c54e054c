"""Payloads as AWS documents them, and clients that check requests against AWS's descriptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import botocore.session
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from frontdesk.store.dynamodb.schema import Table

ARN = "arn:aws:lambda:ap-southeast-1:000000000000:function:"


@dataclass
class Context:
    """The called function and the time limit of a call."""

    name: str = "fd-sweep"
    left_ms: int = 300_000

    @property
    def invoked_function_arn(self) -> str:
        return ARN + self.name

    def get_remaining_time_in_millis(self) -> int:
        return self.left_ms


def request(
    method: str = "GET",
    path: str = "/",
    *,
    query: str = "",
    headers: Mapping[str, str] | None = None,
    cookies: Iterable[str] = (),
    body: str | None = None,
    base64: bool = False,
    source: str = "192.0.2.7",
) -> dict[str, Any]:
    """Returns a request in version 2.0, as a Function URL sends it."""
    payload: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {
            "host": "abc.lambda-url.ap-southeast-1.on.aws",
            "user-agent": "agent",
            "x-forwarded-for": "203.0.113.9",
            "x-forwarded-proto": "https",
            **(headers or {}),
        },
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "abc",
            "domainName": "abc.lambda-url.ap-southeast-1.on.aws",
            "domainPrefix": "abc",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": source,
                "userAgent": "agent",
            },
            "requestId": "id",
            "routeKey": "$default",
            "stage": "$default",
            "time": "16/Nov/2026:01:00:00 +0000",
            "timeEpoch": 1794790800000,
        },
        "isBase64Encoded": base64,
    }
    if cookies:
        payload["cookies"] = list(cookies)
    if body is not None:
        payload["body"] = body
    return payload


def stream(
    table: Table,
    *images: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    at: int = 1794790800,
) -> dict[str, Any]:
    """Returns a batch of a stream: rows before and after a change, in the format of DynamoDB."""
    return {"Records": [_record(table, *each, nth, at) for nth, each in enumerate(images, 1)]}


def _record(
    table: Table, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, nth: int, at: int
) -> dict[str, Any]:
    image = new or old or {}
    change: dict[str, Any] = {
        "ApproximateCreationDateTime": float(at),
        "Keys": {name: image[name] for name in table.key.names},
        "SequenceNumber": f"10000000000000000000{nth:04}",
        "SizeBytes": 100,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    }
    if old:
        change["OldImage"] = old
    if new:
        change["NewImage"] = new
    return {
        "eventID": f"{nth:032x}",
        "eventName": "REMOVE" if not new else "MODIFY" if old else "INSERT",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "ap-southeast-1",
        "dynamodb": change,
        "eventSourceARN": f"arn:aws:dynamodb:ap-southeast-1:000000000000:table/{table.name}"
        "/stream/2026-11-16T00:00:00.000",
    }


def from_the_bus(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the payload that a rule makes of an entry on the bus."""
    return {
        "version": "0",
        "id": "00000000-0000-0000-0000-000000000001",
        "detail-type": entry["DetailType"],
        "source": entry["Source"],
        "account": "000000000000",
        "time": "2026-11-16T01:00:00Z",
        "region": "ap-southeast-1",
        "resources": [],
        "detail": json.loads(entry["Detail"]),
    }


def by_scheduler(schedule: str) -> dict[str, Any]:
    """Returns the payload of a schedule without an input. Its detail is text."""
    return {
        "version": "0",
        "id": "00000000-0000-0000-0000-000000000002",
        "detail-type": "Scheduled Event",
        "source": "aws.scheduler",
        "account": "000000000000",
        "time": "2026-11-16T01:00:00Z",
        "region": "ap-southeast-1",
        "resources": [
            f"arn:aws:scheduler:ap-southeast-1:000000000000:schedule/frontdesk/{schedule}"
        ],
        "detail": "{}",
    }


def s3_put(bucket: str, key: str) -> dict[str, Any]:
    return {
        "Records": [
            {
                "eventVersion": "2.1",
                "eventSource": "aws:s3",
                "eventName": "ObjectCreated:Put",
                "s3": {"bucket": {"name": bucket}, "object": {"key": key, "size": 1024}},
            }
        ]
    }


def sns(message: str) -> dict[str, Any]:
    return {
        "Records": [
            {
                "EventSource": "aws:sns",
                "EventVersion": "1.0",
                "EventSubscriptionArn": "arn:aws:sns:eu-west-1:000000000000:ev-mail-feedback:1",
                "Sns": {"Type": "Notification", "MessageId": "1", "Message": message},
            }
        ]
    }


@dataclass
class Recorder:
    """Stands in for a service: requests and answers must match its description.

    Gives the answers in turn and repeats the last one; raises an answer that is an exception.
    """

    service: str
    answers: list[Any] = field(default_factory=lambda: [{}])
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        operation = "".join(part.title() for part in name.split("_"))
        model = botocore.session.get_session().get_service_model(self.service)
        shape = model.operation_model(operation)

        def call(**request: Any) -> Any:
            _must_be(request, shape.input_shape)
            self.calls.append((name, request))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if isinstance(answer, Exception):
                raise answer
            answer = answer(request) if callable(answer) else answer
            _must_be(answer, shape.output_shape)
            return answer

        return call


def _must_be(value: Any, shape: Any) -> None:
    report = ParamValidator().validate(value, shape)
    assert not report.has_errors(), report.generate_report()


def refusal(code: str, message: str = "", status: int = 400) -> ClientError:
    return ClientError(
        {
            "Error": {"Code": code, "Message": message},
            "ResponseMetadata": {"HTTPStatusCode": status},
        },
        "Operation",
    )
