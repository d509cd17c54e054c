"""The people table: the only place with names and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.core.people import (
    AddPerson,
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    OptOut,
    Person,
)
from frontdesk.store.sqlite.tables import Write, Writes

PERSON_COLUMNS = "p.person_id, p.name, p.email, p.contact_version, p.bounced, p.opted_out, p.erased"
Forget = Callable[[Connection, str], None]


def read_person(row: Sequence[Any]) -> Person:
    """From `PERSON_COLUMNS`."""
    person_id, name, email, contact_version, bounced, opted_out, erased = row
    return Person(person_id, name, email, contact_version, bounced, opted_out == 1, erased == 1)


def person(db: Connection, person_id: str) -> Person | None:
    row = db.execute(
        f"SELECT {PERSON_COLUMNS} FROM fd_person p WHERE p.person_id = ?", (person_id,)
    ).fetchone()
    return None if row is None else read_person(row)


def person_by_email(db: Connection, email_key: str) -> Person | None:
    row = db.execute(
        f"SELECT {PERSON_COLUMNS} FROM fd_person p WHERE p.email_key = ?", (email_key,)
    ).fetchone()
    return None if row is None else read_person(row)


def add(db: Connection, change: AddPerson) -> bool:
    return (
        db.execute(
            "INSERT INTO fd_person (person_id, name, email, email_key) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (change.person_id, change.name, change.email, change.email_key),
        ).rowcount
        == 1
    )


def correct(db: Connection, change: CorrectPerson) -> bool:
    return (
        db.execute(
            "UPDATE fd_person SET name = :name, email = :email, email_key = :key,"
            " contact_version = contact_version + :moved,"
            " bounced = CASE WHEN :moved THEN '' ELSE bounced END"
            " WHERE person_id = :person AND contact_version = :version AND NOT erased"
            " AND NOT EXISTS (SELECT 1 FROM fd_person o"
            " WHERE o.email_key = :key AND o.person_id <> :person)",
            {
                "name": change.name,
                "email": change.email,
                "key": change.email_key,
                "moved": int(change.new_address),
                "person": change.person_id,
                "version": change.contact_version,
            },
        ).rowcount
        == 1
    )


def mark_bounced(db: Connection, change: MarkBounced) -> bool:
    return (
        db.execute(
            "UPDATE fd_person SET bounced = ? WHERE person_id = ? AND contact_version = ?",
            (change.why, change.person_id, change.contact_version),
        ).rowcount
        == 1
    )


def opt_out(db: Connection, change: OptOut) -> bool:
    return (
        db.execute(
            "UPDATE fd_person SET opted_out = ? WHERE person_id = ?",
            (int(change.out), change.person_id),
        ).rowcount
        == 1
    )


def eraser(forgets: Sequence[Forget]) -> Callable[[Connection, ErasePerson], bool]:
    """Erasing reaches mail, kept messages, and what each desk keeps under any of the addresses."""

    def erase(db: Connection, change: ErasePerson) -> bool:
        if person(db, change.person_id) is None:
            return False
        addresses = _addresses(db, change.person_id)
        db.execute("PRAGMA secure_delete = ON")  # pages that become free are overwritten as well
        db.execute(
            "UPDATE fd_person SET name = '', email = '', email_key = NULL, bounced = '',"
            " contact_version = contact_version + 1, erased = 1"
            " WHERE person_id = ? AND NOT erased",
            (change.person_id,),
        )
        db.execute(
            "UPDATE fd_message SET to_email = '', to_name = '', subject = '', text = '', html = '',"
            " calendar = NULL, in_reply_to = '', unsubscribe_url = ''"
            " WHERE send_id IN (SELECT send_id FROM fd_send WHERE person_id = ?)",
            (change.person_id,),
        )
        db.execute("DELETE FROM fd_mail WHERE person_id = ?", (change.person_id,))
        for address in addresses:
            _forget_mail(db, address)
            for forget in forgets:
                forget(db, address)
        db.execute("PRAGMA secure_delete = FAST")
        return True

    return erase


def _addresses(db: Connection, person_id: str) -> list[str]:
    """The one they have, and those that we have written to before it was corrected."""
    rows = db.execute(
        "SELECT email_key FROM fd_person WHERE person_id = ? AND email_key IS NOT NULL"
        " UNION SELECT email_key(to_email) FROM fd_message"
        " WHERE to_email <> '' AND send_id IN (SELECT send_id FROM fd_send WHERE person_id = ?)",
        (person_id, person_id),
    )
    return [address for (address,) in rows if address]


def _forget_mail(db: Connection, address: str) -> None:
    """Wherever the address stands: sent by way of a list, not for an event, or come back to us."""
    whole = re.escape(address.encode())
    mentions = re.compile(rb"(?<![\w.+-])%s(?![\w-]|\.\w)" % whole, re.IGNORECASE)
    found = [
        (mail_id,)
        for mail_id, sender, raw in db.execute(
            "SELECT mail_id, email_key(sender), raw FROM fd_mail"
        )
        if sender == address or mentions.search(raw)
    ]
    db.executemany("DELETE FROM fd_mail WHERE mail_id = ?", found)


def people_writes(forgets: Sequence[Forget]) -> Writes:
    row = attrgetter("person_id")
    return {
        AddPerson: Write("fd_person", row, add),
        CorrectPerson: Write("fd_person", row, correct),
        MarkBounced: Write("fd_person", row, mark_bounced),
        OptOut: Write("fd_person", row, opt_out),
        ErasePerson: Write("fd_person", row, eraser(forgets)),
    }
