"""slack-post: what staff should know of the waitlist is said in Slack, once Slack takes it."""

from __future__ import annotations

import time
from typing import Any, Final

from frontdesk.aws.streams import Payload
from frontdesk.aws.working import do_jobs, work_off

#: Slack is asked twice for a message, and may take its time.
SPARE_MILLISECONDS: Final = 25_000


def handler(payload: Payload, context: Any) -> dict[str, Any] | None:
    """While Slack is away it is waited for, here and in the next runs."""
    return do_jobs(payload, lambda job: work_off(job, context, SPARE_MILLISECONDS, time.sleep))
