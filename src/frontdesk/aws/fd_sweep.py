"""fd-sweep: every hour, what was lost is done after all; and what its operator asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from frontdesk.aws.calls import caller
from frontdesk.aws.clients import client
from frontdesk.aws.container import deployment
from frontdesk.aws.failures import Failures
from frontdesk.aws.schedules import schedules_of
from frontdesk.aws.streams import Payload
from frontdesk.aws.sweep import Sweep
from frontdesk.desks.admin.desk import first_link
from frontdesk.wiring.desks import DESKS

QUEUE: Final = "fd-failures"
SPARE_MILLISECONDS: Final = 60_000
MOST_LETTERS: Final = 10_000
BY: Final = "cli"


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    """`{"ask": "first-link"}` gives a link that lets an owner in once; `{"ask": "replay"}` puts
    through again what has failed, with `"letters"` (a list of numbers, or "all") also dead
    letters, and says what became of each. Without a question it sweeps, and then does that, too."""

    def has_time() -> bool:
        left: int = context.get_remaining_time_in_millis()
        return left > SPARE_MILLISECONDS

    arn = context.invoked_function_arn
    match payload.get("ask"):
        case "first-link":
            return {"url": _first_link()}
        case "replay":
            replayed: dict[str, Any] = {"replayed": _failures(arn).replay(has_time)}
            if letters := payload.get("letters"):
                replayed["letters"] = _replay_letters(letters, has_time)
            return replayed
        case _:
            here = deployment()
            for desk in DESKS:
                desk.open_on_aws(here.back, here.account)
            schedules = schedules_of(client("scheduler"), os.environ, arn)
            done = Sweep(here.back, has_time, caller(arn)).all(schedules)
            return {**done, "replayed": _failures(arn).replay(has_time)}


def _first_link() -> str:
    here = deployment()
    settings, now = here.settings, here.back.clock.now()
    return first_link(here.back.engine, here.keys(), settings.console_at, now)


def _replay_letters(
    wanted: Sequence[int] | Literal["all"], has_time: Callable[[], bool]
) -> dict[str, str]:
    """Those that are left when time is short are not in the answer."""
    back = deployment().back
    if wanted == "all":
        letters = back.engine.reads().engine.dead_letters(MOST_LETTERS)
        wanted = [each.id for each in letters if each.replayed_at is None]
    outcomes = {}
    for letter in wanted:
        if not has_time():
            break
        outcomes[str(letter)] = back.replay(letter, BY).value
    return outcomes


def _failures(own_arn: str) -> Failures:
    sqs = client("sqs")
    url = os.environ.get("FRONTDESK_FAILURES_QUEUE")
    return Failures(sqs, url or sqs.get_queue_url(QueueName=QUEUE)["QueueUrl"], caller(own_arn))
