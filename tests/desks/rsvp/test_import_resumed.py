"""An import whose process is killed between two batches goes on where it stopped."""

import contextlib
import signal
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from textwrap import dedent

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, CreateEvent
from frontdesk.desks.rsvp.model import Details, EventId
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.engine.jobs import STEPS_IN_A_BATCH
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build

EVENT = EventId("party")
ROWS = 4 * STEPS_IN_A_BATCH + 7
JOB = JobId("list")

KILLED = """
    import os, signal, sys
    from pathlib import Path
    from frontdesk.settings import Settings
    from frontdesk.wiring.one_machine import build

    product = build(Settings(data_dir=Path(sys.argv[1])))
    for _ in range(2):
        product.runtime.jobs.step(product.clock.now())
    product.engine.store.on_commit(lambda _facts: os.kill(os.getpid(), signal.SIGKILL))
    product.runtime.jobs.step(product.clock.now())
"""


@pytest.mark.spec("EV-10", "FD-07")
def test_an_import_that_is_killed_goes_on_where_it_stopped_and_takes_every_row_once(
    tmp_path: Path,
) -> None:
    begin(tmp_path)

    killed = subprocess.run(
        [sys.executable, "-c", dedent(KILLED), str(tmp_path)], check=False, timeout=60
    )

    assert killed.returncode == -signal.SIGKILL
    with contextlib.closing(build(Settings(data_dir=tmp_path))) as product:
        ev = product.engine.reads().desk("ev")
        done = ev.job(JOB).done
        assert 2 * STEPS_IN_A_BATCH < done < ROWS
        assert Counter(row.outcome for row in ev.import_rows(JOB)) == {
            "confirmed": done,
            "": ROWS - done,
        }
        assert ev.event(EVENT).seats.taken == done

        product.runtime.settle(product.clock.now())

        assert Counter(row.outcome for row in ev.import_rows(JOB)) == {"confirmed": ROWS}
        assert ev.event(EVENT).seats.taken == ev.guest_count(EVENT) == ROWS
        assert ev.job(JOB).finished


def begin(folder: Path) -> None:
    with contextlib.closing(build(Settings(data_dir=folder))) as product:
        now = product.clock.now()
        starts_at = now + timedelta(days=30)
        details = Details("Party", starts_at, starts_at + timedelta(hours=2), "UTC", "Hall")
        rows = tuple(ImportRow(n, f"Guest {n}", f"{n}@example.org", 1) for n in range(1, ROWS + 1))
        for command in (
            CreateEvent(EVENT, "party", details, EventSettings(), 2 * ROWS),
            BeginImport(EVENT, JOB, rows, invite=False),
        ):
            assert isinstance(product.engine.run(command, by="cli", now=now), Committed)
