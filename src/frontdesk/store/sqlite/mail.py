"""Mail as it came in."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection

from frontdesk.core.mail import KeepMail, RawMail, SettleMail, Shelf
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, seconds


def raw_mail(db: Connection, mail_id: str) -> RawMail | None:
    row = db.execute(
        "SELECT mail_id, received_at, sender, recipient, raw, person_id, outcome, shelf"
        " FROM fd_mail WHERE mail_id = ?",
        (mail_id,),
    ).fetchone()
    if row is None:
        return None
    id_, at, sender, recipient, raw, person_id, outcome, shelf = row
    return RawMail(id_, instant(at), sender, recipient, raw, person_id, outcome, Shelf(shelf))


def knows_mail(db: Connection, mail_id: str) -> bool:
    found = db.execute("SELECT 1 FROM fd_mail WHERE mail_id = ?", (mail_id,)).fetchone()
    return found is not None


def new_mail_to(db: Connection, mail_id: str) -> str:
    row = db.execute(
        "SELECT recipient FROM fd_mail WHERE mail_id = ? AND outcome = ''", (mail_id,)
    ).fetchone()
    return "" if row is None else str(row[0])


def keep(db: Connection, change: KeepMail) -> bool:
    mail = change.mail
    return (
        db.execute(
            "INSERT INTO fd_mail"
            " (mail_id, received_at, sender, recipient, raw, person_id, outcome, shelf)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mail_id) DO NOTHING",
            (
                mail.id,
                seconds(mail.received_at),
                mail.sender,
                mail.recipient,
                mail.raw,
                mail.person_id,
                mail.outcome,
                mail.shelf,
            ),
        ).rowcount
        == 1
    )


def settle(db: Connection, change: SettleMail) -> bool:
    return (
        db.execute(
            "UPDATE fd_mail SET person_id = ?, outcome = ?, shelf = coalesce(?, shelf)"
            " WHERE mail_id = ?",
            (change.person_id, change.outcome, change.shelf, change.mail_id),
        ).rowcount
        == 1
    )


MAIL_WRITES: Writes = {
    KeepMail: Write("fd_mail", attrgetter("mail.id"), keep),
    SettleMail: Write("fd_mail", attrgetter("mail_id"), settle),
}
