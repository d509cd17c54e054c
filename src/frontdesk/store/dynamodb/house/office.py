"""The business and its words as its owner set them, and dead letters that staff dealt with."""

from __future__ import annotations

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
from frontdesk.store.dynamodb import letters, setting_rows, wordings
from frontdesk.store.dynamodb.items import TransactItem, update
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.schema import FD_DEADLETTERS
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import seconds

BUSINESS_KEY: Final = "fd.business"
TROUBLES_KEY: Final = "fd.troubles"
_decode = msgspec.json.Decoder(Business).decode
_decode_troubles = msgspec.json.Decoder(tuple[Trouble, ...]).decode


def business(look: Look) -> Business:
    return _read(setting_rows.setting(look, BUSINESS_KEY))


def _read(text: str | None) -> Business:
    return Business() if text is None else _decode(text)


def write_business(look: Look, change: WriteBusiness) -> tuple[TransactItem, ...]:
    before, after = change.before, change.after
    return (setting_rows.write_from(look, BUSINESS_KEY, _read, before=before, after=after),)


def troubles(look: Look) -> tuple[Trouble, ...]:
    return _read_troubles(setting_rows.setting(look, TROUBLES_KEY))


def _read_troubles(text: str | None) -> tuple[Trouble, ...]:
    return () if text is None else _decode_troubles(text)


def write_troubles(look: Look, change: WriteTroubles) -> tuple[TransactItem, ...]:
    before, after = change.before, change.after
    return (
        setting_rows.write_from(look, TROUBLES_KEY, _read_troubles, before=before, after=after),
    )


def wording(look: Look, mail_kind: str) -> Wording | None:
    return wordings.read(look, _wording_key(mail_kind))


def write_wording(look: Look, change: WriteTeamWording) -> tuple[TransactItem, ...]:
    key = _wording_key(change.mail_kind)
    return (wordings.write(look, key, change.before, change.after),)


def _wording_key(mail_kind: str) -> str:
    return f"fd.wording.{mail_kind}"


def problems(look: Look, limit: int) -> list[DeadLetter]:
    rows = look.query(
        FD_DEADLETTERS,
        "#open = :open",
        index="open",
        backwards=True,
        limit=limit,
        open=letters.OPEN,
    )
    return [letters.read_letter(row) for row in rows]


def dead_letter(look: Look, letter_id: int) -> DeadLetter | None:
    found = letters.letter(look, letter_id)
    return None if found is None or found.replayed_at else found


def letter_of_send(look: Look, send_id: str) -> int | None:
    rows = look.scan(
        FD_DEADLETTERS,
        only="attribute_not_exists(replayed_at) AND what = :send AND #ref = :ref",
        send="send",
        ref=send_id,
    )
    return max((row["id"] for row in rows), default=None)


def problem_count(look: Look) -> int:
    return letters.open_count(look)


def settle(change: SettleLetter) -> TransactItem:
    return update(
        FD_DEADLETTERS.name,
        {"id": change.letter_id},
        "SET replayed_at = :at REMOVE #open",
        when="attribute_exists(id) AND attribute_not_exists(replayed_at)",
        at=seconds(change.at),
    )


OFFICE_WRITES: Writes = {
    WriteBusiness: Write(write_business),
    WriteTroubles: Write(write_troubles),
    WriteTeamWording: Write(write_wording),
    SettleLetter: one(settle),
}
