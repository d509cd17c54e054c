"""Reads, writes and erases people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.contacts import mention_of, number_digest
from frontdesk.core.people import (
    AddPerson,
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    MarkNumber,
    OptOut,
    Person,
    PersonId,
    ResumeNumber,
    StopNumber,
)
from frontdesk.store.rows import SqliteRows, seconds
from frontdesk.store.sqlite import consents
from frontdesk.store.sqlite.caching_connection import first
from frontdesk.store.sqlite.tables import Write, Writes, writes_one

PERSON: Final = SqliteRows(Person, {"id": "person_id"}, remembered=2_000)
PERSON_COLUMNS: Final = PERSON.of("p")
Forget = Callable[[Connection, str], None]


def person(db: Connection, person_id: str) -> Person | None:
    sql = f"SELECT {PERSON_COLUMNS} FROM fd_person p WHERE p.person_id = ?"
    return first(db, sql, (person_id,), PERSON.read)


def people(db: Connection, ids: Sequence[PersonId]) -> dict[PersonId, Person]:
    rows = db.execute(
        f"SELECT {PERSON_COLUMNS} FROM fd_person p"
        " WHERE p.person_id IN (SELECT value FROM json_each(?))",
        (json.dumps(ids),),
    )
    found = map(PERSON.read, rows)
    return {each.id: each for each in found}


def person_by_email(db: Connection, email_key: str) -> Person | None:
    row = db.execute(
        f"SELECT {PERSON_COLUMNS} FROM fd_person p WHERE p.email_key = ?", (email_key,)
    ).fetchone()
    return PERSON.read_or_none(row)


def people_by_mobile(db: Connection, mobile: str) -> list[Person]:
    rows = db.execute(
        f"SELECT {PERSON_COLUMNS} FROM fd_person p"
        " WHERE p.mobile = ? AND p.mobile <> '' ORDER BY p.person_id",
        (mobile,),
    )
    return [PERSON.read(row) for row in rows]


def number_stopped(db: Connection, mobile: str) -> bool:
    found = db.execute(
        "SELECT 1 FROM fd_stopped_number WHERE digest = keyed(?)", (number_digest(mobile),)
    ).fetchone()
    return found is not None


def numbers_lost(db: Connection) -> int:
    """Counts the numbers that cannot be recognised, as they were stored under another key."""
    (lost,) = db.execute(
        "SELECT count(*) FROM fd_stopped_number WHERE key_mark IS NOT keyed('')"
    ).fetchone()
    return int(lost)


def add(db: Connection, change: AddPerson) -> bool:
    return writes_one(
        db,
        "INSERT INTO fd_person (person_id, name, email, email_key, mobile)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (change.person_id, change.name, change.email, change.email_key, change.mobile),
    )


def correct(db: Connection, change: CorrectPerson) -> bool:
    return writes_one(
        db,
        "UPDATE fd_person SET name = :name, email = :email, email_key = :key,"
        " mobile = coalesce(:mobile, mobile),"
        " contact_version = contact_version + (:moved OR coalesce(:mobile <> mobile, 0)),"
        " bounced = CASE WHEN :moved THEN '' ELSE bounced END,"
        " links_until = max(links_until, :links_until)"
        " WHERE person_id = :person AND contact_version = :version AND NOT erased"
        " AND name = coalesce(:name_before, name)"
        " AND NOT EXISTS (SELECT 1 FROM fd_person o"
        " WHERE o.email_key = :key AND o.person_id <> :person)",
        {
            "name": change.name,
            "email": change.email,
            "key": change.email_key,
            "mobile": change.mobile,
            "moved": int(change.new_address),
            "person": change.person_id,
            "version": change.contact_version,
            "name_before": change.name_before,
            "links_until": _until(change),
        },
    )


def mark_bounced(db: Connection, change: MarkBounced) -> bool:
    return writes_one(
        db,
        "UPDATE fd_person SET bounced = ?, links_until = max(links_until, ?)"
        " WHERE person_id = ? AND contact_version = ?",
        (change.why, _until(change), change.person_id, change.contact_version),
    )


def mark_number(db: Connection, change: MarkNumber) -> bool:
    return writes_one(
        db,
        "UPDATE fd_person SET failed_mobile = ? WHERE person_id = ? AND mobile = ?",
        (change.mobile if change.fails else "", change.person_id, change.mobile),
    )


def _until(change: CorrectPerson | MarkBounced) -> int:
    return 0 if change.links_until is None else seconds(change.links_until)


def opt_out(db: Connection, change: OptOut) -> bool:
    return writes_one(
        db,
        "UPDATE fd_person SET opted_out = ? WHERE person_id = ?",
        (int(change.out), change.person_id),
    )


def eraser(
    forgets: Sequence[Forget], forgets_person: Sequence[Forget]
) -> Callable[[Connection, ErasePerson], bool]:
    """Returns the function that erases a person, with mail, kept messages, and the desks' rows
    about the person or any of their addresses."""

    def erase(db: Connection, change: ErasePerson) -> bool:
        if person(db, change.person_id) is None:
            return False
        addresses = _addresses(db, change.person_id)
        db.execute("PRAGMA secure_delete = ON")  # also overwrites freed pages
        db.execute(
            "UPDATE fd_person SET name = '', email = '', email_key = NULL, mobile = '',"
            " failed_mobile = '', bounced = '', contact_version = contact_version + 1, erased = 1"
            " WHERE person_id = ? AND NOT erased",
            (change.person_id,),
        )
        db.execute(
            "UPDATE fd_message SET to_email = '', to_mobile = '', to_name = '', subject = '',"
            " text = '', html = '', calendar = NULL, reply_to = '', in_reply_to = '',"
            " unsubscribe_url = ''"
            " WHERE send_id IN (SELECT send_id FROM fd_send WHERE person_id = ?)",
            (change.person_id,),
        )
        db.execute("DELETE FROM fd_mail WHERE person_id = ?", (change.person_id,))
        consents.forget(db, change.person_id)
        for forget in forgets_person:
            forget(db, change.person_id)
        for address in addresses:
            _forget_mail(db, address)
            _forget_messages(db, address)
            for forget in forgets:
                forget(db, address)
        db.execute("PRAGMA secure_delete = FAST")
        return True

    return erase


def _addresses(db: Connection, person_id: str) -> list[str]:
    """Returns a person's address and number, and those that earlier messages went to."""
    rows = db.execute(
        "SELECT email_key FROM fd_person WHERE person_id = ? AND email_key IS NOT NULL"
        " UNION SELECT email_key(to_email) FROM fd_message"
        " WHERE to_email <> '' AND send_id IN (SELECT send_id FROM fd_send WHERE person_id = ?)"
        " UNION SELECT mobile FROM fd_person WHERE person_id = ?"
        " UNION SELECT to_mobile FROM fd_message"
        " WHERE send_id IN (SELECT send_id FROM fd_send WHERE person_id = ?)",
        (person_id,) * 4,
    )
    return [address for (address,) in rows if address]


