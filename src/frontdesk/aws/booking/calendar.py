"""The function `bk-calendar`: reads and writes the calendars of bookings. Only it has the keys."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from frontdesk.aws.container import Deployment, deployment
from frontdesk.aws.jobs import do_jobs, work_off
from frontdesk.aws.streams import Payload
from frontdesk.wiring.booking.calendars import CalendarTasks, calendar_tasks

#: One job may read and write several calendars, each request with its own time limit.
SPARE_MILLISECONDS: Final = 25_000


def bk_calendar(payload: Payload, context: Any) -> dict[str, Any] | None:
    """Works off a job, reads one calendar for the console, or, called by a schedule, reads all."""
    if "job" in payload:
        return do_jobs(payload, lambda job: work_off(job, context, SPARE_MILLISECONDS))
    tasks = _tasks(deployment())
    if payload.get("ask") == "read":
        return {"did": tasks.cache.refresh(payload["calendar"], at_once=True)}
    return {"did": tasks.turn()}


@lru_cache(maxsize=1)
def _tasks(here: Deployment) -> CalendarTasks:
    """Cached between calls, so that access tokens are used again."""
    return calendar_tasks(here.back)
