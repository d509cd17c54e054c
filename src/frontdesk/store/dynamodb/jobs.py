"""Reads and writes jobs."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from itertools import islice
from typing import Final

from frontdesk.core.jobs import AddJob, AdvanceJob, Job
from frontdesk.store.dynamodb.items import TransactItem, apply, put, put_new
from frontdesk.store.dynamodb.schema import FD_JOBS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Writes, one_dated
from frontdesk.store.dynamodb.values import Item
from frontdesk.store.rows import DynamoRows, seconds

JOB: Final = DynamoRows(Job, {"id": "job_id", "params": "words"})
#: A finished job does not have this value, so it is not in the index of open jobs.
OPEN: Final = "open"


def job(reader: TableReader, job_id: str) -> Job | None:
    row = reader.get(FD_JOBS, job_id)
    return JOB.read_or_none(row)


def jobs_of(reader: TableReader, subject: str) -> list[Job]:
    """Returns jobs in the order of their start: ids begin with the time."""
    rows = reader.query(FD_JOBS, "#subject = :subject", index="by-subject", subject=subject)
    return [JOB.read(row) for row in rows]


def open_jobs(reader: TableReader, limit: int, kinds: Container[str], *, others: bool) -> list[Job]:
    rows = reader.query(FD_JOBS, "#open = :open", index="open", open=OPEN)
    found = (job for job in map(JOB.read, rows) if (f"{job.desk}/{job.kind}" in kinds) != others)
    return list(islice(found, limit))


def idle_jobs(reader: TableReader, before: datetime, limit: int) -> list[Job]:
    """Returns open jobs whose last step, or start, was before this instant."""
    rows = reader.query(FD_JOBS, "#open = :open", index="open", limit=limit, open=OPEN)
    return [JOB.read(row) for row in rows if row.get("stepped_at", 0) < seconds(before)]


def open_count(reader: TableReader) -> int:
    return reader.count(FD_JOBS, "#open = :open", index="open", open=OPEN)


def add(change: AddJob, at: datetime) -> TransactItem:
    row = {**_row(change.job), "stepped_at": seconds(at)}
    return put_new(FD_JOBS.name, FD_JOBS.key.names, row)


def put_open(job: Job) -> TransactItem:
    """Writes an open job, without a condition."""
    return put(FD_JOBS.name, FD_JOBS.key.names, _row(job))


def _row(job: Job) -> Item:
    return {**JOB.row(job), "open": None if job.finished else OPEN}


def advance(change: AdvanceJob, at: datetime) -> TransactItem:
    no_more = " REMOVE #open" if change.finished else ""
    return apply(
        FD_JOBS.name,
        {"job_id": change.job_id},
        change,
        "SET #cursor = :cursor, done = :done, finished = :finished, stepped_at = :at" + no_more,
        when="#cursor = :before AND finished = :no",
        at=seconds(at),
    )


JOB_WRITES: Writes = {AddJob: one_dated(add), AdvanceJob: one_dated(advance)}
