"""Texts compared as the other store compares them: A to Z are like a to z, and nothing else is."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def nocase(text: str) -> str:
    return text.translate(_LOWER)


def is_in(search: str, *texts: str) -> bool:
    """Whether any of them has in it what somebody typed."""
    wanted = nocase(search)
    return any(wanted in nocase(text) for text in texts)
