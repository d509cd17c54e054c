"""Jobs, as the stream of their table brings them: each step by step, within the time there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frontdesk.aws.home import home
from frontdesk.core.jobs import JobId


def work_off(
    job_id: JobId,
    context: Any,
    spare_milliseconds: int,
    pause: Callable[[float], None] | None = None,
) -> bool:
    """Whether nothing is left to do, or staff know that it cannot be done. With `pause`, the rest
    of what has failed is waited for."""
    back = home().back
    jobs, clock = back.works.jobs, back.clock
    while (left := context.get_remaining_time_in_millis() - spare_milliseconds) > 0:
        if jobs.work(job_id, clock.now()):
            continue
        until = jobs.rests_until(job_id)
        if pause is None or until is None or until <= clock.now():
            break
        pause(min(clock.seconds_until(until), left / 1000))
    job = back.engine.reads().engine.job(job_id)
    return job is None or job.finished or jobs.is_parked(job_id)
