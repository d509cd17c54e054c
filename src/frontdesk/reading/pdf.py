"""The text of a PDF, read in a process of its own: whatever it is made to do there ends soon."""

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
    """What was found: the text of the first pages, or, if there is none, their pictures.

    `problem` says why nothing could be found.
    """

    text: str = ""
    pictures: tuple[bytes, ...] = ()
    problem: str = ""


def pdf_pages(data: bytes, *, seconds: float = MOST_SECONDS) -> PdfPages:
    """Raises `BadDocument` for what is locked, damaged, empty or takes too long."""
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
        log("pdf.could_not_be_read", why=type(failed).__name__)
        raise BadDocument(DAMAGED) from None
    if pages.problem:
        raise BadDocument(pages.problem)
    return pages


def without_secrets() -> dict[str, str]:
    """The little of our surroundings that a program needs which reads a stranger's file."""
    names = ("PATH", "LD_LIBRARY_PATH", "LANG", "TESSDATA_PREFIX", "SYSTEMROOT")
    return {name: os.environ[name] for name in names if name in os.environ}
