"""Jobs: work that touches many people, done in steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.core.jobs import AddJob, AdvanceJob, Job
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import words, words_text

JOB_COLUMNS = "job_id, desk, kind, subject, cursor, done, total, finished, words"


def read_job(row: Sequence[Any]) -> Job:
    """From `JOB_COLUMNS`."""
    job_id, desk, kind, subject, cursor, done, total, finished, words_column = row
    return Job(job_id, desk, kind, subject, cursor, done, total, finished == 1, words(words_column))


def job(db: Connection, job_id: str) -> Job | None:
    row = db.execute(f"SELECT {JOB_COLUMNS} FROM fd_job WHERE job_id = ?", (job_id,)).fetchone()
    return None if row is None else read_job(row)


def jobs_of(db: Connection, subject: str) -> list[Job]:
    """In the order in which they were begun."""
    rows = db.execute(
        f"SELECT {JOB_COLUMNS} FROM fd_job WHERE subject = ? ORDER BY rowid", (subject,)
    )
    return [read_job(row) for row in rows]


def open_jobs(db: Connection, limit: int, kinds: Iterable[str], *, others: bool) -> list[Job]:
    rows = db.execute(
        f"SELECT {JOB_COLUMNS} FROM fd_job WHERE NOT finished"
        " AND (desk || '/' || kind IN (SELECT value FROM json_each(?))) <> ?"
        " ORDER BY job_id LIMIT ?",
        (json.dumps(sorted(kinds)), int(others), limit),
    )
    return [read_job(row) for row in rows]


def add(db: Connection, change: AddJob) -> bool:
    job = change.job
    return (
        db.execute(
            f"INSERT INTO fd_job ({JOB_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (job_id) DO NOTHING",
            (
                job.id,
                job.desk,
                job.kind,
                job.subject,
                job.cursor,
                job.done,
                job.total,
                int(job.finished),
                words_text(job.params),
            ),
        ).rowcount
        == 1
    )


def advance(db: Connection, change: AdvanceJob) -> bool:
    return (
        db.execute(
            "UPDATE fd_job SET cursor = ?, done = ?, finished = ?"
            " WHERE job_id = ? AND cursor = ? AND NOT finished",
            (change.cursor, change.done, int(change.finished), change.job_id, change.before),
        ).rowcount
        == 1
    )


JOB_WRITES: Writes = {
    AddJob: Write("fd_job", attrgetter("job.id"), add),
    AdvanceJob: Write("fd_job", attrgetter("job_id"), advance),
}
