"""The business and its words as its owner set them, and dead letters that staff dealt with."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

import msgspec

from frontdesk.core.wording import Wording
from frontdesk.desks.house.changes import (
    SettleLetter,
    WriteBusiness,
    WriteTeamWording,
    WriteTroubles,
)
from frontdesk.desks.house.model import Business, Trouble
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.sqlite import wordings
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, seconds, to_json

BUSINESS_KEY: Final = "fd.business"
TROUBLES_KEY: Final = "fd.troubles"
_decode = msgspec.json.Decoder(Business).decode
_decode_troubles = msgspec.json.Decoder(tuple[Trouble, ...]).decode


def business(db: Connection) -> Business:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (BUSINESS_KEY,)).fetchone()
    return Business() if row is None else _decode(row[0])


def write_business(db: Connection, change: WriteBusiness) -> bool:
    if business(db) != change.before:
        return False
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (BUSINESS_KEY, to_json(change.after).decode()),
    )
    return True


def troubles(db: Connection) -> tuple[Trouble, ...]:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (TROUBLES_KEY,)).fetchone()
    return () if row is None else _decode_troubles(row[0])


def write_troubles(db: Connection, change: WriteTroubles) -> bool:
    if troubles(db) != change.before:
        return False
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (TROUBLES_KEY, to_json(change.after).decode()),
    )
    return True


def wording(db: Connection, mail_kind: str) -> Wording | None:
    return wordings.read(db, _wording_key(mail_kind))


def write_wording(db: Connection, change: WriteTeamWording) -> bool:
    return wordings.write(db, _wording_key(change.mail_kind), change.before, change.after)


def _wording_key(mail_kind: str) -> str:
    return f"fd.wording.{mail_kind}"


def problems(db: Connection, limit: int) -> list[DeadLetter]:
    return _letters(db, "ORDER BY id DESC LIMIT ?", limit)


def dead_letter(db: Connection, letter_id: int) -> DeadLetter | None:
    found = _letters(db, "AND id = ?", letter_id)
    return found[0] if found else None


def letter_of_send(db: Connection, send_id: str) -> int | None:
    row = db.execute(
        "SELECT max(id) FROM fd_dead_letter"
        " WHERE replayed_at IS NULL AND what = 'send' AND ref = ?",
        (send_id,),
    ).fetchone()
    letter_id: int | None = row[0]
    return letter_id


def _letters(db: Connection, where: str, value: int) -> list[DeadLetter]:
    rows = db.execute(
        f"SELECT id, at, what, ref, why FROM fd_dead_letter WHERE replayed_at IS NULL {where}",
        (value,),
    )
    return [DeadLetter(id_, instant(at), what, ref, why) for id_, at, what, ref, why in rows]


def problem_count(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM fd_dead_letter WHERE replayed_at IS NULL").fetchone()
    count: int = row[0]
    return count


def settle(db: Connection, change: SettleLetter) -> bool:
    return (
        db.execute(
            "UPDATE fd_dead_letter SET replayed_at = ? WHERE id = ? AND replayed_at IS NULL",
            (seconds(change.at), change.letter_id),
        ).rowcount
        == 1
    )


OFFICE_WRITES: Writes = {
    WriteBusiness: Write("fd_setting", lambda _change: BUSINESS_KEY, write_business),
    WriteTroubles: Write("fd_setting", lambda _change: TROUBLES_KEY, write_troubles),
    WriteTeamWording: Write(
        "fd_setting", lambda change: _wording_key(change.mail_kind), write_wording
    ),
    SettleLetter: Write("fd_dead_letter", attrgetter("letter_id"), settle),
}
