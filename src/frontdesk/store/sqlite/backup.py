"""Backs up the data file while it is in use, and restores it from a checked backup."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from frontdesk.store.sqlite.files import check_file, open_reader
from frontdesk.store.sqlite.lock import DataLock

_PAGES_A_STEP: Final = 512

Progress = Callable[[int, int], None]


def back_up(path: Path, to: Path, progress: Progress = lambda _done, _total: None) -> None:
    """Copies everything that is committed at the start, and checks the copy. Writers do not wait.

    The copy gets its name when it is complete: `to` is either the old copy or the new one.
    """
    partial = to.with_name(f"{to.name}.part")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    source = open_reader(path)
    copy = sqlite3.connect(partial, isolation_level=None)
    try:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        source.backup(
            copy,
            pages=_PAGES_A_STEP,
            progress=lambda _status, left, total: progress(total - left, total),
        )
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
        source.close()
    check_file(partial)
    _move(partial, to)


def restore(backup: Path, path: Path) -> Path | None:
    """Replaces the data file by a backup. Returns where the old file is kept, if there was one.

    Raises an error while a Frontdesk works on the directory, and for a damaged backup.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with DataLock(path.parent):
        check_file(backup)
        fresh = path.with_name(f"{path.name}.restoring")
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600)  # before it has content that others could read
        shutil.copyfile(backup, fresh)
        kept = _set_aside(path) if path.exists() else None
        _move(fresh, path)
        return kept


def _set_aside(path: Path) -> Path:
    """Gives the old file a second name. First writes its WAL into it, or renames the WAL, too."""
    with contextlib.suppress(sqlite3.DatabaseError):
        old = sqlite3.connect(path)
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        old.close()
    kept = _free_name(path)
    for ending in ("-wal", "-shm"):
        log = path.with_name(path.name + ending)
        if log.exists():
            log.rename(kept.with_name(kept.name + ending))
    os.link(path, kept)
    return kept


def _free_name(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.before-restore-{number}")).exists():
        number += 1
    return kept


def _move(file: Path, to: Path) -> None:
    """Renames a file. Its content is on disk before, and its new name afterwards."""
    _sync(file)
    file.replace(to)
    _sync(to.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
