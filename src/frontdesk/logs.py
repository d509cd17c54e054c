"""Structured logs: one JSON line for each decision or failure, no person's address, no token."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Final

_ADDRESS: Final = re.compile(r"""(?:"[^"\n]*"|[^\s<>()\[\],;:"@]+)@[^\s<>()\[\],;:"'@]+""")
#: With its country, as we keep them.
_NUMBER: Final = re.compile(r"\+\d{7,15}\b")
#: Of a link or a session, as it stands in addresses.
_TOKEN: Final = re.compile(r"[\w-]{40,}=*")
_LONGEST_TEXT: Final = 2_000
_FRAMES: Final = 4


def log(event: str, **fields: object) -> None:
    """Write one line to standard error. Whatever looks like an address or a token is left out."""
    line: dict[str, object] = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "event": event,
    }
    line.update({name: _plain(value) for name, value in fields.items()})
    sys.stderr.write(json.dumps(line) + "\n")


def failure(error: BaseException) -> str:
    """What went wrong, in one line that may be kept: the kind of error and its text."""
    return without_addresses(f"{type(error).__name__}: {error}".removesuffix(": "))


def where(error: BaseException) -> str:
    """The last steps to a failure: files and lines, and nothing that anybody has typed."""
    steps = extract_tb(error.__traceback__)[-_FRAMES:]
    return " > ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)


class LibraryLog(logging.Handler):
    """What libraries have to say, in lines like ours: their tracebacks may quote people."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        found = {"why": failure(error), "where": where(error)} if error else {}
        log("library", by=record.name, says=record.getMessage(), **found)


def without_addresses(text: str) -> str:
    """Mail servers like to quote the address that they refuse; it belongs to the person alone.

    A number is one, too.
    """
    return _NUMBER.sub("(number)", _ADDRESS.sub("(address)", text[:_LONGEST_TEXT]))


def _plain(value: object) -> object:
    match value:
        case bool() | int() | float() | None:
            return value
        case _:
            return _TOKEN.sub("(token)", without_addresses(str(value)))
