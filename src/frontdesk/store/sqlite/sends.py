"""The ledger of sends, and messages as they went out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.core.notes import Quiet
from frontdesk.core.sends import (
    CountText,
    DeferSend,
    EndSend,
    FinishSend,
    Kept,
    QueueSend,
    Send,
    SendState,
    StartSend,
    Via,
)
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import (
    instant,
    instant_or_none,
    seconds,
    seconds_or_none,
    words,
    words_text,
)

SEND_COLUMNS = (
    "send_id, key, desk, kind, person_id, subject, about, state, queued_at, due_at, quiet,"
    " tell_by, attempts, why, sent_at, words, via"
)
KEPT_COLUMNS = (
    "send_id, channel, to_email, to_name, from_email, subject, text, html, calendar,"
    " calendar_method, message_id, sent_at, from_name, reply_to, in_reply_to, unsubscribe_url,"
    " to_mobile"
)
_KEPT_FIELDS = KEPT_COLUMNS.split(", ")
_KEPT_VALUES = ", ".join("?" * len(_KEPT_FIELDS))


def read_send(row: Sequence[Any]) -> Send:
    """From `SEND_COLUMNS`."""
    (
        send_id,
        key,
        desk,
        kind,
        person_id,
        subject,
        about,
        state,
        queued_at,
        due_at,
        quiet,
        tell_by,
        attempts,
        why,
        sent_at,
        words_column,
        via,
    ) = row
    return Send(
        id=send_id,
        key=key,
        desk=desk,
        kind=kind,
        person_id=person_id,
        subject=subject,
        about=about,
        state=SendState(state),
        queued_at=instant(queued_at),
        due_at=instant(due_at),
        quiet=Quiet(quiet),
        tell_by=instant_or_none(tell_by),
        attempts=attempts,
        why=why,
        sent_at=instant_or_none(sent_at),
        params=words(words_column),
        via=Via(via),
    )


def read_kept(row: Sequence[Any]) -> Kept:
    """From `KEPT_COLUMNS`."""
    columns = dict(zip(_KEPT_FIELDS, row, strict=True))
    return Kept(**columns | {"sent_at": instant(columns["sent_at"])})


def send(db: Connection, send_id: str) -> Send | None:
    row = db.execute(f"SELECT {SEND_COLUMNS} FROM fd_send WHERE send_id = ?", (send_id,)).fetchone()
    return None if row is None else read_send(row)


def kept(db: Connection, send_id: str) -> Kept | None:
    row = db.execute(
        f"SELECT {KEPT_COLUMNS} FROM fd_message WHERE send_id = ?", (send_id,)
    ).fetchone()
    return None if row is None else read_kept(row)


def due(db: Connection, now: datetime, limit: int) -> list[Send]:
    rows = db.execute(
        f"SELECT {SEND_COLUMNS} FROM fd_send INDEXED BY fd_send_by_due"
        " WHERE state IN ('queued', 'held') AND due_at <= ? ORDER BY due_at, send_id LIMIT ?",
        (seconds(now), limit),
    )
    return [read_send(row) for row in rows]


def next_at(db: Connection) -> datetime | None:
    found = db.execute(
        "SELECT min(due_at) FROM fd_send INDEXED BY fd_send_by_due"
        " WHERE state IN ('queued', 'held')"
    ).fetchone()[0]
    return None if found is None else instant(found)


def sends_in(db: Connection, state: SendState, limit: int) -> list[Send]:
    rows = db.execute(
        f"SELECT {SEND_COLUMNS} FROM fd_send WHERE state = ? ORDER BY queued_at, send_id LIMIT ?",
        (state.value, limit),
    )
    return [read_send(row) for row in rows]


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
            words_text(note.params),
        ),
    )
    return True


def start(db: Connection, change: StartSend) -> bool:
    return (
        db.execute(
            "UPDATE fd_send SET state = 'sending', via = ?, attempts = attempts + 1, why = ''"
            " WHERE send_id = ? AND state = ? AND attempts = ?",
            (change.via.value, change.send_id, change.before.value, change.attempts),
        ).rowcount
        == 1
    )


def finish(db: Connection, change: FinishSend) -> bool:
    kept = change.kept
    sent_at = seconds(kept.sent_at)
    moved = db.execute(
        "UPDATE fd_send SET state = 'sent', via = ?, sent_at = ?, why = ''"
        " WHERE send_id = ? AND state = ?",
        (kept.via.value, sent_at, change.send_id, change.before.value),
    ).rowcount
    if moved != 1:
        return False
    db.execute(
        f"INSERT INTO fd_message ({KEPT_COLUMNS}) VALUES ({_KEPT_VALUES})",
        (
            change.send_id,
            kept.channel,
            kept.to_email,
            kept.to_name,
            kept.from_email,
            kept.subject,
            kept.text,
            kept.html,
            kept.calendar,
            kept.calendar_method,
            kept.message_id,
            sent_at,
            kept.from_name,
            kept.reply_to,
            kept.in_reply_to,
            kept.unsubscribe_url,
            kept.to_mobile,
        ),
    )
    return True


def defer(db: Connection, change: DeferSend) -> bool:
    return (
        db.execute(
            "UPDATE fd_send SET state = ?, due_at = ?, why = ? WHERE send_id = ? AND state = ?",
            (
                change.after.value,
                seconds(change.due_at),
                change.why,
                change.send_id,
                change.before.value,
            ),
        ).rowcount
        == 1
    )


def end(db: Connection, change: EndSend) -> bool:
    return (
        db.execute(
            "UPDATE fd_send SET state = ?, why = ? WHERE send_id = ? AND state = ?",
            (change.after.value, change.why, change.send_id, change.before.value),
        ).rowcount
        == 1
    )


def texts_on(db: Connection, on: date) -> int:
    row = db.execute("SELECT sent FROM fd_texts WHERE day = ?", (on.isoformat(),)).fetchone()
    return 0 if row is None else int(row[0])


def count_text(db: Connection, change: CountText) -> bool:
    if change.before == 0:
        return (
            db.execute(
                "INSERT INTO fd_texts (day, sent) VALUES (?, 1) ON CONFLICT DO NOTHING",
                (change.on.isoformat(),),
            ).rowcount
            == 1
        )
    return (
        db.execute(
            "UPDATE fd_texts SET sent = sent + 1 WHERE day = ? AND sent = ?",
            (change.on.isoformat(), change.before),
        ).rowcount
        == 1
    )


_row = attrgetter("send_id")
SEND_WRITES: Writes = {
    QueueSend: Write("fd_send", _row, queue),
    StartSend: Write("fd_send", _row, start),
    FinishSend: Write("fd_send", _row, finish),
    DeferSend: Write("fd_send", _row, defer),
    EndSend: Write("fd_send", _row, end),
    CountText: Write("fd_texts", attrgetter("on"), count_text),
}
