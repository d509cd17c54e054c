"""The audit, and the outbox, which holds a fact until each of its followers has acted on it."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.core.decision import Fact
from frontdesk.core.request_keys import is_other_content, name_and_content
from frontdesk.engine.ports import Recorded
from frontdesk.errors import KeyReused
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import AUDITS, FD_IDEMPOTENCY, FD_OUTBOX, Table
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.values import Item
from frontdesk.store.fact_json import FactJson, desk_of
from frontdesk.store.rows import instant, seconds

#: A seq is microseconds, then a random number of the commit, then the fact's index in it.
_CHANCE: Final = 10**16
_FACTS: Final = 10**3
#: Larger than the seq of any fact.
AFTER_ALL: Final = 10**37
#: The most time between a decision and its seq: the longest run of a Lambda function.
_NUMBERED_WITHIN: Final = timedelta(minutes=15)
#: How long a repeated request is recognised.
KEYS_KEPT: Final = timedelta(days=7)

Wanted = Mapping[str, frozenset[str]]
"""The followers of each kind of fact."""


class Numbering:
    """Numbers the facts of each commit: unique in all processes, and rising with the clock."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._last = 0

    def first(self) -> int:
        """Returns the first seq of a commit. Seqs of one process rise from commit to commit."""
        with self._turn:
            self._last = max(time.time_ns() // 1_000, self._last + 1)
            moment = self._last
        return (moment * _CHANCE + secrets.randbelow(_CHANCE)) * _FACTS


def record(first_seq: int, facts: Sequence[Fact], *, by: str, at: datetime) -> tuple[Recorded, ...]:
    assert len(facts) <= _FACTS
    return tuple(Recorded(seq, at, by, fact) for seq, fact in enumerate(facts, first_seq))


def items(codec: FactJson, recorded: Sequence[Recorded], wanted: Wanted) -> Iterator[TransactItem]:
    """Yields an audit row for each fact, and an outbox row if it has followers."""
    for each in recorded:
        row = _row(codec, each)
        desk = desk_of(each.fact.kind)
        audit = AUDITS[desk]
        yield put_new(audit.name, audit.key.names, {**row, "desk": desk})
        if followers := wanted.get(each.fact.kind):
            yield put_new(FD_OUTBOX.name, FD_OUTBOX.key.names, {**row, "followers": followers})


def _row(codec: FactJson, recorded: Recorded) -> dict[str, Any]:
    """A fact that is about nobody has no `about`, so it is not in that index."""
    fact = recorded.fact
    return {
        "subject": fact.subject,
        "seq": recorded.seq,
        "at": seconds(recorded.at),
        "by": recorded.by,
        "kind": fact.kind,
        "about": fact.about or None,
        "body": codec.text(fact),
    }


def read(codec: FactJson, rows: Iterable[Row]) -> list[Recorded]:
    return [
        Recorded(row["seq"], instant(row["at"]), row["by"], codec.fact(row["kind"], row["body"]))
        for row in rows
    ]


def unfollowed(
    reader: TableReader, codec: FactJson, follower: str, kinds: frozenset[str], limit: int
) -> list[Recorded]:
    """Scans the outbox, which is short: facts leave it when all followers have acted."""
    rows = [
        row
        for row in reader.scan(FD_OUTBOX, only="contains(#followers, :follower)", follower=follower)
        if row["kind"] in kinds
    ]
    rows.sort(key=lambda row: row["seq"])
    return read(codec, rows[:limit])


def settle(reader: TableReader, follower: str, seq: int) -> TransactItem | None:
    """Removes the follower from a fact's row, or deletes the row with its last follower.

    Condition: the row is as read. Returns None if the follower is not in the row any more.
    """
    row = reader.get(FD_OUTBOX, seq)
    followers: frozenset[str] = frozenset() if row is None else row["followers"]
    if follower not in followers:
        return None
    key = {"seq": seq}
    me = frozenset({follower})
    if followers == me:
        return delete(FD_OUTBOX.name, key, when="#followers = :me", me=me)
    return update(
        FD_OUTBOX.name,
        key,
        "DELETE #followers :me",
        when="contains(#followers, :follower) AND size(#followers) > :one",
        me=me,
        follower=follower,
        one=1,
    )


def recorded(reader: TableReader, codec: FactJson, seq: int) -> Recorded | None:
    """Returns one fact of the audit, for staff."""
    for desk, audit in AUDITS.items():
        where = "#desk = :desk AND #seq = :seq"
        found = reader.query(audit, where, index="by-desk", desk=desk, seq=seq)
        for one in read(codec, found):
            return one
    return None


def between(
    reader: TableReader, desk: str, since: datetime, until: datetime, *, after: int, limit: int
) -> Iterator[Row]:
    """Returns one desk's facts of a period. Seqs follow the clock, so they bound the query."""
    return reader.query(
        AUDITS[desk],
        "#desk = :desk AND seq BETWEEN :first AND :last",
        index="by-desk",
        only="#at >= :since AND #at < :until",
        limit=limit,
        desk=desk,
        first=max(_number(since), after + 1),
        last=max(_number(until + _NUMBERED_WITHIN), after + 1),
        since=seconds(since),
        until=seconds(until),
    )


def _number(at: datetime) -> int:
    """Returns the smallest seq that a fact of this instant can have."""
    return seconds(at) * 10**6 * _CHANCE * _FACTS


def last_seq(reader: TableReader) -> int:
    """Returns the largest seq of all facts; 0 if there is none."""
    return max(_last_of(reader, desk, audit) for desk, audit in AUDITS.items())


def _last_of(reader: TableReader, desk: str, audit: Table) -> int:
    newest = reader.query(
        audit, "#desk = :desk", index="by-desk", desk=desk, backwards=True, limit=1
    )
    return max((row["seq"] for row in newest), default=0)


def of_key(reader: TableReader, codec: FactJson, key: str) -> tuple[Recorded, ...] | None:
    """Returns the facts that were committed under an idempotency key, or None if it is new."""
    name, content = name_and_content(key)
    row = reader.get(FD_IDEMPOTENCY, name)
    if row is None:
        return None
    if is_other_content(row.get("content", ""), content):
        raise KeyReused
    return tuple(read(codec, row["facts"]))


def keep_key(codec: FactJson, key: str, recorded: Sequence[Recorded], at: datetime) -> TransactItem:
    """Condition: the key is new. Its row contains the facts, so that a repeat is one read."""
    name, content = name_and_content(key)
    row: Item = {
        "key": name,
        "content": content,
        "at": seconds(at),
        "expires_at": seconds(at + KEYS_KEPT),
        "facts": [_wireable(_row(codec, each)) for each in recorded],
    }
    return put_new(FD_IDEMPOTENCY.name, FD_IDEMPOTENCY.key.names, row)


def _wireable(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
