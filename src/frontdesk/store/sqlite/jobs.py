"""Reads and writes jobs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.jobs import AddJob, AdvanceJob, Job
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import Write, Writes, add_row, adds, statement

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


def add(db: Connection, job: Job) -> None:
    """Adds a job, unless there is one with its id."""
    add_row(db, "fd_job", JOB, job)


JOB_WRITES: Writes = {
    AddJob: adds("fd_job", JOB, "job"),
    AdvanceJob: Write(
        "fd_job",
        attrgetter("job_id"),
        statement(
            "UPDATE fd_job SET cursor = :cursor, done = :done, finished = :finished"
            " WHERE job_id = :job_id AND cursor = :before AND NOT finished"
        ),
    ),
}
