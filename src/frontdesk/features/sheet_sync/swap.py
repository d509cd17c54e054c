"""Two files trade places in one instant, so that neither is ever lost."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Final

_HERE: Final = -100
_EXCHANGE: Final = 2


def swap(one: Path, other: Path) -> None:
    """Where the system cannot do that, `one` takes the place of `other`, and has its contents
    only as they were a moment before."""
    if sys.platform == "linux" and _exchanged(one, other):
        return
    before = other.read_bytes()
    one.replace(other)
    one.write_bytes(before)


def _exchanged(one: Path, other: Path) -> bool:
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    failed: int = rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE)
    return failed == 0
