"""A long imported list is written in parts."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.desks.rsvp.changes import AddImport, ImportRow
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Reads
from frontdesk.store.sqlite.rsvp.events import ROWS_A_COMMIT, missing_parts
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import NINE, PARTY, commit, given, rsvp

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


@pytest.mark.parametrize("in_event_loop", [False, True])
def test_parts_are_deleted_if_the_list_is_refused_after_they_are_written(
    store: SqliteStore, db: sqlite3.Connection, *, in_event_loop: bool
) -> None:
    given(store)
    decisions: list[Decision] = [
        Accepted((AddJob(JOB), AddImport(JOB.id, ROWS))),
        Refused(Reason.TOO_LATE),
    ]

    def ask(_reads: Reads) -> Decision:
        return decisions.pop(0)

    if in_event_loop:
        outcome = asyncio.run(store.decide_async(ask, by="cli", at=NINE))
    else:
        outcome = store.decide(ask, by="cli", at=NINE)

    assert outcome == Refused(Reason.TOO_LATE)
    assert db.execute("SELECT count(*) FROM ev_import").fetchone() == (0,)
