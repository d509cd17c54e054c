"""Reads, writes and erases people."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.contacts import email_key_or_empty, mention_of
from frontdesk.core.people import (
    AddPerson,
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    MarkNumber,
    OptOut,
    Person,
    PersonId,
)
from frontdesk.store.dynamodb import consents, mail
from frontdesk.store.dynamodb.items import TransactItem, check, delete, put, put_new, update
from frontdesk.store.dynamodb.schema import FD_MAIL, FD_MESSAGES, FD_PEOPLE
from frontdesk.store.dynamodb.sends import sends_of
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows, instant, seconds

Forget = Callable[[TableReader, str], None]
PERSON: Final = DynamoRows(Person, {"id": "person_id"}, sparse=("mobile",))
_KEY: Final = FD_PEOPLE.key.names
_EXISTS: Final = "attribute_exists(person_id)"
_LINKS_LIVE: Final = "attribute_not_exists(links_until) OR links_until < :made"
_NO_TEXT: Final = zlib.compress(b"")


def person(reader: TableReader, person_id: str) -> Person | None:
    row = reader.get(FD_PEOPLE, person_id)
    return PERSON.read_or_none(row)


def person_by_email(reader: TableReader, email_key: str) -> Person | None:
    pointer = reader.get(FD_PEOPLE, pointer_key(email_key))
    return None if pointer is None else person(reader, pointer["whose"])


def people_by_mobile(reader: TableReader, mobile: str) -> list[Person]:
    if not mobile:
        return []
    rows = reader.query(FD_PEOPLE, "mobile = :mobile", index="by-mobile", mobile=mobile)
    return [PERSON.read(row) for row in rows]


def people(reader: TableReader, ids: Sequence[PersonId]) -> dict[PersonId, Person]:
    rows = reader.get_many(FD_PEOPLE, [(each,) for each in ids])
    return {PersonId(row["person_id"]): PERSON.read(row) for row in rows.values()}


def pointer_key(email_key: str) -> str:
    """Returns the key of the row that gives an address to one person, so that it is unique."""
    return f"email#{email_key}"


def add(_reader: TableReader, change: AddPerson) -> tuple[TransactItem, ...]:
    person = Person(change.person_id, change.name, change.email, mobile=change.mobile)
    row = {**PERSON.row(person), "email_key": change.email_key}
    pointer = {"person_id": pointer_key(change.email_key), "whose": change.person_id}
    return put_new(FD_PEOPLE.name, _KEY, row), put_new(FD_PEOPLE.name, _KEY, pointer)


def correct(reader: TableReader, change: CorrectPerson) -> tuple[TransactItem, ...]:
    before = reader.get(FD_PEOPLE, change.person_id) or {}
    old_key: str = before.get("email_key", "")
    more, values = _contact_update(change, before.get("mobile", ""))
    named = "" if change.name_before is None else " AND #name = :name_before"
    if named:
        values["name_before"] = change.name_before or ""
    if _kills_links(change, before):
        more, values["until"] = f", links_until = :until{more}", _until(change)
    corrected = update(
        FD_PEOPLE.name,
        {"person_id": change.person_id},
        "SET #name = :name, email = :email, email_key = :key" + more,
        when="contact_version = :version AND email_key = :old_key" + named,
        name=change.name,
        email=change.email,
        key=change.email_key,
        version=change.contact_version,
        old_key=old_key,
        **values,
    )
    if old_key == change.email_key:
        return (corrected,)
    pointer = {"person_id": pointer_key(change.email_key), "whose": change.person_id}
    return corrected, *_no_pointer(old_key), put_new(FD_PEOPLE.name, _KEY, pointer)


def _contact_update(change: CorrectPerson, old_mobile: str) -> tuple[str, dict[str, Value]]:
    """Returns the additional update for a new address or number, and its values."""
    mobile = old_mobile if change.mobile is None else change.mobile
    if mobile == old_mobile and not change.new_address:
        return "", {}
    more, values = ", contact_version = contact_version + :one", dict[str, Value](one=1)
    if change.new_address:
        more, values = f"{more}, bounced = :nothing", {**values, "nothing": ""}
    if mobile == old_mobile:
        return more, values
    if not mobile:
        return f"{more} REMOVE mobile", values
    return f"{more}, mobile = :mobile", {**values, "mobile": mobile}


def _no_pointer(old_key: str) -> tuple[TransactItem, ...]:
    return (delete(FD_PEOPLE.name, {"person_id": pointer_key(old_key)}),) if old_key else ()


def mark_bounced(reader: TableReader, change: MarkBounced) -> tuple[TransactItem, ...]:
    more, values = "", dict[str, Value]()
    if _kills_links(change, reader.get(FD_PEOPLE, change.person_id)):
        more, values = ", links_until = :until", {"until": _until(change)}
    marked = update(
        FD_PEOPLE.name,
        {"person_id": change.person_id},
        "SET bounced = :why" + more,
        when="contact_version = :version",
        why=change.why,
        version=change.contact_version,
        **values,
    )
    return (marked,)


def mark_number(change: MarkNumber) -> TransactItem:
    return update(
        FD_PEOPLE.name,
        {"person_id": change.person_id},
        "SET failed_mobile = :failed",
        when="mobile = :mobile",
        failed=change.mobile if change.fails else "",
        mobile=change.mobile,
    )


def _kills_links(change: CorrectPerson | MarkBounced, before: Row | None) -> bool:
    return _until(change) > int((before or {}).get("links_until", 0))


def _until(change: CorrectPerson | MarkBounced) -> int:
    return 0 if change.links_until is None else seconds(change.links_until)


def links_until(reader: TableReader, person_id: str) -> datetime:
    """Returns the instant until which sign-in links are invalid."""
    row = reader.get(FD_PEOPLE, person_id) or {}
    return instant(row.get("links_until", 0))


def links_live(person_id: str, made_at: datetime) -> TransactItem:
    """Condition: no new address and no bounce has invalidated links that were made then."""
    return check(
        FD_PEOPLE.name,
        {"person_id": person_id},
        when=_LINKS_LIVE,
        made=seconds(made_at),
    )


def address_works(person_id: str, made_at: datetime) -> TransactItem:
    """Removes the mark of a bounce. Condition: as in `links_live`."""
    return update(
        FD_PEOPLE.name,
        {"person_id": person_id},
        "SET bounced = :none",
        when=_LINKS_LIVE,
        none="",
        made=seconds(made_at),
    )


def opt_out(change: OptOut) -> TransactItem:
    return update(
        FD_PEOPLE.name,
        {"person_id": change.person_id},
        "SET opted_out = :out",
        when=_EXISTS,
        out=change.out,
    )


def erase(reader: TableReader, change: ErasePerson) -> tuple[TransactItem, ...]:
    key = {"person_id": change.person_id}
    before = reader.get(FD_PEOPLE, change.person_id)
    if before is None or before["erased"]:
        return (check(FD_PEOPLE.name, key, when=_EXISTS),)
    old_key = before["email_key"]
    erased = update(
        FD_PEOPLE.name,
        key,
        "SET #name = :nothing, email = :nothing, bounced = :nothing, erased = :yes,"
        " contact_version = contact_version + :one REMOVE email_key, mobile, failed_mobile",
        when="email_key = :old_key",
        nothing="",
        yes=True,
        one=1,
        old_key=old_key,
    )
    return erased, *_no_pointer(old_key), *consents.without_statements(reader, change.person_id)


def eraser(
    forgets: Sequence[Forget], forgets_person: Sequence[Forget]
) -> Callable[[TableReader, ErasePerson], None]:
    """Returns the function that erases mail, kept messages, and the desks' rows about the person
    or any of their addresses."""

    def erase_content(reader: TableReader, change: ErasePerson) -> None:
        found = reader.get(FD_PEOPLE, change.person_id)
        if found is None:
            return
        messages = reader.get_many(
            FD_MESSAGES, [(send_id,) for send_id in sends_of(reader, change.person_id)]
        )
        addresses = {found.get("email_key", "")}
        addresses |= {email_key_or_empty(row["to_email"]) for row in messages.values()}
        addresses |= {row.get("to_mobile", "") for row in messages.values()}
        addresses.add(found.get("mobile", ""))
        for forget in forgets_person:
            forget(reader, change.person_id)
        _forget_messages(reader, addresses - {""})
        for address in addresses - {""}:
            _forget_mail(reader, address)
            for forget in forgets:
                forget(reader, address)
        _forget_mail_of(reader, change.person_id)
        # Last, so that a call after a crash finds the addresses again.
        for row in messages.values():
            _empty(reader, {**row, **_NOBODY})

    return erase_content


_NOBODY: Final = {"to_email": "", "to_mobile": "", "to_name": ""}
_EMPTY_CONTENT: Final = {
    "subject": "",
    "text": _NO_TEXT,
    "html": _NO_TEXT,
    "calendar": None,
    "reply_to": "",
    "in_reply_to": "",
    "unsubscribe_url": "",
}


def _empty(reader: TableReader, row: Row) -> None:
    reader.write(put(FD_MESSAGES.name, FD_MESSAGES.key.names, {**row, **_EMPTY_CONTENT}))


def _forget_messages(reader: TableReader, addresses: Collection[str]) -> None:
    """Empties messages to others that mention one of the addresses, such as those to staff."""
    mentions = [mention_of(each) for each in addresses]
    for row in reader.scan(FD_MESSAGES):
        body = zlib.decompress(row["text"]).decode()
        text = "\n".join((row["subject"], body, row.get("reply_to", "")))
        if any(each.search(text) for each in mentions):
            _empty(reader, row)


def _forget_mail_of(reader: TableReader, person_id: str) -> None:
    rows = reader.query(FD_MAIL, "person_id = :person", index="by-person", person=person_id)
    for row in list(rows):
        mail.forget(reader, row["mail_id"])


def _forget_mail(reader: TableReader, address: str) -> None:
    """Deletes all mail that mentions the address: also from mailing lists, and bounces."""
    whole = re.escape(address.encode())
    mentions = re.compile(rb"(?<![\w.+-])%s(?![\w-]|\.\w)" % whole, re.IGNORECASE)
    for row in list(reader.scan(FD_MAIL)):
        is_theirs = address in _senders(row)
        raw = b"" if is_theirs else mail.raw_of(reader, row)
        if is_theirs or (raw is not None and mentions.search(raw)):
            mail.forget(reader, row["mail_id"])


def _senders(row: Row) -> tuple[str, str]:
    """Returns the sender as written, which may be a number, and as an e-mail key."""
    return row["sender"], email_key_or_empty(row["sender"])


def people_writes(forgets: Sequence[Forget], forgets_person: Sequence[Forget]) -> Writes:
    return {
        **consents.CONSENT_WRITES,
        AddPerson: Write(add),
        CorrectPerson: Write(correct),
        MarkBounced: Write(mark_bounced),
        MarkNumber: one(mark_number),
        OptOut: one(opt_out),
        ErasePerson: Write(erase, first=eraser(forgets, forgets_person)),
    }
