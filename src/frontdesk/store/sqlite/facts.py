"""The audit: facts in the order of their commits, and the place of each follower."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from sqlite3 import Connection
from typing import Any

from frontdesk.core.decision import Fact
from frontdesk.core.request_keys import is_other_content, name_and_content
from frontdesk.engine.ports import Recorded
from frontdesk.errors import KeyReused
from frontdesk.store.fact_json import FactJson, desk_of
from frontdesk.store.rows import instant, seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import writes_one


def record(
    db: Connection, codec: FactJson, facts: Sequence[Fact], *, by: str, at: datetime
) -> tuple[Recorded, ...]:
    """Inserts all facts in one statement. They get the next seqs, in order."""
    if not facts:
        return ()
    at_seconds = seconds(at)
    columns: list[Any] = []
    for fact in facts:
        text = codec.text(fact)
        columns += (at_seconds, by, desk_of(fact.kind), fact.kind, fact.subject, fact.about, text)
    last = db.execute(_insert(len(facts)), columns).lastrowid
    assert last is not None
    first = last - len(facts) + 1
    return tuple([Recorded(seq, at, by, fact) for seq, fact in enumerate(facts, first)])


@cache
def _insert(facts: int) -> str:
    rows = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * facts)
    return f"INSERT INTO fd_fact (at, by, desk, kind, subject, about, body) VALUES {rows}"


def read(codec: FactJson, rows: Iterable[Any]) -> list[Recorded]:
    """Reads rows of (seq, at, by, kind, body)."""
    return [
        Recorded(seq, instant(at), by, codec.fact(kind, body)) for seq, at, by, kind, body in rows
    ]


def unfollowed(
    db: Connection, codec: FactJson, follower: str, kinds: frozenset[str], limit: int
) -> list[Recorded]:
    rows = db.execute(
        "SELECT seq, at, by, kind, body FROM fd_fact"
        " WHERE seq > coalesce((SELECT seq FROM fd_follower WHERE name = :follower), 0)"
        " AND kind IN (SELECT value FROM json_each(:kinds))"
        " ORDER BY seq LIMIT :limit",
        {"follower": follower, "kinds": to_text(sorted(kinds)), "limit": limit},
    )
    return read(codec, rows)


def move_follower(db: Connection, follower: str, seq: int) -> bool:
    """Moves a follower's place, forward only. Returns whether it moved."""
    return writes_one(
        db,
        "INSERT INTO fd_follower (name, seq) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq",
        (follower, seq),
    )


def of_key(db: Connection, codec: FactJson, key: str) -> tuple[Recorded, ...] | None:
    """Returns the facts that were committed under an idempotency key, or None if it is new."""
    name, content = name_and_content(key)
    found = db.execute(
        "SELECT first_seq, first_seq + facts - 1, content FROM fd_idempotency WHERE key = ?",
        (name,),
    ).fetchone()
    if found is None:
        return None
    if is_other_content(found[2], content):
        raise KeyReused
    rows = db.execute(
        "SELECT seq, at, by, kind, body FROM fd_fact WHERE seq BETWEEN ? AND ? ORDER BY seq",
        found[:2],
    )
    return tuple(read(codec, rows))


def keep_key(db: Connection, key: str, recorded: Sequence[Recorded], at: datetime) -> None:
    first_seq = recorded[0].seq if recorded else 0
    name, content = name_and_content(key)
    db.execute(
        "INSERT INTO fd_idempotency (key, at, first_seq, facts, content) VALUES (?, ?, ?, ?, ?)",
        (name, seconds(at), first_seq, len(recorded), content),
    )
