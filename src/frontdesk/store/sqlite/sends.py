"""Reads and writes the ledger of sends, and copies of sent messages."""

from __future__ import annotations

from datetime import date, datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.sends import (
    CountText,
    DeferSend,
    EndSend,
    FinishSend,
    MarkUndelivered,
    QueueSend,
    Send,
    SendState,
    SentMessage,
    SpendOnText,
    StartSend,
)
from frontdesk.store.rows import SqliteRows, instant, seconds, seconds_or_none
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import Write, Writes, statement, writes_one

SEND: Final = SqliteRows(Send, {"id": "send_id", "params": "words"}, remembered=500)
KEPT: Final = SqliteRows(SentMessage)


def send(db: Connection, send_id: str) -> Send | None:
    row = db.execute(f"SELECT {SEND.columns} FROM fd_send WHERE send_id = ?", (send_id,)).fetchone()
    return SEND.read_or_none(row)


def sent_message(db: Connection, send_id: str) -> SentMessage | None:
    row = db.execute(
        f"SELECT {KEPT.columns} FROM fd_message WHERE send_id = ?", (send_id,)
    ).fetchone()
    return KEPT.read_or_none(row)


def newest_to(db: Connection, person_id: str, limit: int) -> list[Send]:
    rows = db.execute(
        f"SELECT {SEND.columns} FROM fd_send WHERE person_id = ?"
        " ORDER BY queued_at DESC, send_id LIMIT ?",
        (person_id, limit),
    )
    return [SEND.read(row) for row in rows]


def due(db: Connection, now: datetime, limit: int) -> list[Send]:
    rows = db.execute(
        f"SELECT {SEND.columns} FROM fd_send INDEXED BY fd_send_by_due"
        " WHERE state IN ('queued', 'held') AND due_at <= ? ORDER BY due_at, send_id LIMIT ?",
        (seconds(now), limit),
    )
    return [SEND.read(row) for row in rows]


def next_at(db: Connection) -> datetime | None:
    found = db.execute(
        "SELECT min(due_at) FROM fd_send INDEXED BY fd_send_by_due"
        " WHERE state IN ('queued', 'held')"
    ).fetchone()[0]
    return None if found is None else instant(found)


def sends_in(db: Connection, state: SendState, limit: int) -> list[Send]:
    rows = db.execute(
        f"SELECT {SEND.columns} FROM fd_send WHERE state = ? ORDER BY queued_at, send_id LIMIT ?",
        (state.value, limit),
    )
    return [SEND.read(row) for row in rows]


def queue(db: Connection, change: QueueSend) -> bool:
    note = change.note
    at = seconds(change.at)
    db.execute(
        "INSERT INTO fd_send (send_id, key, desk, kind, person_id, subject, about, state,"
        " queued_at, due_at, quiet, tell_by, words)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?) ON CONFLICT (send_id) DO NOTHING",
        (
            change.send_id,
            note.key,
            change.desk,
            note.kind,
            change.person_id,
            note.subject,
            note.about,
            at,
            at,
            note.quiet.value,
            seconds_or_none(note.tell_by),
            to_text(note.params),
        ),
    )
    return True


def finish(db: Connection, change: FinishSend) -> bool:
    kept = change.kept
    moved = db.execute(
        "UPDATE fd_send SET state = 'sent', via = ?, sent_at = ?, why = ''"
        " WHERE send_id = ? AND state = ?",
        (kept.via.value, seconds(kept.sent_at), change.send_id, change.before.value),
    ).rowcount
    if moved != 1:
        return False
    db.execute(f"INSERT INTO fd_message ({KEPT.columns}) VALUES ({KEPT.marks})", KEPT.values(kept))
    return True


def texts_on(db: Connection, on: date) -> int:
    row = db.execute("SELECT sent FROM fd_texts WHERE day = ?", (on.isoformat(),)).fetchone()
    return 0 if row is None else int(row[0])


def count_text(db: Connection, change: CountText) -> bool:
    if change.before == 0:
        return writes_one(
            db,
            "INSERT INTO fd_texts (day, sent) VALUES (?, 1) ON CONFLICT DO NOTHING",
            (change.on.isoformat(),),
        )
    return writes_one(
        db,
        "UPDATE fd_texts SET sent = sent + 1 WHERE day = ? AND sent = ?",
        (change.on.isoformat(), change.before),
    )


def text_spend(db: Connection, month: date) -> int:
    sql = "SELECT micros FROM fd_text_spend WHERE month = ?"
    row = db.execute(sql, (month.isoformat(),)).fetchone()
    return 0 if row is None else int(row[0])


def spend_on_text(db: Connection, change: SpendOnText) -> bool:
    if change.before == 0:
        return writes_one(
            db,
            "INSERT INTO fd_text_spend (month, micros) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (change.month.isoformat(), change.cost),
        )
    return writes_one(
        db,
        "UPDATE fd_text_spend SET micros = micros + ? WHERE month = ? AND micros = ?",
        (change.cost, change.month.isoformat(), change.before),
    )


def _send(sql: str) -> Write:
    return Write("fd_send", attrgetter("send_id"), statement(sql))


SEND_WRITES: Writes = {
    QueueSend: Write("fd_send", attrgetter("send_id"), queue),
    StartSend: _send(
        "UPDATE fd_send SET state = 'sending', via = :via, attempts = attempts + 1, why = ''"
        " WHERE send_id = :send_id AND state = :before AND attempts = :attempts"
    ),
    FinishSend: Write("fd_send", attrgetter("send_id"), finish),
    DeferSend: _send(
        "UPDATE fd_send SET state = :after, due_at = :due_at, why = :why"
        " WHERE send_id = :send_id AND state = :before"
    ),
    EndSend: _send(
        "UPDATE fd_send SET state = :after, why = :why WHERE send_id = :send_id AND state = :before"
    ),
    MarkUndelivered: _send(
        "UPDATE fd_send SET why = :why WHERE send_id = :send_id AND state = 'sent' AND why = ''"
    ),
    CountText: Write("fd_texts", attrgetter("on"), count_text),
    SpendOnText: Write("fd_text_spend", attrgetter("month"), spend_on_text),
}
