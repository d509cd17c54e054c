"""What a scenario of any desk is, and what came of playing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol

from frontdesk.values import Frozen

Progress = Callable[[int, int], None]
"""How much has been played, of how much."""


class Scenario(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...


class Played(Frozen):
    data: dict[str, Any]
    words: Iterable[str]
    problems: list[str]


class Moment(Frozen):
    """One line of what happened. `kind` is the fact's, or nothing for what was done to it."""

    at: datetime
    kind: str
    text: str


def differences(expected: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    return [
        f"at the end: {name} is {found.get(name)}, and should be {value}"
        for name, value in expected.items()
        if found.get(name) != value
    ]
