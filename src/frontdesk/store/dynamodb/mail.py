"""Incoming mail: a row with its attributes, and the mail itself in a bucket."""

from __future__ import annotations

from typing import Final

from frontdesk.core.mail import KeepMail, MailFolder, RawMail, SettleMail
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import FD_MAIL
from frontdesk.store.dynamodb.table_reader import ContentBucket, Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import DynamoRows

MAIL: Final = DynamoRows(RawMail, {"id": "mail_id"}, sparse=("person_id",))
#: All mail has this value: the partition of the index by time.
BOX: Final = "in"


def raw_mail(reader: TableReader, mail_id: str) -> RawMail | None:
    row = reader.get(FD_MAIL, mail_id)
    raw = None if row is None else raw_of(reader, row)
    return None if row is None or raw is None else MAIL.read({**row, "raw": raw})


def knows_mail(reader: TableReader, mail_id: str) -> bool:
    return reader.get(FD_MAIL, mail_id) is not None


def new_mail_to(reader: TableReader, mail_id: str) -> str:
    row = reader.get(FD_MAIL, mail_id)
    return "" if row is None or row["outcome"] else str(row["recipient"])


def raw_of(reader: TableReader, row: Row) -> bytes | None:
    bucket, key = _place_of(reader, row)
    return bucket.get(key)


def beginning_of(reader: TableReader, row: Row, most_bytes: int) -> bytes:
    bucket, key = _place_of(reader, row)
    return bucket.beginning(key, most_bytes)


def _place_of(reader: TableReader, row: Row) -> tuple[ContentBucket, str]:
    return _place(reader, row["mail_id"], _shelf(row))


def _shelf(row: Row) -> MailFolder:
    return MailFolder(row.get("shelf", MailFolder.MAIL))


def _place(reader: TableReader, mail_id: str, shelf: MailFolder) -> tuple[ContentBucket, str]:
    """Returns the bucket and the key of a mail."""
    if shelf is MailFolder.DISCARDED:
        requests = reader.folders.get(MailFolder.WAITLIST, reader.mail)
        return requests, f"discarded/{mail_id}"
    return reader.folders.get(shelf, reader.mail), f"mail/{mail_id}"


def keep(_reader: TableReader, change: KeepMail) -> tuple[TransactItem, ...]:
    row = {**MAIL.row(change.mail), "box": BOX, "raw": None}
    return (put_new(FD_MAIL.name, FD_MAIL.key.names, row),)


def put_raw(reader: TableReader, change: KeepMail) -> None:
    """Stores a new mail. A repeated mail does not change the stored one."""
    mail = change.mail
    if reader.get(FD_MAIL, mail.id) is None:
        bucket, key = _place(reader, mail.id, mail.shelf)
        bucket.put(key, mail.raw)


def settle(change: SettleMail) -> TransactItem:
    whose = ", person_id = :person" if change.person_id else " REMOVE person_id"
    where = ", shelf = :shelf" if change.shelf else ""
    values = {"person": change.person_id, "shelf": change.shelf}
    return update(
        FD_MAIL.name,
        {"mail_id": change.mail_id},
        "SET outcome = :outcome" + where + whose,
        when="attribute_exists(mail_id)",
        outcome=change.outcome,
        **{name: value for name, value in values.items() if value},
    )


def copy_to_folder(reader: TableReader, change: SettleMail) -> None:
    """Copies the mail to its new folder before the row changes. The first copy stays."""
    row = reader.get(FD_MAIL, change.mail_id) if change.shelf else None
    raw = raw_of(reader, row) if row else None
    if raw is not None and change.shelf:
        bucket, key = _place(reader, change.mail_id, change.shelf)
        bucket.put(key, raw)


def delete_first_copy(reader: TableReader, change: SettleMail) -> None:
    """Deletes the first copy of a discarded request."""
    if change.shelf is MailFolder.DISCARDED:
        bucket, key = _place(reader, change.mail_id, MailFolder.WAITLIST)
        bucket.delete(key)


def forget(reader: TableReader, mail_id: str) -> None:
    """Deletes the mail from all folders, then its row, so that a call after a crash finishes the
    work.
    """
    for bucket, key in {_place(reader, mail_id, shelf) for shelf in MailFolder}:
        bucket.delete(key)
    reader.write(delete(FD_MAIL.name, {"mail_id": mail_id}))


MAIL_WRITES: Writes = {
    KeepMail: Write(keep, first=put_raw),
    SettleMail: Write(
        lambda _reader, change: (settle(change),), first=copy_to_folder, after=delete_first_copy
    ),
}
