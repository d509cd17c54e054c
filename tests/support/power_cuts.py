"""Power cuts: a store whose process dies after a number of commits."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from frontdesk.engine.ports import Outcome, Store


class PowerCut(BaseException):
    """Simulates the sudden end of the process."""


class Fuse:
    """Cuts the power after a number of commits."""

    def __init__(self, commits: int | None = None) -> None:
        self._left = commits

    def burn(self) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise PowerCut


class FusedStore:
    """A store whose process dies right after a commit: the rows are on disk, but no listener has
    been called."""

    def __init__(self, store: Store, fuse: Fuse) -> None:
        self._store = store
        self._fuse = fuse

    def decide(self, *args: Any, **named: Any) -> Outcome:
        outcome = self._store.decide(*args, **named)
        self._fuse.burn()
        return outcome

    def submit(self, *args: Any, patient: bool = False, **named: Any) -> Future[Outcome]:
        answer: Future[Outcome] = Future()
        try:
            answer.set_result(self.decide(*args, **named))
        except Exception as error:
            answer.set_exception(error)
        return answer

    def pass_over(self, *args: Any) -> None:
        self._store.pass_over(*args)
        self._fuse.burn()

    def add_dead_letter(self, *args: Any, **named: Any) -> None:
        self._store.add_dead_letter(*args, **named)
        self._fuse.burn()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
