"""Jobs that the stream of their table or the sweep brings: done step by step, in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import NotFinished, Payload, Record, each
from frontdesk.core.jobs import JobId
from frontdesk.features.slack.jobs import is_slack_job

#: The functions that do jobs. The filters of the template divide the stream in the same way.
HOST_IMPORT: Final = "host-import"
SLACK_POST: Final = "slack-post"


def worker_of(kind: str) -> str:
    """The function that may do jobs of this kind."""
    return SLACK_POST if is_slack_job(kind) else HOST_IMPORT


def do_jobs(payload: Payload, work: Callable[[JobId], bool]) -> dict[str, Any] | None:
    """`work` says whether nothing is left of a job. AWS brings an unfinished one again."""
    if "job" in payload:
        if not work(JobId(payload["job"])):
            raise NotFinished(payload["job"])
        return None

    def take_up(record: Record) -> None:
        if record.after and not work(JobId(record.after["job_id"])):
            raise NotFinished(record.after["job_id"])

    return each(payload, take_up)


def work_off(
    job_id: JobId,
    context: Any,
    spare_milliseconds: int,
    pause: Callable[[float], None] | None = None,
) -> bool:
    """Whether nothing is left to do, or staff know that it cannot be done. With `pause`, the rest
    of what has failed is waited for."""
    back = deployment().back
    jobs, clock = back.runtime.jobs, back.clock
    while (left := context.get_remaining_time_in_millis() - spare_milliseconds) > 0:
        if jobs.work(job_id, clock.now()):
            continue
        until = jobs.rests_until(job_id)
        if pause is None or until is None or until <= clock.now():
            break
        pause(min(clock.seconds_until(until), left / 1000))
    job = back.engine.reads().engine.job(job_id)
    return job is None or job.finished or jobs.is_parked(job_id)
