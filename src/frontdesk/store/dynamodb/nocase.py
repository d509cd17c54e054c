"""Compares texts like NOCASE in SQLite: only A to Z and a to z are equal."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def nocase(text: str) -> str:
    return text.translate(_LOWER)


def is_in(search: str, *texts: str) -> bool:
    """Whether any of the texts contains `search`."""
    wanted = nocase(search)
    return any(wanted in nocase(text) for text in texts)
