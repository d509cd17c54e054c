"""Measures bookings over HTTP beside the bare limit: the page, a hold, a booking, a whole visit."""

import argparse
import contextlib
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Final

from bench import booking_bare, booking_product
from bench.booking_product import bookable_times
from bench.load import CONNECTIONS, Load, cpu_seconds, read, settle
from bench.served import Served
from frontdesk.values import Frozen

SCRIPT: Final = Path(__file__).with_name("bookings.lua")
USED: Final = re.compile(r"^used (\d+)$", re.MULTILINE)
WARM_UP_SECONDS: Final = 1
#: The product answers at least this share of the bare limit's requests.
LEAST: Final = 0.5

Serve = Callable[[], AbstractContextManager[Served]]


class Step(Frozen):
    load: Load
    cpu_ms: float
    """The server's CPU time for each request, including the work that follows."""


class Round(Frozen):
    page: Step
    hold: Step
    booking: Step
    cpu_ms: float
    """The server's CPU time for one person's visit, including the work that follows."""


class Salon:
    """A server under load. No time is used twice."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self._times = served.folder / "times"
        lines = (f"{at} {staff}\n" for at, staff in bookable_times(datetime.now(UTC)))
        self._times.write_text("".join(lines))
        self._used = 0

    def bookings(self, seconds: int) -> Step:
        """Books without a hold; checks that every booking is on disk."""
        before = self.served.stored()
        step = self.step("book", seconds)
        stored, answered = self.served.stored() - before, step.load.requests - step.load.errors
        if stored < answered:
            raise RuntimeError(f"{answered} bookings answered, {stored} stored")
        return step

    def step(self, name: str, seconds: int) -> Step:
        before = cpu_seconds(self.served.pid)
        load = self.run(name, seconds)
        used = cpu_seconds(self.served.pid) - before
        return Step(load, used * 1000 / load.requests)

    def cpu_ms_per_person(self, seconds: int) -> float:
        settle(self.served)
        people, before = self.served.stored(), cpu_seconds(self.served.pid)
        self.run("visit", seconds)
        settle(self.served)
        used = cpu_seconds(self.served.pid) - before
        return used * 1000 / (self.served.stored() - people)

    def run(self, step: str, seconds: int) -> Load:
        prefix = f"guest-{secrets.token_hex(4)}-"
        words = [prefix, step, self.served.page_path, str(self._times), str(self._used)]
        settings = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(SCRIPT)]
        printed = subprocess.run(
            ["wrk", *settings, self.served.base_url, "--", *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=seconds + 30,
        ).stdout
        load = read(printed)
        self._used = times_used(printed)
        return load


def times_used(printed: str) -> int:
    """Returns how many times of the list were sent, in this run and before."""
    found = USED.search(printed)
    if found is None:
        raise ValueError(f"wrk printed no number of times: {printed!r}")
    return int(found[1])


def measure(serve: Serve, seconds: int) -> Round:
    """Uses a new server for holds and one for bookings, so that neither uses up the times of the
    other."""
    with warm_salon(serve) as salon:
        page, hold = salon.step("page", seconds), salon.step("choose", seconds)
    with warm_salon(serve) as salon:
        return Round(page, hold, salon.bookings(seconds), salon.cpu_ms_per_person(seconds))


@contextlib.contextmanager
def warm_salon(serve: Serve) -> Iterator[Salon]:
    with serve() as served:
        salon = Salon(served)
        salon.run("page", WARM_UP_SECONDS)
        salon.bookings(WARM_UP_SECONDS)
        settle(served)
        yield salon


def report(seconds: int = 5, rounds: int = 3) -> float:
    """Prints the figures. Returns the lowest ratio."""
    measured: list[Round] = []
    limit: list[Round] = []
    # Alternates both, so that other load affects both.
    for _ in range(rounds):
        limit.append(measure(booking_bare.serve, seconds))
        measured.append(measure(booking_product.serve, seconds))
    ratios = [
        _report("booking page", [one.page for one in measured], [one.page for one in limit]),
        _report("holds", [one.hold for one in measured], [one.hold for one in limit]),
        _report("bookings", [one.booking for one in measured], [one.booking for one in limit]),
    ]
    cpu, limit_cpu = (median(one.cpu_ms for one in each) for each in (measured, limit))
    ratio = cpu / limit_cpu
    print(f"CPU per booked person: {cpu:.2f} ms, limit {limit_cpu:.2f} ms, ratio {ratio:.2f}")
    return min(ratios)


def _report(what: str, measured: list[Step], limit: list[Step]) -> float:
    rate, most = (median(one.load.per_second for one in each) for each in (measured, limit))
    cpu, least = (median(one.cpu_ms for one in each) for each in (measured, limit))
    p50, p99 = (median(getattr(one.load, key) for one in measured) for key in ("p50_ms", "p99_ms"))
    errors = sum(one.load.errors for one in [*measured, *limit])
    print(f"{what}: {rate:.0f} /s, limit {most:.0f} /s, ratio {rate / most:.2f}")
    print(
        f"  p50 {p50:.1f} ms, p99 {p99:.1f} ms, errors {errors};"
        f" CPU {cpu:.2f} ms, limit {least:.2f} ms"
    )
    return rate / most if not errors else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.bookings", description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="length of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    chosen = parser.parse_args()
    return 0 if report(chosen.seconds, chosen.rounds) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
