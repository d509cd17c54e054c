"""The AWS requests of each occasion, counted on the emulator (`requests.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from frontdesk.cost.occasions import OCCASIONS, Occasion
from frontdesk.cost.prices import read_toml
from frontdesk.values import Frozen

#: A function gets one whole CPU with this memory, and a share of it with less.
_MB_FOR_A_PROCESSOR: Final = 1_769
#: The average time that a function waits for another service.
_ANSWER_SECONDS: Final = 0.01


class Function(Frozen):
    """Durations of a function on a whole CPU."""

    memory_mb: int
    start_seconds: float
    """The time of a cold start: at a small event nearly every run starts cold."""
    work_seconds: float
    """The time for each answer of another service."""
    ssm: int = 0
    """The number of reads of settings at a start."""
    secrets: int = 0
    """The number of reads of secrets at a start."""

    def gb_seconds(self, starts: float, answers: float) -> float:
        """Waiting takes the same time with any memory; work takes longer with less CPU."""
        share = min(1.0, self.memory_mb / _MB_FOR_A_PROCESSOR)
        busy = starts * self.start_seconds + answers * self.work_seconds
        waiting = (answers + starts * (self.ssm + self.secrets)) * _ANSWER_SECONDS
        return (busy / share + waiting) * self.memory_mb / 1_024


class Runs(Frozen):
    """Runs of one function for one occasion."""

    times: float
    cold: float
    """The number of runs that start cold."""
    answers: float
    """The number of waits for another service."""


class Counted(Frozen):
    functions: Mapping[str, Function]
    runs: Mapping[Occasion, Mapping[str, Runs]]
    requests: Mapping[Occasion, Mapping[str, float]]
    """By `service.what`, as in `dynamodb.write`; without the reads at a start."""


@cache
def counted() -> Counted:
    return read_counts(read_toml("requests.toml"))


def read_counts(kept: Mapping[str, Any]) -> Counted:
    functions = {name: Function(**each) for name, each in kept["function"].items()}
    runs: dict[Occasion, Mapping[str, Runs]] = {}
    requests: dict[Occasion, Mapping[str, float]] = {}
    for occasion in OCCASIONS:
        parts = dict(kept["occasion"][occasion])
        times, cold, answers = (parts.pop(name, {}) for name in ("lambda", "cold", "answers"))
        runs[occasion] = {
            name: Runs(times.get(name, 0.0), cold.get(name, 0.0), answers.get(name, 0.0))
            for name in {**times, **answers}
        }
        requests[occasion] = {
            f"{service}.{what}": count
            for service, part in parts.items()
            for what, count in part.items()
        }
    return Counted(functions, runs, requests)
