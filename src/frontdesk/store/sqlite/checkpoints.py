"""Copies the write-ahead log into the data file in small parts, between commits.

SQLite itself does so inside the commit that fills the log: beside a large import that commit took
several times as long as others, and sign-ups waited for it. The writer's own connection runs each
checkpoint, because versions before 3.51.3 can damage a log that another connection copies.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from frontdesk.logs import failure, log

#: Few, so that a sign-up waits only some milliseconds for a checkpoint. A commit of one sign-up
#: writes about ten pages; a commit of many import rows writes about one page for five changes.
COMMITS_A_CHECKPOINT: Final = 50
CHANGES_A_CHECKPOINT: Final = 2_000
#: PASSIVE does not wait: pages that a reader still needs stay in the log.
CHECKPOINT: Final = "PRAGMA wal_checkpoint(PASSIVE)"


class Checkpoints:
    """Counts commits since the last checkpoint. Only the writer's thread uses it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._commits = 0
        self._changes_before = db.total_changes

    def count_commit(self) -> None:
        self._commits += 1

    def is_due(self) -> bool:
        changes = self._db.total_changes - self._changes_before
        return self._commits >= COMMITS_A_CHECKPOINT or changes >= CHANGES_A_CHECKPOINT

    def run(self) -> None:
        """Copies pages that no reader needs. An error harms no commit: all of them are in the log,
        and SQLite copies it later.
        """
        self._commits = 0
        self._changes_before = self._db.total_changes
        try:
            self._db.execute(CHECKPOINT).fetchone()
        except sqlite3.Error as error:
            log("checkpoint.failed", why=failure(error))
