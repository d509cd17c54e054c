"""Visits every state that a small world can reach, one for each key."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class Keyed(Protocol):
    def key(self) -> object:
        """Returns the same value for worlds of which one is enough to visit."""


W = TypeVar("W", bound=Keyed)


def reachable(start: W, followers: Callable[[W], Iterable[W | None]], *, most: int) -> list[W]:
    """Returns the states by their distance from the start. Stops at `most`, so that a run ends even
    if a fault opens up endless new states."""
    seen, found, to_do = {start.key()}, [start], deque([start])
    while to_do and len(found) < most:
        for after in followers(to_do.popleft()):
            if after is not None and after.key() not in seen:
                seen.add(after.key())
                found.append(after)
                to_do.append(after)
    return found
