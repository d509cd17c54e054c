"""Work that touches many people: a row with a cursor, worked off in small steps, resumable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NewType

from frontdesk.core.decision import Change
from frontdesk.frozen import frozen

JobId = NewType("JobId", str)


@frozen
class Job:
    """`cursor` is the last key done, in the order that the desk works them off."""

    id: JobId
    desk: str
    kind: str
    subject: str
    cursor: str = ""
    done: int = 0
    total: int = 0
    finished: bool = False
    params: Mapping[str, str | int] = field(default_factory=dict)


@frozen
class AddJob(Change):
    """Condition: the id is new."""

    job: Job


@frozen
class AdvanceJob(Change):
    """Condition: the cursor is still the one read, so that no step counts twice."""

    job_id: JobId
    before: str
    cursor: str
    done: int
    finished: bool