def _forget_mail(db: Connection, address: str) -> None:
    """Deletes all mail that mentions the address: also from mailing lists, and bounces."""
    whole = re.escape(address.encode())
    mentions = re.compile(rb"(?<![\w.+-])%s(?![\w-]|\.\w)" % whole, re.IGNORECASE)
    found = [
        (mail_id,)
        for mail_id, sender, key, raw in db.execute(
            "SELECT mail_id, sender, email_key(sender), raw FROM fd_mail"
        )
        if address in (sender, key) or mentions.search(raw)
    ]
    db.executemany("DELETE FROM fd_mail WHERE mail_id = ?", found)


def _forget_messages(db: Connection, address: str) -> None:
    """Empties messages to others that mention the address, such as those to staff."""
    mention = mention_of(address)
    found = [
        (send_id,)
        for send_id, text in db.execute(
            "SELECT send_id, subject || char(10) || text || char(10) || reply_to FROM fd_message"
            " WHERE instr(replace(lower(subject || text || reply_to), ' ', ''), ?)",
            (address,),
        )
        if mention.search(text)
    ]
    db.executemany(
        "UPDATE fd_message SET subject = '', text = '', html = '', calendar = NULL, reply_to = '',"
        " in_reply_to = '', unsubscribe_url = '' WHERE send_id = ?",
        found,
    )


def stop_number(db: Connection, change: StopNumber) -> bool:
    db.execute(
        "INSERT INTO fd_stopped_number (digest, key_mark) VALUES (keyed(?), keyed(''))"
        " ON CONFLICT DO NOTHING",
        (number_digest(change.mobile),),
    )
    return True


def resume_number(db: Connection, change: ResumeNumber) -> bool:
    db.execute(
        "DELETE FROM fd_stopped_number WHERE digest = keyed(?)", (number_digest(change.mobile),)
    )
    return True


def people_writes(forgets: Sequence[Forget], forgets_person: Sequence[Forget]) -> Writes:
    row = attrgetter("person_id")
    return {
        **consents.CONSENT_WRITES,
        AddPerson: Write("fd_person", row, add),
        CorrectPerson: Write("fd_person", row, correct),
        MarkBounced: Write("fd_person", row, mark_bounced),
        MarkNumber: Write("fd_person", row, mark_number),
        OptOut: Write("fd_person", row, opt_out),
        ErasePerson: Write("fd_person", row, eraser(forgets, forgets_person)),
        StopNumber: Write("fd_stopped_number", attrgetter("mobile"), stop_number),
        ResumeNumber: Write("fd_stopped_number", attrgetter("mobile"), resume_number),
    }
