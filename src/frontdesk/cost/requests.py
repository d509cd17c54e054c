"""What each occasion asks of AWS, as it was counted on the emulator (`requests.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from frontdesk.cost.described import OCCASIONS, Occasion
from frontdesk.cost.prices import read_toml
from frontdesk.frozen import frozen

#: A function gets one whole processor with this memory, and a part of it with less.
_MB_FOR_A_PROCESSOR: Final = 1_769


@frozen
class Function:
    """How long one run of a function takes, on a processor of its own."""

    memory_mb: int
    start_seconds: float
    """To start cold: a small event wakes each function anew for nearly everything."""
    work_seconds: float
    wait_seconds: float
    """For the answers of other services: this takes as long on any processor."""

    def gb_seconds(self, *, cold: bool) -> float:
        share = min(1.0, self.memory_mb / _MB_FOR_A_PROCESSOR)
        busy = self.work_seconds + (self.start_seconds if cold else 0.0)
        return (busy / share + self.wait_seconds) * self.memory_mb / 1_024


@frozen
class Counted:
    functions: Mapping[str, Function]
    invocations: Mapping[Occasion, Mapping[str, float]]
    """How often each function runs for one occasion."""
    requests: Mapping[Occasion, Mapping[str, float]]
    """By `service.what`, as in `dynamodb.write`; without those to functions."""


@cache
def counted() -> Counted:
    return read_counts(read_toml("requests.toml"))


def read_counts(kept: Mapping[str, Any]) -> Counted:
    functions = {name: Function(**each) for name, each in kept["function"].items()}
    invocations: dict[Occasion, Mapping[str, float]] = {}
    requests: dict[Occasion, Mapping[str, float]] = {}
    for occasion in OCCASIONS:
        parts = dict(kept["occasion"][occasion])
        invocations[occasion] = parts.pop("lambda", {})
        requests[occasion] = {
            f"{service}.{what}": count
            for service, part in parts.items()
            for what, count in part.items()
        }
    return Counted(functions, invocations, requests)
