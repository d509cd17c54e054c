"""Collects the problems of a file while it is read."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from frontdesk.core.yaml_tree import MOST_PROBLEMS, YamlNode, YamlProblem, short


class Problems:
    """The first problems of a file, in the order of their lines."""

    def __init__(self, found: Iterable[YamlProblem] = ()) -> None:
        self._found = list(found)

    def add(self, at: YamlNode, why: str) -> None:
        self.add_line(at.line, at.column, why)

    def add_line(self, line: int, column: int, why: str) -> None:
        problem = YamlProblem(line, column, why)
        if len(self._found) < 5 * MOST_PROBLEMS and problem not in self._found:
            self._found.append(problem)

    def sorted(self) -> tuple[YamlProblem, ...]:
        ordered = sorted(self._found, key=lambda each: (each.line, each.column))
        return tuple(ordered[:MOST_PROBLEMS])

    @property
    def count(self) -> int:
        return len(self._found)


def nearest(text: str, known: Iterable[str]) -> str:
    """The known word that is closest to a misspelled one; empty if none is close."""
    by_fold = {each.casefold(): each for each in known}
    found = get_close_matches(short(text, 80).casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else ""


def quoted(text: str) -> str:
    return f'"{short(text)}"'
