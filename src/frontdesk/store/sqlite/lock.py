"""The lock of a data directory: one process at a time holds it, and it names that process."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from frontdesk.errors import AlreadyRunning
from frontdesk.values import Frozen

LOCK_NAME: Final = "frontdesk.lock"
#: Much longer than `running` holds the shared lock, even on a busy machine.
_LOOKING_SECONDS: Final = 10.0


class RunningProcess(Frozen):
    """The process that holds the lock; `url` and `token` are empty until it serves."""

    pid: int
    url: str = ""
    token: str = ""
    """Authorises commands to the process. Only the owner can read the file."""

    def __repr__(self) -> str:
        return f"RunningProcess(pid={self.pid!r}, url={self.url!r})"  # without the token


class DataLock:
    """Holds the lock from its creation until `release` or the end of the process."""

    def __init__(self, directory: Path) -> None:
        self._file = os.open(
            directory / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode=0o600
        )
        if not _take(self._file):
            holder = _read(self._file)
            os.close(self._file)
            raise AlreadyRunning(
                f"Another Frontdesk (process {holder.pid}) works on {directory}."
                + (f" It answers at {holder.url}." if holder.url else "")
                + " Stop it first, or choose another data directory."
            )
        self._write(RunningProcess(os.getpid()))

    def serves_at(self, url: str, token: str = "") -> None:
        """Writes our URL and token to the lock file, so that others can send commands."""
        self._write(RunningProcess(os.getpid(), url, token))

    def release(self) -> None:
        """Releases the lock. Keeps the file: else two processes could lock different files."""
        os.ftruncate(self._file, 0)
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.release()

    def _write(self, running: RunningProcess) -> None:
        text = f"{running.pid}\n{running.url}\n{running.token}\n".encode()
        os.fchmod(self._file, 0o600)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text, 0)


def running(directory: Path) -> RunningProcess | None:
    """Returns the process that holds the lock of a data directory, or None."""
    try:
        file = os.open(directory / LOCK_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return None if _locks(file, fcntl.LOCK_SH) else _read(file)
    finally:
        os.close(file)


def _take(file: int) -> bool:
    """Takes the lock. Returns False if a process holds it. Waits while `running` shares it."""
    give_up_at = time.monotonic() + _LOOKING_SECONDS
    while not _locks(file, fcntl.LOCK_EX):
        if not _locks(file, fcntl.LOCK_SH) or time.monotonic() > give_up_at:
            return False
        fcntl.flock(file, fcntl.LOCK_UN)
        time.sleep(0.01)
    return True


def _locks(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(file: int) -> RunningProcess:
    lines = os.pread(file, 4096, 0).decode(errors="replace").split("\n")
    pid, url, token, *_ = (*lines, "", "", "")
    return RunningProcess(int(pid) if pid.isdigit() else 0, url.strip(), token.strip())
