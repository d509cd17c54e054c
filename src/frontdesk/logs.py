"""Structured logs: one JSON line for each decision or failure, and never a person's address."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from typing import Final

_ADDRESS: Final = re.compile(r"""(?:"[^"\n]*"|[^\s<>()\[\],;:"@]+)@[^\s<>()\[\],;:"'@]+""")
_LONGEST_TEXT: Final = 2_000


def log(event: str, **fields: object) -> None:
    """Write one line to standard error. Whatever looks like an address is left out."""
    line: dict[str, object] = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "event": event,
    }
    line.update({name: _plain(value) for name, value in fields.items()})
    sys.stderr.write(json.dumps(line, ensure_ascii=False) + "\n")


def failure(error: BaseException) -> str:
    """What went wrong, in one line that may be kept: the kind of error and its text."""
    return without_addresses(f"{type(error).__name__}: {error}".removesuffix(": "))


def without_addresses(text: str) -> str:
    """Mail servers like to quote the address that they refuse; it belongs to the person alone."""
    return _ADDRESS.sub("(address)", text[:_LONGEST_TEXT])


def _plain(value: object) -> object:
    match value:
        case bool() | int() | float() | None:
            return value
        case _:
            return without_addresses(str(value))
