"""Serves Frontdesk in a process that kills itself right after the first commit of a given kind.

The process dies as soon as a query finds a row. At that time the commit is on disk, but no caller
has its result: the writer answers afterwards.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

from frontdesk.cli import main
from frontdesk.store.sqlite.writer import Task, Writer

DIES_WHEN: Final = "DIES_WHEN"
"""The variable with the query."""


def doom(query: str) -> None:
    tell = Writer._call_listeners

    def look(writer: Writer, batch: list[Task]) -> None:
        if writer._db.execute(query).fetchone() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        tell(writer, batch)

    setattr(Writer, "_call_listeners", look)  # noqa: B010


if __name__ == "__main__":
    doom(os.environ[DIES_WHEN])
    sys.exit(main(sys.argv[1:]))
