"""Creates ids in the order of time."""

from __future__ import annotations

import os
import time
from threading import Lock
from typing import Final

from frontdesk.core.ids import new_id


class FreshIds:
    """Creates ids from the time in milliseconds and random bytes: new rows are adjacent on disk.

    Reads random bytes in batches, since every system call releases the interpreter lock.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._chance = b""

    def __call__(self) -> str:
        with self._turn:
            if not self._chance:
                self._chance = os.urandom(4000)
            chance, self._chance = self._chance[:10], self._chance[10:]
        return new_id((time.time_ns() // 1_000_000).to_bytes(6) + chance)


fresh_id: Final = FreshIds()
