"""The AWS requests of each occasion, counted on the emulator (`requests.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from frontdesk.cost.occasions import OCCASIONS, Occasion
from frontdesk.cost.prices import read_toml
from frontdesk.values import Frozen

#: A function gets one whole processor with this memory, and a part of it with less.
_MB_FOR_A_PROCESSOR: Final = 1_769
#: How long a function waits for another service to answer, on average.
_ANSWER_SECONDS: Final = 0.01


class Function(Frozen):
    """How long a function takes, on a processor of its own."""

    memory_mb: int
    start_seconds: float
    """To start cold: a small event wakes each function anew for nearly everything."""
    work_seconds: float
    """For each answer of another service."""
    ssm: int = 0
    """How often it reads settings as it starts,"""
    secrets: int = 0
    """and keys."""

    def gb_seconds(self, starts: float, answers: float) -> float:
        """To wait takes as long on any processor, and more work as much longer as there is less."""
        share = min(1.0, self.memory_mb / _MB_FOR_A_PROCESSOR)
        busy = starts * self.start_seconds + answers * self.work_seconds
        waiting = (answers + starts * (self.ssm + self.secrets)) * _ANSWER_SECONDS
        return (busy / share + waiting) * self.memory_mb / 1_024


class Runs(Frozen):
    """Of one function, for one occasion."""

    times: float
    cold: float
    """How many of them find no function that has just run."""
    answers: float
    """How often it waits for another service."""


class Counted(Frozen):
    functions: Mapping[str, Function]
    runs: Mapping[Occasion, Mapping[str, Runs]]
    requests: Mapping[Occasion, Mapping[str, float]]
    """By `service.what`, as in `dynamodb.write`; without what functions read as they start."""


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
