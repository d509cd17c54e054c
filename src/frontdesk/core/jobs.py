"""Jobs: work on many people in small steps. The cursor in the row makes it resumable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

from frontdesk.core.decision import Change
from frontdesk.values import Frozen, field

JobId = NewType("JobId", str)


class Job(Frozen):
    """A job. `cursor` is the last key that is done, in the desk's order."""

    id: JobId
    desk: str
    kind: str
    subject: str
    cursor: str = ""
    done: int = 0
    total: int = 0
    finished: bool = False
    params: Mapping[str, str | int] = field(default_factory=dict)


class AddJob(Change):
    """Condition: the id is new."""

    job: Job


class AdvanceJob(Change):
    """Condition: the cursor is still the one read, so that no step counts twice."""

    job_id: JobId
    before: str
    cursor: str
    done: int
    finished: bool


def end_reading(job: Job | None) -> tuple[Change, ...]:
    """Ends a job that reads one mail; nothing if there is no such job, or it has ended."""
    if job is None or job.finished:
        return ()
    return (AdvanceJob(job.id, job.cursor, "read", 1, finished=True),)
