"""Mail as it came in: what is known of it in a row, the mail itself in the bucket."""

from __future__ import annotations

from typing import Final

from frontdesk.core.mail import KeepMail, RawMail, SettleMail
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.look import Look, Row
from frontdesk.store.dynamodb.schema import FD_MAIL
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Item, instant, seconds

#: All mail lies in one box, in the order of time.
BOX: Final = "in"


def raw_key(mail_id: str) -> str:
    """Where in the bucket."""
    return f"mail/{mail_id}"


def raw_mail(look: Look, mail_id: str) -> RawMail | None:
    row = look.get(FD_MAIL, mail_id)
    raw = None if row is None else look.mail.get(raw_key(mail_id))
    return None if row is None or raw is None else read_mail(row, raw)


def read_mail(row: Row, raw: bytes) -> RawMail:
    return RawMail(
        row["mail_id"],
        instant(row["received_at"]),
        row["sender"],
        row["recipient"],
        raw,
        row.get("person_id", ""),
        row["outcome"],
    )


def keep(_look: Look, change: KeepMail) -> tuple[TransactItem, ...]:
    mail = change.mail
    row: Item = {
        "mail_id": mail.id,
        "box": BOX,
        "received_at": seconds(mail.received_at),
        "sender": mail.sender,
        "recipient": mail.recipient,
        "person_id": mail.person_id or None,
        "outcome": mail.outcome,
    }
    return (put_new(FD_MAIL.name, FD_MAIL.key.names, row),)


def put_raw(look: Look, change: KeepMail) -> None:
    """Only for a new mail: one that comes twice does not change what was kept."""
    mail = change.mail
    if look.get(FD_MAIL, mail.id) is None:
        look.mail.put(raw_key(mail.id), mail.raw)


def settle(change: SettleMail) -> TransactItem:
    whose = ", person_id = :person" if change.person_id else " REMOVE person_id"
    values = {"person": change.person_id} if change.person_id else {}
    return update(
        FD_MAIL.name,
        {"mail_id": change.mail_id},
        "SET outcome = :outcome" + whose,
        when="attribute_exists(mail_id)",
        outcome=change.outcome,
        **values,
    )


def forget(look: Look, mail_id: str) -> None:
    """First the mail, then what is known of it: what is cut short is done again."""
    look.mail.delete(raw_key(mail_id))
    look.write(delete(FD_MAIL.name, {"mail_id": mail_id}))


MAIL_WRITES: Writes = {KeepMail: Write(keep, first=put_raw), SettleMail: one(settle)}
