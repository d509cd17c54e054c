"""Proposes a service for a request that names none, by embeddings.

The nearest service of an unrelated text has a score as well, so a match is never certain: staff
see it as a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from frontdesk.connect.embeddings.port import NearestNames
from frontdesk.connect.models.port import ModelFailed
from frontdesk.logs import log
from frontdesk.reading.model import (
    MOST_CHARACTERS,
    Confidence,
    Context,
    Field,
    Reader,
    ReadFields,
    Words,
)
from frontdesk.reading.passages import passages
from frontdesk.values import replace

#: The most sentences of a request that are compared.
MOST_SENTENCES: Final = 6
LONGEST_SENTENCE: Final = 300
#: A match below this is not proposed. A higher score proves nothing.
LEAST_SCORE: Final = 0.3
_SENTENCE: Final = re.compile(r"[^\n.!?;]+")
_LETTERS: Final = re.compile(r"(?:[^\W\d_]\W{0,2}){4}")


class NearestServiceReader:
    """Adds a service to what the other reader found. Without embeddings it adds nothing."""

    def __init__(self, reader: Reader, services: NearestNames) -> None:
        self._reader = reader
        self._services = services

    def read(self, text: str, context: Context) -> ReadFields:
        found = self._reader.read(text, context)
        if found.service is not None or not context.services:
            return found
        try:
            return replace(found, service=self._nearest(text[:MOST_CHARACTERS], context))
        except ModelFailed as error:
            log("embedding.failed", denied=error.is_denied, why=str(error))
            return found

    def _nearest(self, text: str, context: Context) -> Field[str] | None:
        """Returns the best match of a sentence among the current services."""
        known = {each.name for each in context.services}
        matches = [
            (score, -words.start, name, words)
            for words in _sentences(passages(text, context.own_addresses).body)
            for name, score in self._services.nearest(words.text)
            if name in known and score >= LEAST_SCORE
        ]
        if not matches:
            return None
        _score, _place, name, words = max(matches)
        original = Words(text[words.start : words.end], words.start)
        return Field(name, Confidence.UNSURE, original)


def _sentences(body: str) -> Iterator[Words]:
    """Yields the first sentences with letters in them."""
    found = 0
    for match in _SENTENCE.finditer(body):
        piece = match[0].strip()
        if not _LETTERS.search(piece):
            continue
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        yield Words(piece[:LONGEST_SENTENCE], start)
        found += 1
        if found == MOST_SENTENCES:
            return
