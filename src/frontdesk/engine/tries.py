"""How often something that fails is tried again before it goes to the dead letters."""

from __future__ import annotations

from collections import Counter
from typing import Final

MOST_TRIES: Final = 4


class Tries:
    """Counts the failures of each thing by its reference; a restart forgives them."""

    def __init__(self, most: int = MOST_TRIES) -> None:
        self._most = most
        self._failed: Counter[str] = Counter()

    def again(self, ref: str) -> bool:
        """It failed once more: is it worth another try? If not, the count begins anew."""
        self._failed[ref] += 1
        if self._failed[ref] < self._most:
            return True
        del self._failed[ref]
        return False

    def worked(self, ref: str) -> None:
        self._failed.pop(ref, None)
