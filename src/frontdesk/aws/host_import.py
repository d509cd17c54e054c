"""host-import: works off a job that touches many people, step by step."""

from __future__ import annotations

from typing import Any, Final

from frontdesk.aws.streams import NotFinished, Payload, Record, each
from frontdesk.aws.working import work_off
from frontdesk.core.jobs import JobId

#: So much is left for the end of a step.
SPARE_MILLISECONDS: Final = 10_000


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    def work(record: Record) -> None:
        job_id = JobId(record.after["job_id"]) if record.after else None
        if job_id and not work_off(job_id, context, SPARE_MILLISECONDS):
            raise NotFinished(job_id)

    return each(payload, work)
