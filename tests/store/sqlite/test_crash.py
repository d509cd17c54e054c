"""A process that is killed while it writes loses no acknowledged commit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from frontdesk.desks.rsvp.model import Seats
from frontdesk.store.sqlite.files import check_file
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import NINE, PARTY, rsvp

ROOT = Path(__file__).parents[3]

#: Sixteen threads sign up guests in a loop and write a line for each answer.
WRITE_FOR_EVER = """
import os, sys, threading
from pathlib import Path
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import decide, given, sign_up

store = SqliteStore(Path(sys.argv[1]), [RSVP])
given(store, cap=1_000_000, free=1_000_000)

def write(thread):
    for turn in range(1_000_000):
        name = f"g{thread}-{turn}"
        decide(store, sign_up(name))
        os.write(1, f"{name}\\n".encode())

for thread in range(16):
    threading.Thread(target=write, args=(thread,), daemon=True).start()
threading.Event().wait()
"""


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("acknowledged", [1, 40, 400])
def test_acknowledged_commits_survive_a_kill(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "frontdesk.db"
    names = kill_after(path, acknowledged)
    assert len(names) >= acknowledged

    check_file(path)
    store = SqliteStore(path, [RSVP])
    guests = {each.id: each for each in rsvp(store).guests_after(PARTY, "", 1_000_000)}
    found = rsvp(store).event(PARTY)
    timers = store.due_timers(NINE.replace(year=2030), 1_000_000)
    facts = rsvp(store).facts(PARTY, limit=1_000_000)
    store.close()

    assert set(names) <= set(guests)
    assert found is not None
    assert found.seats == Seats(1_000_000, 1_000_000 - len(guests), taken=len(guests))
    assert {each.fact.about for each in facts} == set(guests)
    assert [each.seq for each in facts] == list(range(1, len(guests) + 1))
    assert {name for name, _due_at in timers} == {
        name for each in guests.values() for name in each.reminders
    }


def kill_after(path: Path, acknowledged: int) -> list[str]:
    """Returns the names that were acknowledged when the process was killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITE_FOR_EVER, str(path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert child.stdout is not None
    try:
        names = [child.stdout.readline() for _ in range(acknowledged)]
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    names += child.stdout.readlines()
    child.stdout.close()
    return [name.decode().strip() for name in names if name.endswith(b"\n")]
