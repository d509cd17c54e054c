"""Embeds texts at OpenAI-compatible servers (`embeddings`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from frontdesk.connect.embeddings.port import MOST_CHARACTERS, Vector, checked_vector
from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.connect.models.port import ModelFailed

#: The most texts in one request.
MOST_TEXTS: Final = 100
#: 100 vectors of 3,072 numbers as JSON.
MOST_BYTES: Final = 10_000_000
TIMEOUT_SECONDS: Final = 20.0
_DENIED: Final = frozenset({400, 401, 402, 403, 404, 422})


class OpenAiEmbedder:
    """`url` ends before `/embeddings`. The key goes to no other host."""

    def __init__(self, url: str, model: str, key: str = "") -> None:
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._key = key

    def __repr__(self) -> str:
        return f"OpenAiEmbedder({self._url!r}, {self._model!r})"

    @property
    def name(self) -> str:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        batches = [texts[at : at + MOST_TEXTS] for at in range(0, len(texts), MOST_TEXTS)]
        return [vector for batch in batches for vector in self._embedded(batch)]

    def _embedded(self, texts: Sequence[str]) -> list[Vector]:
        request = {
            "model": self._model,
            "input": [text[:MOST_CHARACTERS] for text in texts],
            "encoding_format": "float",
        }
        try:
            items = json.loads(self._post(json.dumps(request).encode()))["data"]
            found = {int(each["index"]): each["embedding"] for each in items}
            vectors = [found[place] for place in range(len(texts))]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ModelFailed("embeddings: the answer has an unknown format") from None
        return [checked_vector(each) for each in vectors]

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        seconds = TIMEOUT_SECONDS
        try:
            answer = send(
                self._url, headers, body, seconds=seconds, within=seconds, max_bytes=MOST_BYTES
            )
        except Unreachable as error:
            raise ModelFailed(f"embeddings cannot be reached: {error}") from None
        except TooLarge:
            raise ModelFailed("embeddings: the answer is too long") from None
        if answer.status != 200:
            is_denied = answer.status in _DENIED or 300 <= answer.status < 400
            raise ModelFailed(f"embeddings: {answer.status}", is_denied=is_denied)
        return answer.body
