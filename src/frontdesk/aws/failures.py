"""The queue of calls that failed after all retries, and their replay.

The sweep lets `fd-relay` replay them. So the function that may call all others may not read tables,
and the role of the sweep stays short.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from frontdesk.aws.clients import Call, caller, client, time_left
from frontdesk.logs import failure, log
from frontdesk.values import Frozen

AT_ONCE: Final = 10
MOST_MESSAGES: Final = 1_000
#: The function that each topic calls, by the topic's name.
TOPICS: Final = {"ev-mail-feedback": "ev-bounces", "wl-texts-in": "texts-in"}
SWEEP: Final = "fd-sweep"
QUEUE: Final = "fd-failures"
SPARE_MILLISECONDS: Final = 5_000


class Failed(Frozen):
    """A call that failed. For a stream AWS stores only the position, so `function` is empty."""

    function: str
    payload: Mapping[str, Any]


def read_failed(message: Mapping[str, Any]) -> Failed | None:
    """Parses a failure from a function, rule, schedule, topic or stream; None if it is not one."""
    try:
        body = json.loads(message["Body"])
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    if "DDBStreamBatchInfo" in body:
        return Failed("", {})
    if "requestPayload" in body:
        return Failed(_name(body["requestContext"]["functionArn"]), body["requestPayload"])
    if body.get("Type") == "Notification":
        return _notification(body)
    target = message.get("MessageAttributes", {}).get("TARGET_ARN", {}).get("StringValue", "")
    return Failed(_name(target), body) if target else None


def _notification(body: Mapping[str, Any]) -> Failed | None:
    """A message of an unknown topic stays in the queue: calling the wrong function loses it."""
    topic = str(body.get("TopicArn", "")).rpartition(":")[2]
    if topic not in TOPICS:
        return None
    return Failed(TOPICS[topic], {"Records": [{"EventSource": "aws:sns", "Sns": body}]})


def _name(arn: str) -> str:
    """'arn:aws:lambda:…:function:keeper:$LATEST' gives 'keeper'."""
    return arn.partition(":function:")[2].partition(":")[0]


def replay_failures(context: Any) -> int:
    """Replays while there is time; returns how many."""
    sqs = client("sqs")
    url = os.environ.get("FRONTDESK_FAILURES_QUEUE")
    url = url or sqs.get_queue_url(QueueName=QUEUE)["QueueUrl"]
    return Failures(sqs, url, caller(context.invoked_function_arn)).replay(
        time_left(context, SPARE_MILLISECONDS)
    )


class Failures:
    """`call` calls a function by its name without waiting for it."""

    def __init__(self, sqs: Any, url: str, call: Call) -> None:
        self._sqs = sqs
        self._url = url
        self._call = call

    def replay(self, has_time: Callable[[], bool]) -> int:
        """Repeats failed calls; returns how many. One that fails again returns to the queue."""
        done = 0
        for message in self._messages(has_time):
            failed = read_failed(message)
            if failed is None:
                log("replay.not_understood", message=message["MessageId"])
                continue
            try:
                done += self._repeat(failed)
            except Exception as error:
                log("replay.failed", message=message["MessageId"], why=failure(error))
                continue
            self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=message["ReceiptHandle"])
        return done

    def _repeat(self, failed: Failed) -> bool:
        """Calls the function; returns False for a sweep or a stream, whose work the sweep does."""
        if failed.function in ("", SWEEP):
            return False
        self._call(failed.function, failed.payload)
        return True

    def _messages(self, has_time: Callable[[], bool]) -> Iterator[Mapping[str, Any]]:
        """Yields about the messages that exist at the start; each is hidden while it is handled."""
        for _ in range(MOST_MESSAGES // AT_ONCE):
            answer = self._sqs.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=AT_ONCE,
                MessageAttributeNames=["All"],
                WaitTimeSeconds=0,
            )
            found = answer.get("Messages", [])
            if not found or not has_time():
                return
            yield from found
