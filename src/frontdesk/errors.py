"""Everything that can go wrong, drawn as a tree.

    FrontdeskError ├── Conflict            a condition did not hold: look again, then decide again
    ├── Busy                the store is overloaded or locked: retry shortly ├── KeyReused an
    idempotency key came again with another request ├── AlreadyRunning      another process holds
    the data directory ├── BadSettings         one or more settings are missing or wrong ├──
    SourceFailed        a sheet or a document cannot be read or written └── StoreDamaged        not
    a data file of ours, or one of a newer version

Refusals are not here: they are values (`frontdesk.core.decision.Refused`).
"""

from __future__ import annotations

import errno
from typing import Final


class FrontdeskError(Exception):
    """The base class of all expected errors. Its text can be shown to a person."""


class Conflict(FrontdeskError):
    """A change's condition did not hold; nothing of its commit was written."""

    def __init__(self, change: object) -> None:
        super().__init__(f"{type(change).__name__} no longer applies")
        self.change = change


class Busy(FrontdeskError):
    """The store could not take the commit now; nothing was written."""


class KeyReused(FrontdeskError):
    """An idempotency key came again with another request than the first; nothing was written."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request.")


class AlreadyRunning(FrontdeskError):
    """Another Frontdesk works on this data directory."""


class BadSettings(FrontdeskError):
    """Settings are missing or wrong; the text names every one of them."""


class SourceFailed(FrontdeskError):
    """A sheet or a document elsewhere cannot be read or written; the text says why, to staff."""


class StoreDamaged(FrontdeskError):
    """The data file cannot be used."""


_OS_REASONS: Final = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a file stands where a folder should be",
    errno.EISDIR: "this is a folder, not a file",
    errno.EACCES: "you have no permission for it",
    errno.EPERM: "you have no permission for it",
    errno.EROFS: "nothing can be written there",
    errno.ENOSPC: "the disk is full",
    errno.EADDRINUSE: "another program listens there",
    errno.ECONNREFUSED: "nothing answers there",
}


def os_reason(error: OSError) -> str:
    """Says in plain words why the operating system refused."""
    return _OS_REASONS.get(error.errno or 0) or (error.strerror or "it failed").lower()
