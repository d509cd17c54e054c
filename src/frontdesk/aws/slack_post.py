"""slack-post: what staff should know of the waitlist is said in Slack, once Slack takes it."""

from __future__ import annotations

import time
from typing import Any, Final

from frontdesk.aws.streams import NotFinished, Payload, Record, each
from frontdesk.aws.working import work_off
from frontdesk.core.jobs import JobId

#: Slack is asked twice for a message, and may take its time.
SPARE_MILLISECONDS: Final = 25_000


def handler(payload: Payload, context: Any) -> dict[str, Any]:
    """While Slack is away it is waited for, here and in the next runs."""

    def say(record: Record) -> None:
        job_id = JobId(record.after["job_id"]) if record.after else None
        if job_id and not work_off(job_id, context, SPARE_MILLISECONDS, time.sleep):
            raise NotFinished(job_id)

    return each(payload, say)
