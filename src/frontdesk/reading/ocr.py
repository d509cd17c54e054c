"""Recognises text in pictures with Tesseract, if it is installed."""

import os
import shutil
import subprocess
import sys
from functools import cache
from typing import Final

from frontdesk.logs import log
from frontdesk.reading.model import BadDocument
from frontdesk.reading.pdf import without_secrets

MOST_SECONDS: Final = 20.0
#: Enough for a picture of the maximum size, in four languages.
MOST_MEMORY_BYTES: Final = 1024 * 1024 * 1024
LANGUAGES: Final = ("eng", "deu", "fra", "spa")


class Tesseract:
    """Reads one picture in at most `seconds`; only its first page."""

    def __init__(self, program: str, *, seconds: float = MOST_SECONDS) -> None:
        self._program = program
        self._seconds = seconds

    def text_of(self, picture: bytes) -> str:
        try:
            words = ["-", "stdout", "-l", _languages(self._program), "-c", "tessedit_page_number=0"]
            done = _run(self._program, *words, given=picture, seconds=self._seconds)
        except (OSError, subprocess.SubprocessError) as failed:
            log("picture.unreadable", why=type(failed).__name__)
            raise BadDocument("This picture could not be read.") from None
        return done.decode("utf-8", "replace").replace("\f", "\n").strip()


def tesseract() -> Tesseract | None:
    """Returns None if it is not installed: then people must look at pictures."""
    program = shutil.which("tesseract")
    return Tesseract(program) if program else None


@cache
def _languages(program: str) -> str:
    """Returns the installed languages among ours, like 'eng+deu'."""
    there = _run(program, "--list-langs", given=b"", seconds=MOST_SECONDS).decode().split()
    return "+".join(each for each in LANGUAGES if each in there) or "eng"


def _run(program: str, *words: str, given: bytes, seconds: float) -> bytes:
    """Runs with one thread: a picture must not use the whole machine."""
    done = subprocess.run(
        [*_limited(seconds), program, *words],
        input=given,
        capture_output=True,
        timeout=seconds,
        check=True,
        env={**without_secrets(), "OMP_THREAD_LIMIT": "1"},
    )
    return done.stdout


def _limited(seconds: float) -> list[str]:
    """Returns a command that sets resource limits and then executes the program.

    Does not use `preexec_fn`, which may hang with threads.
    """
    if os.name != "posix":
        return []
    limits = [str(MOST_MEMORY_BYTES), str(int(seconds) + 1)]
    return [sys.executable, "-I", "-S", "-c", _LIMIT, *limits]


_LIMIT: Final = """
import os, resource, sys
memory, seconds = int(sys.argv[1]), int(sys.argv[2])
for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
    try:
        resource.setrlimit(what, (most, most))
    except (ValueError, OSError):
        pass
try:
    os.nice(10)
except OSError:
    pass
os.execv(sys.argv[3], sys.argv[3:])
"""
