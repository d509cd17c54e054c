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
#: Phone numbers with a country code, as the store has them.
_NUMBER: Final = re.compile(r"\+\d{7,15}\b")
#: Tokens of links and sessions, as they appear in URLs.
_TOKEN: Final = re.compile(r"[\w-]{40,}=*")
_LONGEST_TEXT: Final = 2_000
_FRAMES: Final = 4


def log(event: str, **fields: object) -> None:
    """Writes one line to standard error. Addresses and tokens are redacted."""
    line: dict[str, object] = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "event": event,
    }
    line.update({name: _plain(value) for name, value in fields.items()})
    sys.stderr.write(json.dumps(line) + "\n")


def failure(error: BaseException) -> str:
    """Returns the kind of the error and its text in one line, without addresses."""
    return without_addresses(f"{type(error).__name__}: {error}".removesuffix(": "))


def where(error: BaseException) -> str:
    """Returns the files and lines of the last stack frames, without any values."""
    steps = extract_tb(error.__traceback__)[-_FRAMES:]
    return " > ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)


class LibraryLog(logging.Handler):
    """Writes log records of libraries as JSON lines, without tracebacks: they may quote people."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        found = {"why": failure(error), "where": where(error)} if error else {}
        log("library", by=record.name, says=record.getMessage(), **found)


def without_addresses(text: str) -> str:
    """Redacts e-mail addresses and phone numbers, which mail servers often quote in errors."""
    text = text[:_LONGEST_TEXT]
    if "@" in text:
        text = _ADDRESS.sub("(address)", text)
    return _NUMBER.sub("(number)", text) if "+" in text else text


def _plain(value: object) -> object:
    match value:
        case bool() | int() | float() | None:
            return value
        case _:
            return _TOKEN.sub("(token)", without_addresses(str(value)))
