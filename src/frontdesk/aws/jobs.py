"""The functions that work off jobs: `slack-post` those for Slack, `host-import` most others.

The stream of the jobs table, or the sweep, hands them a job. A job for calendars needs a function
that knows their passwords; its desk names the function. `host-import` passes such a job on, since a
stream has at most two readers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from frontdesk.aws.clients import Call, caller
from frontdesk.aws.container import deployment
from frontdesk.aws.streams import ChangedRow, NotFinished, Payload, handle_in_order
from frontdesk.core.jobs import JobId
from frontdesk.features.slack.news import is_slack_job
from frontdesk.wiring.desks import DESKS

#: The functions that do jobs. Filters in the template split the stream in the same way.
HOST_IMPORT: Final = "host-import"
SLACK_POST: Final = "slack-post"
#: Time to keep for the end of a step.
IMPORT_SPARE_MILLISECONDS: Final = 10_000
#: One message to Slack takes at most two requests, each with its own time limit.
SLACK_SPARE_MILLISECONDS: Final = 25_000


def host_import(payload: Payload, context: Any) -> dict[str, Any] | None:
    call = caller(context.invoked_function_arn)
    return do_jobs(payload, lambda job: work_off(job, context, IMPORT_SPARE_MILLISECONDS), call)


def slack_post(payload: Payload, context: Any) -> dict[str, Any] | None:
    """Waits while Slack cannot be reached, in this run and the next ones."""
    return do_jobs(
        payload, lambda job: work_off(job, context, SLACK_SPARE_MILLISECONDS, time.sleep)
    )


def worker_of(kind: str) -> str:
    """Returns the function that does jobs of this kind."""
    for desk in DESKS:
        if function := desk.on_aws().job_functions().get(kind):
            return function
    return SLACK_POST if is_slack_job(kind) else HOST_IMPORT


def do_jobs(
    payload: Payload, work: Callable[[JobId], bool], call: Call | None = None
) -> dict[str, Any] | None:
    """`work` returns whether the job is done. AWS retries one that is not. `call` passes a job on
    to the function of its desk.
    """
    if "job" in payload:
        if not work(JobId(payload["job"])):
            raise NotFinished(payload["job"])
        return None

    def take_up(record: ChangedRow) -> None:
        if record.after is None:
            return
        job_id = JobId(record.after["job_id"])
        worker = worker_of(record.after["kind"])
        if call is not None and worker not in (HOST_IMPORT, SLACK_POST):
            call(worker, {"job": job_id})
        elif not work(job_id):
            raise NotFinished(job_id)

    return handle_in_order(payload, take_up)


def work_off(
    job_id: JobId,
    context: Any,
    spare_milliseconds: int,
    pause: Callable[[float], None] | None = None,
) -> bool:
    """Does steps while there is time. Returns whether the job is done, or parked for staff.

    With `pause` it waits until a step that failed may be tried again.
    """
    back = deployment().back
    jobs, clock = back.runtime.jobs, back.clock
    while (left := context.get_remaining_time_in_millis() - spare_milliseconds) > 0:
        if jobs.work(job_id, clock.now()):
            continue
        until = jobs.paused_until(job_id)
        if pause is None or until is None or until <= clock.now():
            break
        pause(min(clock.seconds_until(until), left / 1000))
    job = back.engine.reads().engine.job(job_id)
    return job is None or job.finished or jobs.is_parked(job_id)
