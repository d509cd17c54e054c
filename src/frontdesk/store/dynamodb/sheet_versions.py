"""Reads and writes versions of the sheets that staff edit, and the state of their sync.

The rows of a version are in the bucket, under a unique key. Items of the settings hold the heads
of many versions each. One more item holds the last number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, Final

from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.errors import Busy
from frontdesk.features.sheet_sync.model import (
    KeepVersion,
    SheetState,
    Version,
    VersionHead,
    sheet_state_setting,
)
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.saved_settings import read, write
from frontdesk.store.dynamodb.table_reader import MOST_TRIES, ContentBucket, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.sheet_json import (
    ids_at,
    packed,
    unpacked,
    without,
    without_problems,
)
from frontdesk.values import Frozen, replace

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.schema import Columns

#: How many versions are listed in one item.
IN_A_CHUNK: Final = 50


class StoredHead(Frozen):
    """The head of a version, and the key of its rows in the bucket."""

    head: VersionHead
    key: str


Chunk = SavedSetting[tuple[StoredHead, ...]]


class DynamoSheetReads:
    def __init__(self, reader: TableReader, desk: str) -> None:
        self._reader = reader
        self._desk = desk

    def state(self) -> SheetState:
        return read(self._reader, sheet_state_setting(self._desk))

    def last(self) -> Version | None:
        return self.version(read(self._reader, _last(self._desk)))

    def version(self, number: int) -> Version | None:
        listed = read(self._reader, _chunk(self._desk, number))
        filed = next((each for each in listed if each.head.number == number), None)
        body = None if filed is None else _bucket(self._reader, self._desk).get(filed.key)
        return None if filed is None or body is None else unpacked(filed.head, body)

    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        last = read(self._reader, _last(self._desk))
        first = min(last, before - 1) if before else last
        found: list[VersionHead] = []
        while first > 0 and len(found) < limit:
            heads = [each.head for each in read(self._reader, _chunk(self._desk, first))]
            found += [head for head in reversed(heads) if head.number <= first]
            first = first // IN_A_CHUNK * IN_A_CHUNK - 1
        return found[:limit]


def _bucket(reader: TableReader, desk: str) -> ContentBucket:
    return reader.sheets.get(desk, reader.mail)


def _last(desk: str) -> SavedSetting[int]:
    return SavedSetting(f"{desk}.versions", int, 0)


def _chunk(desk: str, number: int) -> Chunk:
    """Returns the item of the settings that lists this version."""
    return SavedSetting(f"{desk}.versions.{number // IN_A_CHUNK}", tuple[StoredHead, ...], ())


def _key(number: int, body: bytes) -> str:
    return f"versions/{number:08}-{hashlib.sha256(body).hexdigest()[:32]}"


def put_rows(reader: TableReader, change: KeepVersion) -> None:
    body = packed(change.version)
    _bucket(reader, change.desk).put(_key(change.version.head.number, body), body)


def keep(reader: TableReader, change: KeepVersion) -> tuple[TransactItem, ...]:
    number = change.version.head.number
    chunk = _chunk(change.desk, number)
    listed = read(reader, chunk)
    filed = StoredHead(without_problems(change.version.head), _key(number, packed(change.version)))
    return (
        write(reader, WriteSetting(_last(change.desk), number - 1, number)),
        write(reader, WriteSetting(chunk, listed, (*listed, filed))),
    )


def forget(reader: TableReader, desk: str, address: str, columns: Columns) -> None:
    """Removes the rows of an erased person from every version, also those with a former address.
    Can be run again after a crash."""
    numbers = range(0, read(reader, _last(desk)) + 1, IN_A_CHUNK)
    chunks = [_chunk(desk, number) for number in numbers]
    bucket = _bucket(reader, desk)
    bodies = (bucket.get(filed.key) for chunk in chunks for filed in read(reader, chunk))
    ids = {each for body in bodies if body for each in ids_at(body, address, columns)}
    for chunk in chunks:
        _forget_in(reader, bucket, chunk, address, ids)


def _forget_in(
    reader: TableReader, bucket: ContentBucket, chunk: Chunk, address: str, ids: Set[str]
) -> None:
    """Removes the rows from the versions in one chunk. Retries if a version is added meanwhile."""
    for _ in range(MOST_TRIES):
        listed = read(reader, chunk)
        after = tuple(_without_rows_of(bucket, filed, address, ids) for filed in listed)
        if after == listed:
            return
        written = write(reader, WriteSetting(chunk, listed, after))
        try:
            reader.write(written)
        except reader.client.exceptions.ConditionalCheckFailedException:
            continue
        for old in set(listed) - set(after):
            _destroy(bucket, old.key)
        return
    raise Busy("The versions of the list could not be written just now.")


def _without_rows_of(
    bucket: ContentBucket, filed: StoredHead, address: str, ids: Set[str]
) -> StoredHead:
    body = bucket.get(filed.key)
    kept = None if body is None else without(body, address, ids)
    if kept is None:
        return filed
    key = _key(filed.head.number, kept)
    bucket.put(key, kept)
    return replace(filed, key=key)


def _destroy(bucket: ContentBucket, key: str) -> None:
    """Deletes all object versions: a versioned bucket would keep the deleted rows."""
    for version_id in list(_versions_of(bucket, key)):
        bucket.s3.delete_object(Bucket=bucket.name, Key=key, VersionId=version_id)


def _versions_of(bucket: ContentBucket, key: str) -> Iterator[str]:
    pages = bucket.s3.get_paginator("list_object_versions").paginate(Bucket=bucket.name, Prefix=key)
    for page in pages:
        for each in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
            yield each["VersionId"]


VERSION_WRITES: Writes = {
    KeepVersion: Write(keep, first=put_rows),
}
