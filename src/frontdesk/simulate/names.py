"""Generates names of invented people from many places; the same ones in every run."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import count
from typing import Final

_FIRST: Final = (
    *("Amara", "Björn", "Chiara", "Dmitri", "Esi", "Farah", "Goran", "Hye-jin", "Ines", "Jamal"),
    *("Keiko", "Lars", "Mei", "Niamh", "Omar", "Priya", "Quang", "Rosa", "Siti", "Tomasz"),
)
_LAST: Final = (
    *("Okafor", "Lindqvist", "Rossi", "Petrov", "Mensah", "Haddad", "Novak", "Park", "Duarte"),
    *("Carter", "Tanaka", "Hansen", "Wong", "O’Brien", "Aziz", "Raman", "Nguyen", "Delgado"),
    *("Rahman", "Kowalski"),
)


def names() -> Iterator[str]:
    """Yields names without end; the first four hundred differ without a number."""
    for round_ in count(1):
        for shift in range(len(_LAST)):
            for at, first in enumerate(_FIRST):
                last = _LAST[(at + shift) % len(_LAST)]
                yield f"{first} {last}" if round_ == 1 else f"{first} {last} {round_}"


def address(name: str) -> str:
    """'Niamh O’Brien' gives niamh.obrien@example.org."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = "".join(c for c in plain if c.isascii() and (c.isalnum() or c.isspace())).split()
    return f"{'.'.join(words) or 'guest'}@example.org"
