"""Finds misspelt names in a text by the number of typing errors."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from frontdesk.values import Frozen

MOST_WORDS: Final = 400
#: Hostile text could be close to every name of a long list.
MOST_COMPARED: Final = 2_000
#: Shorter names are too close to other words.
SHORTEST: Final = 5
LONGEST: Final = 40


class Misspelling(Frozen):
    """A name that a text nearly has, and its position there."""

    name: str
    errors: int
    start: int
    end: int


def find_misspellings(plain: str, names: Iterable[str]) -> list[Misspelling]:
    """Returns the nearest of the folded names, the fewest errors first, in the order of the text.

    People rarely mistype a first letter, so it must be right, or be swapped with the second.
    """
    words = list(_WORD.finditer(plain))[:MOST_WORDS]
    pieces: dict[int, list[tuple[str, int, int, int]]] = {}
    found = []
    compared = 0
    for name in names:
        count = len(name.split())
        most = _most_errors(name)
        if not most:
            continue
        if count not in pieces:
            pieces[count] = list(_pieces(plain, words, count))
        letters = letters_of(name)
        for piece, letters_there, start, end in pieces[count]:
            if abs(len(piece) - len(name)) > most or piece in _REAL_WORDS:
                continue
            if (letters ^ letters_there).bit_count() > 2 * most or not _starts_alike(name, piece):
                continue
            compared += 1
            if compared > MOST_COMPARED:
                break
            errors = typing_errors(name, piece, most)
            if errors is not None:
                found.append(Misspelling(name, errors, start, end))
    return sorted(found, key=lambda each: (each.errors, each.start))


_WORD: Final = re.compile(r"[^\W\d_]{3,40}")
#: Words that look like common services, and are something else.
_REAL_WORDS: Final = frozenset(
    ("message", "messages", "massive", "couple", "couples", "clearing", "colon", "tablet", "dine")
)


def _starts_alike(name: str, piece: str) -> bool:
    return piece[0] == name[0] or (piece[0] == name[1] and piece[1] == name[0])


def _most_errors(name: str) -> int:
    if not SHORTEST <= len(name) <= LONGEST:
        return 0
    return 1 if len(name) < 8 else 2 if len(name) < 13 else 3


def _pieces(
    plain: str, words: list[re.Match[str]], count: int
) -> Iterator[tuple[str, int, int, int]]:
    """Yields each run of `count` words with its letters and its position."""
    for at in range(len(words) - count + 1):
        start, end = words[at].start(), words[at + count - 1].end()
        piece = " ".join(plain[start:end].split())
        yield piece, letters_of(piece), start, end


def letters_of(word: str) -> int:
    """Returns the set of letters as bits, to skip words that differ in many letters."""
    found = 0
    for letter in word:
        found |= 1 << (ord(letter) % 32)
    return found


def may_be_one_error(one: int, other: int) -> bool:
    """Returns False if so many letters differ that two words have more than one typing error."""
    return (one ^ other).bit_count() <= 2


def typing_errors(one: str, other: str, most: int) -> int | None:
    """Counts letters that are wrong, missing, added or swapped; None for more than `most`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, last, row = row, before, [at]
        for index, there in enumerate(other, start=1):
            errors = min(before[index] + 1, row[-1] + 1, before[index - 1] + (letter != there))
            if at > 1 and index > 1 and letter == other[index - 2] and one[at - 2] == there:
                errors = min(errors, last[index - 2] + 1)
            row.append(errors)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None
