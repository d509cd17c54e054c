"""A long imported list is written in parts."""

from __future__ import annotations

import sqlite3

import pytest

from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.desks.rsvp.changes import AddImport, ImportRow
from frontdesk.store.sqlite.rsvp.events import ROWS_A_COMMIT, missing_parts
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import PARTY, commit, given, rsvp

JOB = Job(JobId("j1"), "ev", "import", PARTY)
ROWS = tuple(
    ImportRow(line, f"Guest {line}", f"guest{line}@example.org", 1)
    for line in range(3 * ROWS_A_COMMIT + 1)
)


@pytest.mark.spec("FD-03")
def test_a_list_of_which_a_part_is_written_is_completed_before_its_job_exists(
    store: SqliteStore, db: sqlite3.Connection
) -> None:
    given(store)
    add = AddImport(JOB.id, ROWS)
    first, *_others = missing_parts(db, add)
    first(db)

    commit(store, AddJob(JOB), add)

    assert rsvp(store).import_rows(JOB.id) == list(ROWS)
    assert rsvp(store).job(JOB.id) == JOB
