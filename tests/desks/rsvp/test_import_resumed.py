"""An import whose process is killed between two commits goes on where it stopped."""

import contextlib
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest

from frontdesk.core.decision import Command, Refused
from frontdesk.core.jobs import JobId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, CallOff, CreateEvent, SignUp
from frontdesk.desks.rsvp.model import Details, EventId, GuestId, Lane
from frontdesk.desks.rsvp.model import EventSettings as EventSettings
from frontdesk.engine.jobs import STEPS_IN_A_BATCH
from frontdesk.engine.ports import Committed, Outcome, Recorded
from frontdesk.settings import Settings
from frontdesk.store.sqlite.rsvp.events import ROWS_A_COMMIT
from frontdesk.wiring.one_machine import Frontdesk, build

EVENT = EventId("party")
ROOT = Path(__file__).parents[3]
ROWS = 2 * ROWS_A_COMMIT + 107
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

#: Kills itself after this many commits of the command that begins an import.
KILLED_AT_BEGIN = """
    import os, signal, sys
    from pathlib import Path
    from tests.desks.rsvp.test_import_resumed import begin_import
    from frontdesk.settings import Settings
    from frontdesk.wiring.one_machine import build

    product = build(Settings(data_dir=Path(sys.argv[1])))
    commits = 0

    def heard(_facts):
        global commits
        commits += 1
        if commits == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

    product.engine.store.on_commit(heard)
    begin_import(product)
"""


@pytest.mark.spec("EV-10", "FD-07")
@pytest.mark.parametrize(("commits", "begins"), [(1, False), (2, False), (3, True)])
def test_an_import_that_is_killed_before_all_rows_are_written_never_begins(
    tmp_path: Path, commits: int, begins: bool
) -> None:
    with contextlib.closing(build(Settings(data_dir=tmp_path))) as product:
        create_event(product)

    killed = subprocess.run(
        [sys.executable, "-c", dedent(KILLED_AT_BEGIN), str(tmp_path), str(commits)],
        check=False,
        timeout=60,
        cwd=ROOT,
    )

    assert killed.returncode == -signal.SIGKILL
    with contextlib.closing(build(Settings(data_dir=tmp_path))) as product:
        ev = product.engine.reads().desk("ev")
        assert (ev.job(JOB) is not None) == begins
        assert len(ev.import_rows(JOB)) == (ROWS if begins else 0)
        if not begins:
            begin_import(product)

        product.runtime.settle(product.clock.now())

        assert Counter(row.outcome for row in ev.import_rows(JOB)) == {"confirmed": ROWS}
        assert ev.event(EVENT).seats.taken == ev.guest_count(EVENT) == ROWS


def test_a_long_list_is_written_in_small_commits_and_sign_ups_go_first(tmp_path: Path) -> None:
    with contextlib.closing(build(Settings(data_dir=tmp_path))) as product:
        create_event(product)
        store, now = product.engine.store, product.clock.now()
        ann = SignUp(
            EVENT, GuestId("ann"), PersonId("p-ann"), "Ann", "ann@example.org", 1, Lane.FORM
        )
        written: list[int] = []
        signed_up: list[Future[Outcome]] = []

        def heard(_facts: Sequence[Recorded]) -> None:
            written.append(len(ev.import_rows(JOB)))
            if len(written) == 1:
                signed_up.append(product.engine.submit(ann, by="guest", now=now))

        ev = product.engine.reads().desk("ev")
        store.on_commit(heard)
        begun = begin_import(product)

        steps = [after - before for before, after in pairwise([0, *written])]
        assert max(steps) == ROWS_A_COMMIT
        assert sum(steps) == ROWS
        (answer,) = signed_up
        done = answer.result()
        assert isinstance(done, Committed)
        assert done.facts[-1].seq < begun.facts[-1].seq


@pytest.mark.spec("EV-10", "FD-27")
def test_a_long_list_that_is_refused_in_the_end_leaves_no_row(tmp_path: Path) -> None:
    """The event is called off while the import writes its rows."""
    with contextlib.closing(build(Settings(data_dir=tmp_path))) as product:
        create_event(product)
        store, now = product.engine.store, product.clock.now()
        called_off: list[Future[Outcome]] = []
        off = CallOff(EVENT, JobId("off"))

        def heard(_facts: Sequence[Recorded]) -> None:
            if not called_off:
                called_off.append(product.engine.submit(off, by="host", now=now))

        store.on_commit(heard)
        outcome = product.engine.run(import_of_many(), by="host", now=now)

        assert isinstance(called_off[0].result(), Committed)
        assert isinstance(outcome, Refused)
        assert product.engine.reads().desk("ev").import_rows(JOB) == []


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
        create_event(product)
        begin_import(product)


def create_event(product: Frontdesk) -> None:
    starts_at = product.clock.now() + timedelta(days=30)
    details = Details("Party", starts_at, starts_at + timedelta(hours=2), "UTC", "Hall")
    run(product, CreateEvent(EVENT, "party", details, EventSettings(), 2 * ROWS))


def begin_import(product: Frontdesk) -> Committed:
    return run(product, import_of_many())


def import_of_many() -> BeginImport:
    rows = tuple(ImportRow(n, f"Guest {n}", f"{n}@example.org", 1) for n in range(1, ROWS + 1))
    return BeginImport(EVENT, JOB, rows, invite=False)


def run(product: Frontdesk, command: Command) -> Committed:
    outcome = product.engine.run(command, by="cli", now=product.clock.now())
    assert isinstance(outcome, Committed)
    return outcome
