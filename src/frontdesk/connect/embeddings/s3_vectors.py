"""Stores the vectors of names in an index of Amazon S3 Vectors, and queries it for the nearest. A
vector's key is a digest of its inputs, so existing vectors are not computed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, TypeVar

from frontdesk.connect.embeddings.port import Embedder, Names, Scores, best_of
from frontdesk.connect.models.bedrock import is_denied
from frontdesk.connect.models.port import ModelFailed
from frontdesk.logs import failure
from frontdesk.values import Frozen

#: Limits of S3 Vectors: vectors in a put or a delete, and in a page of a list.
MOST_AT_ONCE: Final = 500
MOST_LISTED: Final = 1_000
#: Several of the nearest names may belong to one thing. S3 Vectors returns at most 100.
TOP: Final = 30
#: An index whose list has more pages is not ours.
MOST_PAGES: Final = 100

T = TypeVar("T")


class IndexChanges(Frozen):
    put: int
    deleted: int


class NamesInS3Vectors:
    def __init__(self, client: Any, bucket: str, index: str, embedder: Embedder) -> None:
        self._client = client
        self._place = {"vectorBucketName": bucket, "indexName": index}
        self._embedder = embedder

    def nearest(self, text: str) -> Scores:
        [vector] = self._embedder.embed([text])
        answer = self._ask(
            "query_vectors",
            queryVector={"float32": list(vector)},
            topK=TOP,
            returnMetadata=True,
            returnDistance=True,
        )
        return best_of(_score(each) for each in _listed(answer))

    def update(self, names: Names) -> IndexChanges:
        """Makes the index have these names and no others. Running it again does no harm."""
        wanted = {
            self._key(own, each): (own, each) for own, called in names.items() for each in called
        }
        there = set(self._keys())
        new = [key for key in wanted if key not in there]
        gone = sorted(there - wanted.keys())
        vectors = self._embedder.embed([wanted[key][1] for key in new]) if new else []
        made = [
            {
                "key": key,
                "data": {"float32": list(vector)},
                "metadata": {"name": wanted[key][0]},
            }
            for key, vector in zip(new, vectors, strict=True)
        ]
        for some in _batches(made, MOST_AT_ONCE):
            self._ask("put_vectors", vectors=some)
        for keys in _batches(gone, MOST_AT_ONCE):
            self._ask("delete_vectors", keys=keys)
        return IndexChanges(len(new), len(gone))

    def _key(self, own: str, name: str) -> str:
        made_from = "\0".join((self._embedder.name, own, name))
        return blake2b(made_from.encode(), digest_size=16).hexdigest()

    def _keys(self) -> Iterator[str]:
        more: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            page = self._ask("list_vectors", maxResults=MOST_LISTED, **more)
            yield from (str(each["key"]) for each in _listed(page))
            if not (token := page.get("nextToken")):
                return
            more = {"nextToken": token}
        raise ModelFailed("S3 Vectors: the index has too many vectors")

    def _ask(self, operation: str, **arguments: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = getattr(self._client, operation)(**self._place, **arguments)
        except Exception as error:
            why = f"S3 Vectors: {failure(error)}"
            raise ModelFailed(why, is_denied=is_denied(error)) from error
        return answer


def _listed(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return list(answer.get("vectors") or ())


def _score(found: dict[str, Any]) -> tuple[str, float]:
    try:
        return str(found["metadata"]["name"]), 1.0 - float(found["distance"])
    except (KeyError, TypeError, ValueError):
        raise ModelFailed("S3 Vectors: the answer has an unknown format") from None


def _batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
