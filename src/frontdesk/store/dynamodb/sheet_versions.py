"""Versions of the list as staff keep it, and how the sync with it stands.

The rows of a version are in the bucket, under a name that nothing else ever has; what is known of
each version lies in items of the settings, many in one. The last number is an item of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence, Set
from typing import Final

from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.errors import Busy
from frontdesk.features.sheet_sync.model import (
    SAVED_SHEET_STATE,
    KeepVersion,
    OurRow,
    SheetState,
    Version,
    VersionHead,
)
from frontdesk.store.dynamodb import people
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import MOST_TRIES, Bucket, Look
from frontdesk.store.dynamodb.saved_settings import read, write
from frontdesk.store.dynamodb.schema import WL_ENTRIES
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.dynamodb.waitlist.entries import SHELF, read_entry
from frontdesk.store.sheet_json import (
    ids_at,
    packed,
    unpacked,
    without,
    without_problems,
)
from frontdesk.values import Frozen, replace

LAST: Final = SavedSetting("wl.versions", int, 0)
#: How many versions are told of in one item.
IN_A_CHUNK: Final = 50


class Filed(Frozen):
    """A version, and where its rows are."""

    head: VersionHead
    key: str


class DynamoSheetReads:
    def __init__(self, look: Look) -> None:
        self._look = look

    def ours(self) -> Sequence[OurRow]:
        rows = self._look.query(WL_ENTRIES, "shelf = :shelf", shelf=SHELF)
        entries = [read_entry(row) for row in rows]
        found = people.people(self._look, [entry.person_id for entry in entries])
        return [
            OurRow(entry, person.name, person.email, person.mobile, person.erased)
            for entry in entries
            if (person := found.get(entry.person_id)) is not None
        ]

    def state(self) -> SheetState:
        return read(self._look, SAVED_SHEET_STATE)

    def last(self) -> Version | None:
        return self.version(read(self._look, LAST))

    def version(self, number: int) -> Version | None:
        filed = next((each for each in read(self._look, _chunk(number)) if _is(each, number)), None)
        body = None if filed is None else _bucket(self._look).get(filed.key)
        return None if filed is None or body is None else unpacked(filed.head, body)

    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        last = read(self._look, LAST)
        first = min(last, before - 1) if before else last
        found: list[VersionHead] = []
        while first > 0 and len(found) < limit:
            told = [each.head for each in read(self._look, _chunk(first))]
            found += [head for head in reversed(told) if head.number <= first]
            first = first // IN_A_CHUNK * IN_A_CHUNK - 1
        return found[:limit]


def _is(filed: Filed, number: int) -> bool:
    return filed.head.number == number


def _bucket(look: Look) -> Bucket:
    return look.sheets or look.mail


def _chunk(number: int) -> SavedSetting[tuple[Filed, ...]]:
    """The item of the settings in which this version is listed."""
    return SavedSetting(f"{LAST.key}.{number // IN_A_CHUNK}", tuple[Filed, ...], ())


def _key(number: int, body: bytes) -> str:
    return f"versions/{number:08}-{hashlib.sha256(body).hexdigest()[:32]}"


def put_rows(look: Look, change: KeepVersion) -> None:
    body = packed(change.version)
    _bucket(look).put(_key(change.version.head.number, body), body)


def keep(look: Look, change: KeepVersion) -> tuple[TransactItem, ...]:
    number = change.version.head.number
    told = read(look, _chunk(number))
    filed = Filed(without_problems(change.version.head), _key(number, packed(change.version)))
    return (
        write(look, WriteSetting(LAST, number - 1, number)),
        write(look, WriteSetting(_chunk(number), told, (*told, filed))),
    )


def forget(look: Look, address: str) -> None:
    """The rows of who is erased go from every version, also those with a former address. What is
    cut short is done again."""
    chunks = [each * IN_A_CHUNK for each in range(read(look, LAST) // IN_A_CHUNK + 1)]
    ids = {each for number in chunks for each in _ids_in(look, number, address)}
    for number in chunks:
        _forget_in(look, number, address, ids)


def _ids_in(look: Look, number: int, address: str) -> Iterator[str]:
    for filed in read(look, _chunk(number)):
        if (body := _bucket(look).get(filed.key)) is not None:
            yield from ids_at(body, address)


def _forget_in(look: Look, number: int, address: str, ids: Set[str]) -> None:
    """A version may be kept at the same time: then once more."""
    for _ in range(MOST_TRIES):
        told = read(look, _chunk(number))
        after = tuple(_forgotten(look, filed, address, ids) for filed in told)
        if after == told:
            return
        written = write(look, WriteSetting(_chunk(number), told, after))
        try:
            look.write(written)
        except look.client.exceptions.ConditionalCheckFailedException:
            continue
        for old in set(told) - set(after):
            _destroy(_bucket(look), old.key)
        return
    raise Busy("The versions of the list could not be written just now.")


def _forgotten(look: Look, filed: Filed, address: str, ids: Set[str]) -> Filed:
    body = _bucket(look).get(filed.key)
    kept = None if body is None else without(body, address, ids)
    if kept is None:
        return filed
    key = _key(filed.head.number, kept)
    _bucket(look).put(key, kept)
    return replace(filed, key=key)


def _destroy(bucket: Bucket, key: str) -> None:
    """A bucket that keeps versions would keep what was deleted, too."""
    for version_id in list(_versions_of(bucket, key)):
        bucket.s3.delete_object(Bucket=bucket.name, Key=key, VersionId=version_id)


def _versions_of(bucket: Bucket, key: str) -> Iterator[str]:
    pages = bucket.s3.get_paginator("list_object_versions").paginate(Bucket=bucket.name, Prefix=key)
    for page in pages:
        for each in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
            yield each["VersionId"]


VERSION_WRITES: Writes = {
    KeepVersion: Write(keep, first=put_rows),
}
