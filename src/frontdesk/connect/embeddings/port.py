"""The interfaces for embeddings: texts in, vectors out; and the known names nearest to a text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from frontdesk.connect.models.port import ModelFailed

#: Text after this limit is not embedded: names and sentences are short.
MOST_CHARACTERS: Final = 1_000
#: The most names whose vectors are kept.
MOST_NAMES: Final = 2_000

Vector = tuple[float, ...]
Names = Mapping[str, Sequence[str]]
"""All names that people use for a thing, by its own name."""
Scores = list[tuple[str, float]]
"""Names with their similarity from -1 to 1, the most similar first."""


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Names the model and the size of its vectors: only vectors of one model compare."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Returns a vector of length 1 for each text. Raises only `ModelFailed`."""


class NearestNames(Protocol):
    def nearest(self, text: str) -> Scores:
        """Scores do not say whether a text means one of the names: the nearest name of an
        unrelated text has a score, too. Raises only `ModelFailed`."""


def checked_vector(found: Any, size: int = 0) -> Vector:
    """Checks a vector from outside and scales it to length 1. `size` 0 allows any."""
    if not isinstance(found, list) or not found or (size and len(found) != size):
        raise ModelFailed("the vector has the wrong size")
    if not all(isinstance(each, (int, float)) and math.isfinite(each) for each in found):
        raise ModelFailed("the vector has values that are not numbers")
    length = math.hypot(*found)
    if not length:
        raise ModelFailed("the vector has the length zero")
    return tuple(each / length for each in found)


def best_of(found: Iterable[tuple[str, float]]) -> Scores:
    """The best score of each name, the best name first."""
    best: dict[str, float] = {}
    for name, score in found:
        best[name] = max(score, best.get(name, score))
    return sorted(best.items(), key=lambda each: (-each[1], each[0]))


class NamesInMemory:
    """Compares a text with all names, on one machine: a catalogue is small. Embeds each name once;
    `names` returns the current ones."""

    def __init__(self, embedder: Embedder, names: Callable[[], Names]) -> None:
        self._embedder = embedder
        self._names = names
        self._vectors: dict[str, Vector] = {}

    def nearest(self, text: str) -> Scores:
        known = [(own, each) for own, called in self._names().items() for each in called]
        known = known[:MOST_NAMES]
        wanted = dict.fromkeys(each for _, each in known)
        new = [each for each in wanted if each not in self._vectors]
        found = dict(zip(new, self._embedder.embed(new), strict=True)) if new else {}
        self._vectors = {each: found.get(each) or self._vectors[each] for each in wanted}
        if not known:
            return []
        [vector] = self._embedder.embed([text])
        return best_of((own, _similarity(vector, self._vectors[each])) for own, each in known)


def _similarity(one: Vector, other: Vector) -> float:
    """The cosine of two vectors of length 1."""
    return sum(x * y for x, y in zip(one, other, strict=False))
