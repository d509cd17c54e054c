"""Visits every state that a small world can reach, one of each kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class Keyed(Protocol):
    def key(self) -> object:
        """Returns the same for worlds that need not both be visited."""


W = TypeVar("W", bound=Keyed)


def reachable(start: W, followers: Callable[[W], Iterable[W | None]], *, most: int) -> list[W]:
    """Returns the states by their distance from the start. Stops at `most`, so that a fault that
    opens up new states cannot make a run endless.
    """
    seen, found, to_do = {start.key()}, [start], deque([start])
    while to_do and len(found) < most:
        for after in followers(to_do.popleft()):
            if after is not None and after.key() not in seen:
                seen.add(after.key())
                found.append(after)
                to_do.append(after)
    return found
