"""Prints how close the product comes to the bare limit of this machine."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from statistics import median

from bench import (
    bare,
    beside_import,
    bookings,
    cold,
    imports,
    latency,
    moves,
    product,
    reminder_tick,
    scale,
    search_times,
)
from bench.load import Load, cpu_ms_per_person, sign_ups
from bench.served import Served
from frontdesk.values import Frozen

WARM_UP_SECONDS = 1

Serve = Callable[[], AbstractContextManager[Served]]


class Round(Frozen):
    load: Load
    cpu_ms: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="length of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    parser.add_argument("--only-sign-ups", action="store_true", help="leave the rest out")
    chosen = parser.parse_args()

    measured: list[Round] = []
    limit: list[Round] = []
    # Alternates both, so that other load affects both.
    for _ in range(chosen.rounds):
        limit.append(measure(bare.serve, chosen.seconds))
        measured.append(measure(product.serve, chosen.seconds))

    report(measured, limit)
    if not chosen.only_sign_ups:
        bookings.report(chosen.seconds, chosen.rounds)
        latency.report()
        scale.report()
        moves.report()
        reminder_tick.report()
        search_times.report()
        imports.report()
        beside_import.report()
        cold.report()
        subprocess.run(["script/package", "--local"], check=True)
    return 1 if any(each.load.errors for each in [*measured, *limit]) else 0


def measure(serve: Serve, seconds: int) -> Round:
    with serve() as served:
        sign_ups(served, WARM_UP_SECONDS)
        return Round(sign_ups(served, seconds), cpu_ms_per_person(served, seconds))


def report(measured: list[Round], limit: list[Round]) -> None:
    def middle(rounds: list[Round], figure: Callable[[Round], float]) -> float:
        return median(figure(each) for each in rounds)

    limit_rate = middle(limit, lambda each: each.load.per_second)
    limit_cpu = middle(limit, lambda each: each.cpu_ms)
    rate = middle(measured, lambda each: each.load.per_second)
    cpu = middle(measured, lambda each: each.cpu_ms)
    p50 = middle(measured, lambda each: each.load.p50_ms)
    p99 = middle(measured, lambda each: each.load.p99_ms)
    errors = sum(each.load.errors for each in measured)
    print(f"sign-ups: {rate:.0f} /s, limit {limit_rate:.0f} /s, ratio {rate / limit_rate:.2f}")
    print(f"answers: p50 {p50:.1f} ms, p99 {p99:.1f} ms, errors {errors}")
    print(f"CPU per person: {cpu:.2f} ms, limit {limit_cpu:.2f} ms, ratio {cpu / limit_cpu:.2f}")


if __name__ == "__main__":
    sys.exit(main())
