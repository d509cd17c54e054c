"""Documents in a versioned bucket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from frontdesk.features.documents.files import MOST_BYTES, file_name
from frontdesk.features.documents.model import DocumentUnavailable
from frontdesk.logs import failure

#: Errors that last until somebody fixes their cause.
_LASTING: Final = frozenset({"AccessDenied", "NoSuchBucket", "KMS.DisabledException"})


class Bucket(Protocol):
    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, body: bytes) -> None: ...


class BucketFiles:
    """Files such as `rules.md`. `addresses` has the URLs of documents that are copies."""

    def __init__(self, bucket: Bucket, addresses: Mapping[str, str] | None = None) -> None:
        self._bucket = bucket
        self._addresses = addresses or {}

    def read(self, name: str) -> str | None:
        try:
            found = self._bucket.get(file_name(name))
        except Exception as error:  # the store still has the last good one
            response = getattr(error, "response", None) or {}
            is_lasting = response.get("Error", {}).get("Code") in _LASTING
            why = f"{file_name(name)} cannot be read: {failure(error)}"
            raise DocumentUnavailable(why, is_lasting=is_lasting) from error
        return None if found is None else found[:MOST_BYTES].decode("utf-8", "replace")

    def write(self, name: str, text: str) -> None:
        self._bucket.put(file_name(name), text.encode())

    def edited_at(self, name: str) -> str:
        return self._addresses.get(name, "")
