"""Mail as it came in."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.core.mail import KeepMail, RawMail, SettleMail
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, seconds


def raw_mail(db: Connection, mail_id: str) -> RawMail | None:
    row = db.execute(
        "SELECT mail_id, received_at, sender, recipient, raw, person_id, outcome"
        " FROM fd_mail WHERE mail_id = ?",
        (mail_id,),
    ).fetchone()
    if row is None:
        return None
    return RawMail(row[0], instant(row[1]), *row[2:])


def keep(db: Connection, change: KeepMail) -> bool:
    mail = change.mail
    return (
        db.execute(
            "INSERT INTO fd_mail (mail_id, received_at, sender, recipient, raw, person_id, outcome)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mail_id) DO NOTHING",
            (
                mail.id,
                seconds(mail.received_at),
                mail.sender,
                mail.recipient,
                mail.raw,
                mail.person_id,
                mail.outcome,
            ),
        ).rowcount
        == 1
    )


def settle(db: Connection, change: SettleMail) -> bool:
    return (
        db.execute(
            "UPDATE fd_mail SET person_id = ?, outcome = ? WHERE mail_id = ?",
            (change.person_id, change.outcome, change.mail_id),
        ).rowcount
        == 1
    )


MAIL_WRITES: Writes = {
    KeepMail: Write("fd_mail", attrgetter("mail.id"), keep),
    SettleMail: Write("fd_mail", attrgetter("mail_id"), settle),
}
