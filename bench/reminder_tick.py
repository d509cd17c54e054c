"""Measures the hourly tick over many appointments, compared with reading them from SQLite."""

import contextlib
import random
import sqlite3
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from bench.served import scratch_folder
from frontdesk.core.decision import Accepted
from frontdesk.desks.reminders.commands import RunTick
from frontdesk.desks.reminders.decide.tick import cursor_of, run
from frontdesk.desks.reminders.load import PAGE, Loader, reminder_reads
from frontdesk.desks.reminders.model import Appointment
from frontdesk.desks.reminders.views import TickView
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.store.rows import seconds
from frontdesk.values import Frozen
from frontdesk.wiring.one_machine import Frontdesk, build, data_file

APPOINTMENTS = 100_000
TURNS = 5
#: The maximum ratio of the tick to the reading.
MOST = 3.0
NOW = datetime(2026, 11, 16, 9, tzinfo=UTC)
#: All appointments are within the days that the tick looks at.
DAYS = 5
FIRST_DAYS_DONE = 3

ADD_PERSON = "INSERT INTO fd_person (person_id, name, email, email_key) VALUES (?, ?, ?, ?)"
ADD = (
    "INSERT INTO ar_appointment (appointment_id, source, ref, person_id, service, starts_at,"
    " duration, booked_at, staff, state, chain, settled, tags, phone, version)"
    " VALUES (?, 'sheet', ?, ?, ?, ?, 3600, ?, 'Mia', 'expected', 1, ?, '{}', '', 1)"
)


class Costs(Frozen):
    """Medians in seconds, and how many appointments the tick found something to do for."""

    tick: float
    reading: float
    found: int

    @property
    def ratio(self) -> float:
        return self.tick / self.reading


def measure(appointments: int = APPOINTMENTS, turns: int = TURNS) -> Costs:
    """Alternates both, so that other load affects both."""
    ticks: list[float] = []
    readings: list[float] = []
    found = 0
    with scratch_folder() as folder, _full(folder, appointments) as product:
        for _ in range(turns):
            begun = time.perf_counter()
            assert _read(product) == appointments
            readings.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            looked, found = _tick(product)
            ticks.append(time.perf_counter() - begun)
            assert looked == appointments
    return Costs(median(ticks), median(readings), found)


def report() -> bool:
    """Prints the costs; returns whether the ratio is within the limit."""
    costs = measure()
    print(
        f"tick over {APPOINTMENTS} appointments, {costs.found} with something to do:"
        f" {costs.tick:.2f} s, reading them: {costs.reading:.2f} s,"
        f" ratio {costs.ratio:.2f} (at most {MOST:.0f})"
    )
    return costs.ratio <= MOST


def _read(product: Frontdesk) -> int:
    """Reads all live appointments in the same pages."""
    return sum(len(page) for page in _pages(product))


def _pages(product: Frontdesk) -> Iterator[list[Appointment]]:
    ar, cursor = reminder_reads(product.engine.reads()), ""
    while page := list(ar.live_after(NOW, cursor, PAGE)):
        yield page
        cursor = cursor_of(page[-1])


def _tick(product: Frontdesk) -> tuple[int, int]:
    """Loads and decides each step of a tick as the engine does, without the commits."""
    loader, reads, command = Loader(), product.engine.reads(), RunTick(NOW)
    view = loader.tick(reads, command)
    while True:
        decided = run(view, command, NOW)
        assert isinstance(decided, Accepted)
        [write] = [each for each in decided.changes if hasattr(each, "setting")]
        state = write.after  # type: ignore[attr-defined]
        if not state.cursor:
            return state.looked, state.found
        ar = reminder_reads(reads)
        planner, no_shows = loader.planner(reads), ar.no_shows()
        until = NOW + planner.furthest_ahead
        page = ar.live_after(NOW, state.cursor, PAGE, until, unanswered=True)
        is_last = len(page) < PAGE
        view = TickView(planner, state, page, is_last, no_shows, is_on=True)


@contextlib.contextmanager
def _full(folder: Path, appointments: int) -> Iterator[Frontdesk]:
    """Yields a data file with unanswered appointments. Their earlier windows are settled, so few
    are due: the tick leaves answered appointments out."""
    product = build(Settings(data_dir=folder), clock=VirtualClock(NOW))
    chance = random.Random(7)
    span = int(timedelta(days=DAYS).total_seconds())
    people, rows = [], []
    for number in range(appointments):
        person = f"p{number:06}"
        start = seconds(NOW) + 300 * chance.randrange(1, span // 300)
        days = (start - seconds(NOW)) / 86_400
        settled = (
            '["first","second"]' if days < 1 else '["first"]' if days < FIRST_DAYS_DONE else "[]"
        )
        people.append((person, "Ann", f"{person}@example.org", f"{person}@example.org"))
        booked = seconds(NOW) - 86_400 * 30
        rows.append((f"a{number:06}", str(number), person, "Cut", start, booked, settled))
    with contextlib.closing(sqlite3.connect(data_file(folder))) as db, db:
        db.executemany(ADD_PERSON, people)
        db.executemany(ADD, rows)
    try:
        yield product
    finally:
        product.close()


if __name__ == "__main__":
    sys.exit(0 if report() else 1)
