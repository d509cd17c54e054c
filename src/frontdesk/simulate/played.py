"""The interface of a scenario of any desk, and the result of playing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol

from frontdesk.values import Frozen

Progress = Callable[[int, int], None]
"""Gets the number of steps played, and of all steps."""


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
    """One line of the story. `kind` is that of the fact; empty for an action or a fault."""

    at: datetime
    kind: str
    text: str


def differences(expected: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    return [
        f"at the end: {name} is {found.get(name)}, and should be {value}"
        for name, value in expected.items()
        if found.get(name) != value
    ]
