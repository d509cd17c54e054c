"""Reads and writes timers: a name and the instant at which it fires."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from sqlite3 import Connection

from frontdesk.core.decision import SetTimer, TimerChange, TimerName
from frontdesk.store.rows import instant, seconds


def change_timers(db: Connection, timers: Sequence[TimerChange]) -> None:
    """Sets timers in one statement and deletes timers in another."""
    names = set()
    to_set: list[str | int] = []
    to_drop: list[str] = []
    for timer in timers:
        names.add(timer.name)
        if isinstance(timer, SetTimer):
            to_set += (timer.name, seconds(timer.due_at))
        else:
            to_drop.append(timer.name)
    assert len(names) == len(timers), "a timer is changed twice in one commit"
    if to_set:
        db.execute(_set(len(to_set) // 2), to_set)
    if to_drop:
        db.execute(_drop(len(to_drop)), to_drop)


@cache
def _set(timers: int) -> str:
    rows = ", ".join(["(?, ?)"] * timers)
    return (
        f"INSERT INTO fd_timer (name, due_at) VALUES {rows}"
        " ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at"
    )


@cache
def _drop(timers: int) -> str:
    return f"DELETE FROM fd_timer WHERE name IN ({', '.join('?' * timers)})"


def take(db: Connection, name: TimerName, due_at: datetime) -> bool:
    """Deletes a timer. Returns whether it was still set for this instant."""
    gone = db.execute(
        "DELETE FROM fd_timer WHERE name = ? AND due_at = ?", (name, seconds(due_at))
    ).rowcount
    return gone == 1


def due(db: Connection, now: datetime, limit: int) -> list[tuple[TimerName, datetime]]:
    rows = db.execute(
        "SELECT name, due_at FROM fd_timer WHERE due_at <= ? ORDER BY due_at, name LIMIT ?",
        (seconds(now), limit),
    )
    return [(name, instant(due_at)) for name, due_at in rows]


def due_at(db: Connection, name: TimerName) -> datetime | None:
    row = db.execute("SELECT due_at FROM fd_timer WHERE name = ?", (name,)).fetchone()
    return None if row is None else instant(row[0])


def next_at(db: Connection) -> datetime | None:
    found = db.execute("SELECT min(due_at) FROM fd_timer").fetchone()[0]
    return None if found is None else instant(found)
