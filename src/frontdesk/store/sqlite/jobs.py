"""Reads and writes jobs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.jobs import AddJob, AdvanceJob, Job
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, add_row, writes_one

JOB: Final = SqliteRows(Job, {"id": "job_id", "params": "words"})


def job(db: Connection, job_id: str) -> Job | None:
    row = db.execute(f"SELECT {JOB.columns} FROM fd_job WHERE job_id = ?", (job_id,)).fetchone()
    return JOB.read_or_none(row)


def jobs_of(db: Connection, subject: str) -> list[Job]:
    """Returns jobs in the order of their start."""
    rows = db.execute(
        f"SELECT {JOB.columns} FROM fd_job WHERE subject = ? ORDER BY rowid", (subject,)
    )
    return [JOB.read(row) for row in rows]


def open_jobs(db: Connection, limit: int, kinds: Iterable[str], *, others: bool) -> list[Job]:
    rows = db.execute(
        f"SELECT {JOB.columns} FROM fd_job WHERE NOT finished"
        " AND (desk || '/' || kind IN (SELECT value FROM json_each(?))) <> ?"
        " ORDER BY job_id LIMIT ?",
        (json.dumps(sorted(kinds)), int(others), limit),
    )
    return [JOB.read(row) for row in rows]


def add(db: Connection, change: AddJob) -> bool:
    return add_row(db, "fd_job", JOB, change.job)


def advance(db: Connection, change: AdvanceJob) -> bool:
    return writes_one(
        db,
        "UPDATE fd_job SET cursor = ?, done = ?, finished = ?"
        " WHERE job_id = ? AND cursor = ? AND NOT finished",
        (change.cursor, change.done, int(change.finished), change.job_id, change.before),
    )


JOB_WRITES: Writes = {
    AddJob: Write("fd_job", attrgetter("job.id"), add),
    AdvanceJob: Write("fd_job", attrgetter("job_id"), advance),
}
