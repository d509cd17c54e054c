"""host-import: works off a job that touches many people, step by step."""

from __future__ import annotations

from typing import Any, Final

from frontdesk.aws.streams import Payload
from frontdesk.aws.working import do_jobs, work_off

#: So much is left for the end of a step.
SPARE_MILLISECONDS: Final = 10_000


def handler(payload: Payload, context: Any) -> dict[str, Any] | None:
    return do_jobs(payload, lambda job: work_off(job, context, SPARE_MILLISECONDS))
