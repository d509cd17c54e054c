"""The documents of the waitlist in a bucket that keeps every version of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from frontdesk.desks.waitlist.model import BadPaper, DocumentName
from frontdesk.logs import failure

#: More than any document may have: what is longer is reported, not read to its end.
MOST_BYTES: Final = 300_000
#: Until somebody does something about it.
_LASTING: Final = frozenset({"AccessDenied", "NoSuchBucket", "KMS.DisabledException"})


class Bucket(Protocol):
    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, body: bytes) -> None: ...


class BucketPapers:
    """`rules.md` and `voice.md`. `addresses` names those that are copies of documents elsewhere."""

    def __init__(self, bucket: Bucket, addresses: Mapping[DocumentName, str] | None = None) -> None:
        self._bucket = bucket
        self._addresses = addresses or {}

    def edited_at(self, name: DocumentName) -> str:
        return self._addresses.get(name, "")

    def read(self, name: DocumentName) -> str | None:
        try:
            found = self._bucket.get(_key(name))
        except Exception as error:  # whatever is wrong there, the store has the last good one
            said = getattr(error, "response", None) or {}
            is_lasting = said.get("Error", {}).get("Code") in _LASTING
            why = f"{_key(name)} cannot be read: {failure(error)}"
            raise BadPaper(why, is_lasting=is_lasting) from error
        return None if found is None else found[:MOST_BYTES].decode("utf-8", "replace")

    def write(self, name: DocumentName, text: str) -> None:
        self._bucket.put(_key(name), text.encode())


def _key(name: DocumentName) -> str:
    return f"{name}.md"
