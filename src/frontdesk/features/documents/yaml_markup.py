"""Restores YAML that staff write in Google Docs."""

from __future__ import annotations

import re
from typing import Final

#: A bullet as Google exports it, and a title: a first line that is no YAML.
_BULLET: Final = re.compile(r"(\s*)[*•] (?=\S)")
_TITLE: Final = re.compile(r"[^\W\d_][^:#{}\[\]]*")


def as_yaml(lines: list[str]) -> list[str]:
    """Reverts what Google Docs does to YAML: turns bullets into dashes of lists. Turns a title into
    a comment."""
    first = next((n for n, line in enumerate(lines) if line.strip()), -1)
    return [
        f"# {line}" if n == first and _TITLE.fullmatch(line) else _BULLET.sub(r"\1- ", line, 1)
        for n, line in enumerate(lines)
    ]
