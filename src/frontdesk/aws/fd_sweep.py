"""fd-sweep: every hour, what was lost is done after all; and what its operator asks for."""

from __future__ import annotations

import os
from typing import Any, Final

from frontdesk.aws.calls import caller
from frontdesk.aws.clients import client
from frontdesk.aws.failures import Failures
from frontdesk.aws.home import home
from frontdesk.aws.schedules import schedules_of
from frontdesk.aws.streams import Payload
from frontdesk.aws.sweep import Sweep
from frontdesk.desks.house.desk import first_link
from frontdesk.wiring.aws import counter_of

QUEUE: Final = "fd-failures"
SPARE_MILLISECONDS: Final = 60_000


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    """`{"ask": "first-link"}` gives a link that lets an owner in once; `{"ask": "replay"}` puts
    through again what has failed. Without a question it sweeps, and then does that, too."""

    def has_time() -> bool:
        left: int = context.get_remaining_time_in_millis()
        return left > SPARE_MILLISECONDS

    arn = context.invoked_function_arn
    match payload.get("ask"):
        case "first-link":
            return {"url": _first_link()}
        case "replay":
            return {"replayed": _failures(arn).replay(has_time)}
        case _:
            here = home()
            counter_of(here.back, here.account).open()
            schedules = schedules_of(client("scheduler"), os.environ, arn)
            done = Sweep(here.back, has_time, caller(arn)).all(schedules)
            return {**done, "replayed": _failures(arn).replay(has_time)}


def _first_link() -> str:
    here = home()
    settings, now = here.settings, here.back.clock.now()
    return first_link(here.back.engine, here.keys(), settings.console_at, now)


def _failures(own_arn: str) -> Failures:
    sqs = client("sqs")
    url = os.environ.get("FRONTDESK_FAILURES_QUEUE")
    return Failures(sqs, url or sqs.get_queue_url(QueueName=QUEUE)["QueueUrl"], caller(own_arn))
