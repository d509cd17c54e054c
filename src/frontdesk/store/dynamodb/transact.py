"""Writes transactions.

A row of an earlier version may have old names of attributes. Reads accept both names. A condition
can use one name only, so such a row is renamed first, in a separate write that changes no value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import uuid4

from botocore.exceptions import ClientError, HTTPClientError

from frontdesk.errors import Busy
from frontdesk.store.dynamodb.busy import cancellation_reasons, is_busy
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.schema import TABLES
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.values import Frozen

MOST_ITEMS: Final = 100
MOST_TRIES: Final = 40
#: At least so many tries, however long they take: after a lost race, the current rows decide.
LEAST_TRIES: Final = 3
MOST_SECONDS: Final = 4.0
FIRST_PAUSE_SECONDS: Final = 0.02
LONGEST_PAUSE_SECONDS: Final = 0.4

_FAILED: Final = "ConditionalCheckFailed"


class TransactPart(Frozen):
    """An item of a transaction, and its origin `of`: a change, the cause, or the key."""

    item: TransactItem
    of: object
    optional: bool = False
    """Whether it is left out if its condition does not hold."""


class ConditionFailed(Exception):
    """The condition of a part does not hold: `of` is the first. Nothing is written."""

    def __init__(self, of: object) -> None:
        super().__init__(type(of).__name__)
        self.of = of


class Backoff:
    """Random pauses between retries that grow longer, up to a limit of tries and of time."""

    def __init__(
        self,
        chance: Callable[[], float],
        pause: Callable[[float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chance = chance
        self._pause = pause
        self._clock = clock
        self._tries = 0
        self._give_up_at = clock() + MOST_SECONDS

    def wait(self) -> None:
        """Pauses. Raises `Busy` at the limit."""
        self._tries += 1
        is_late = self._tries >= LEAST_TRIES and self._clock() >= self._give_up_at
        if is_late or self._tries >= MOST_TRIES:
            raise Busy("Too many people are asking for this at once; please try again.")
        longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (self._tries - 1))
        self._pause(self._chance() * longest)


def transact(client: Any, prefix: str, parts: Sequence[TransactPart], backoff: Backoff) -> None:
    """Writes all parts, or all but optional ones. Raises `ConditionFailed`, or `Busy`."""
    _check(parts)
    while parts:
        failed = _failed(client, prefix, parts, backoff)
        if not failed:
            return
        for part in failed:
            if not part.optional:
                raise ConditionFailed(part.of)
        parts = [part for part in parts if part not in failed]


def _check(parts: Sequence[TransactPart]) -> None:
    touched = set()
    for part in parts:
        row = part.item.row
        assert row not in touched, f"{row} is touched twice in one commit"
        touched.add(row)
    assert len(parts) <= MOST_ITEMS, f"{len(parts)} items are too many for one commit"


def _failed(
    client: Any, prefix: str, parts: Sequence[TransactPart], backoff: Backoff
) -> tuple[TransactPart, ...]:
    """Returns the parts whose condition failed. If there are none, all parts are written.

    The token makes a retry harmless if the first request was written but its response was lost.
    """
    items = [part.item.wire(prefix) for part in parts]
    token = str(uuid4())
    while True:
        try:
            client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            return ()
        except HTTPClientError:  # no connection or no response
            pass
        except ClientError as error:
            reasons = cancellation_reasons(error)
            failed = [reason.get("Code") == _FAILED for reason in reasons]
            if any(failed):
                return tuple(part for part, bad in zip(parts, failed, strict=True) if bad)
            if not is_busy(error):
                raise
        backoff.wait()


_RENAMED: Final = {table.name: table.renamed for table in TABLES if table.renamed}


def rename_first(reader: TableReader, item: TransactItem) -> None:
    """Renames the attributes of the item's row if it was read with old names."""
    if item.row not in reader.outdated or not _uses_new_names(item):
        return
    names = _RENAMED[item.table]
    sets = ", ".join(f"#{now} = #{then}" for then, now in names)
    gone = ", ".join(f"#{then}" for then, _ in names)
    there = " AND ".join(f"attribute_exists(#{then})" for then, _ in names)
    try:
        reader.write(update(item.table, item.key, f"SET {sets} REMOVE {gone}", when=there))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
    reader.outdated.discard(item.row)


def _uses_new_names(item: TransactItem) -> bool:
    expressions = ("UpdateExpression", "ConditionExpression")
    text = " ".join(str(item.request.get(each, "")) for each in expressions)
    return any(now in text for _, now in _RENAMED[item.table])
