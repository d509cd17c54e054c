"""host-import: works off a job that touches many people, step by step."""

from __future__ import annotations

from typing import Any, Final

from frontdesk.aws.home import home
from frontdesk.aws.streams import NotFinished, Payload, Record, each
from frontdesk.core.jobs import JobId

#: So much is left for the end of a step.
SPARE_MILLISECONDS: Final = 10_000


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    def work(record: Record) -> None:
        if record.after is not None and not work_off(JobId(record.after["job_id"]), context):
            raise NotFinished(record.after["job_id"])

    return each(payload, work)


def work_off(job_id: JobId, context: Any) -> bool:
    """Whether nothing is left to do."""
    back = home().back
    while context.get_remaining_time_in_millis() > SPARE_MILLISECONDS and back.works.jobs.work(
        job_id, back.clock.now()
    ):
        pass
    job = back.engine.reads().engine.job(job_id)
    return job is None or job.finished
