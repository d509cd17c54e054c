"""Reads a PDF in a separate process with a time limit."""

import os
import subprocess
import sys
from typing import Final

import msgspec

from frontdesk.logs import log
from frontdesk.reading.model import BadDocument

MOST_SECONDS: Final = 12.0
DAMAGED: Final = "This PDF is damaged or too complicated, and could not be read."


class PdfPages(msgspec.Struct, frozen=True):
    """The text of the first pages or, without text, their pictures.

    `problem` says why there is neither.
    """

    text: str = ""
    pictures: tuple[bytes, ...] = ()
    problem: str = ""


def pdf_pages(data: bytes, *, seconds: float = MOST_SECONDS) -> PdfPages:
    """Raises `BadDocument` for a file that is locked, damaged or empty, or takes too long."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "frontdesk.reading.pdf_worker"],
            input=data,
            capture_output=True,
            timeout=seconds,
            check=True,
            env={**without_secrets(), "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        pages = msgspec.json.decode(done.stdout, type=PdfPages)
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError) as failed:
        log("pdf.unreadable", why=type(failed).__name__)
        raise BadDocument(DAMAGED) from None
    if pages.problem:
        raise BadDocument(pages.problem)
    return pages


def without_secrets() -> dict[str, str]:
    """Returns the few environment variables that a program needs to read an untrusted file."""
    names = ("PATH", "LD_LIBRARY_PATH", "LANG", "TESSDATA_PREFIX", "SYSTEMROOT")
    return {name: os.environ[name] for name in names if name in os.environ}
