"""Measures the import of a list, compared with the same rows in plain SQL with grouped commits."""

import contextlib
import sys
import time
from datetime import timedelta
from pathlib import Path

from bench import signup_sql
from bench.served import scratch_folder
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, CreateEvent
from frontdesk.desks.rsvp.model import Details, EventId
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.embedded.runner import Runner
from frontdesk.engine.jobs import STEPS_IN_A_BATCH
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.store.sqlite.files import open_writer
from frontdesk.values import Frozen
from frontdesk.wiring.application import fresh_id
from frontdesk.wiring.one_machine import Frontdesk, build

ROWS = 20_000
#: The maximum ratio of an import to its rows in plain SQL.
MOST = 8.0
LOOK_SECONDS = 0.02

ADD_JOB = (
    "INSERT INTO fd_job (job_id, desk, kind, subject, cursor, done, total, finished, words)"
    " VALUES ('import', 'ev', 'import', ?, '', 0, ?, 0, '{}')"
)
ADD_ROW = (
    "INSERT INTO ev_import (job_id, line, name, email, party, outcome, guest_id)"
    " VALUES ('import', ?, ?, ?, 1, '', '')"
)
SETTLE_ROW = (
    "UPDATE ev_import SET outcome = 'confirmed', guest_id = ?, name = '', email = ''"
    " WHERE job_id = 'import' AND line = ? AND outcome = ''"
)
ADVANCE_JOB = "UPDATE fd_job SET cursor = ?, done = ? WHERE job_id = 'import' AND cursor = ?"


class Rates(Frozen):
    """Rows per second."""

    imported: float
    plain: float

    @property
    def ratio(self) -> float:
        return self.plain / self.imported


def measure(rows: int = ROWS) -> Rates:
    with scratch_folder() as folder:
        plain = rows / _plain(folder / "plain.db", rows)
        return Rates(rows / _imported(folder / "product", rows), plain)


def report() -> bool:
    """Prints the rates; returns whether the ratio is within the limit."""
    rates = measure()
    print(
        f"import of {ROWS} rows: {rates.imported:.0f} /s, in plain SQL {rates.plain:.0f} /s,"
        f" ratio {rates.ratio:.1f} (at most {MOST:.0f})"
    )
    return rates.ratio <= MOST


def _plain(path: Path, rows: int) -> float:
    """Returns the seconds that the rows take one after the other."""
    now = int(time.time())
    signup_sql.create(path, now).close()
    with contextlib.closing(open_writer(path)) as db:
        db.execute("BEGIN")
        db.execute(ADD_JOB, (signup_sql.EVENT, rows))
        db.executemany(ADD_ROW, [(n, "Guest", _address(n)) for n in range(1, rows + 1)])
        db.execute("COMMIT")
        before = time.perf_counter()
        for first in range(1, rows + 1, STEPS_IN_A_BATCH):
            db.execute("BEGIN IMMEDIATE")
            for line in range(first, min(first + STEPS_IN_A_BATCH, rows + 1)):
                signup_sql.sign_up(db, "Guest", _address(line), now)
                db.execute(SETTLE_ROW, (str(line), line))
                db.execute(ADVANCE_JOB, (str(line), line, str(line - 1) if line > 1 else ""))
            db.execute("COMMIT")
        return time.perf_counter() - before


def _imported(folder: Path, rows: int) -> float:
    """Returns the seconds until the last row is done, in a process that also sends messages."""
    with contextlib.closing(build(Settings(data_dir=folder))) as product:
        event_id = _event(product)
        runner = Runner(product.runtime, product.clock)
        runner.start()
        try:
            job_id = JobId(fresh_id())
            them = tuple(ImportRow(n, "Guest", _address(n), 1) for n in range(1, rows + 1))
            command = BeginImport(event_id, job_id, them, invite=False)
            before = time.perf_counter()
            _run(product, command)
            while not _is_finished(product, job_id):
                time.sleep(LOOK_SECONDS)
            return time.perf_counter() - before
        finally:
            runner.stop()


def _event(product: Frontdesk) -> EventId:
    starts_at = product.clock.now() + timedelta(days=14)
    details = Details("Supper", starts_at, starts_at + timedelta(hours=2), "Europe/Berlin", "Hall")
    event_id = EventId(fresh_id())
    _run(product, CreateEvent(event_id, "supper", details, EventSettings(), 1_000_000))
    return event_id


def _run(product: Frontdesk, command: BeginImport | CreateEvent) -> None:
    outcome = product.engine.run(command, by="bench", now=product.clock.now())
    assert isinstance(outcome, Committed), outcome


def _is_finished(product: Frontdesk, job_id: JobId) -> bool:
    job = product.engine.reads().engine.job(job_id)
    assert job is not None
    return job.finished


def _address(number: int) -> str:
    return f"guest{number}@example.org"


if __name__ == "__main__":
    sys.exit(0 if report() else 1)
