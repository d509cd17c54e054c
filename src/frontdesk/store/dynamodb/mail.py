"""Mail as it came in: what is known of it in a row, the mail itself in a bucket."""

from __future__ import annotations

from typing import Final, assert_never

from frontdesk.core.mail import KeepMail, RawMail, SettleMail, Shelf
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.look import Bucket, Look, Row
from frontdesk.store.dynamodb.schema import FD_MAIL
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import DynamoRows

MAIL: Final = DynamoRows(RawMail, {"id": "mail_id"}, sparse=("person_id",))
#: All mail lies in one box, in the order of time.
BOX: Final = "in"


def raw_mail(look: Look, mail_id: str) -> RawMail | None:
    row = look.get(FD_MAIL, mail_id)
    raw = None if row is None else raw_of(look, row)
    return None if row is None or raw is None else MAIL.read({**row, "raw": raw})


def knows_mail(look: Look, mail_id: str) -> bool:
    return look.get(FD_MAIL, mail_id) is not None


def new_mail_to(look: Look, mail_id: str) -> str:
    row = look.get(FD_MAIL, mail_id)
    return "" if row is None or row["outcome"] else str(row["recipient"])


def raw_of(look: Look, row: Row) -> bytes | None:
    bucket, key = _place_of(look, row)
    return bucket.get(key)


def beginning_of(look: Look, row: Row, most_bytes: int) -> bytes:
    bucket, key = _place_of(look, row)
    return bucket.beginning(key, most_bytes)


def _place_of(look: Look, row: Row) -> tuple[Bucket, str]:
    return _place(look, row["mail_id"], _shelf(row))


def _shelf(row: Row) -> Shelf:
    return Shelf(row.get("shelf", Shelf.MAIL))


def _place(look: Look, mail_id: str, shelf: Shelf) -> tuple[Bucket, str]:
    """In which bucket, and where in it."""
    requests = look.waitlist_mail or look.mail
    match shelf:
        case Shelf.MAIL:
            return look.mail, f"mail/{mail_id}"
        case Shelf.WAITLIST:
            return requests, f"mail/{mail_id}"
        case Shelf.DISCARDED:
            return requests, f"discarded/{mail_id}"
        case _:
            assert_never(shelf)


def keep(_look: Look, change: KeepMail) -> tuple[TransactItem, ...]:
    row = {**MAIL.row(change.mail), "box": BOX, "raw": None}
    return (put_new(FD_MAIL.name, FD_MAIL.key.names, row),)


def put_raw(look: Look, change: KeepMail) -> None:
    """Only for a new mail: one that comes twice does not change what was kept."""
    mail = change.mail
    if look.get(FD_MAIL, mail.id) is None:
        bucket, key = _place(look, mail.id, mail.shelf)
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


def put_aside(look: Look, change: SettleMail) -> None:
    """It lies where it goes before the row says so, and where it was until then."""
    row = look.get(FD_MAIL, change.mail_id) if change.shelf else None
    raw = raw_of(look, row) if row else None
    if raw is not None and change.shelf:
        bucket, key = _place(look, change.mail_id, change.shelf)
        bucket.put(key, raw)


def clear_away(look: Look, change: SettleMail) -> None:
    """What was a request lies in one place again."""
    if change.shelf is Shelf.DISCARDED:
        bucket, key = _place(look, change.mail_id, Shelf.WAITLIST)
        bucket.delete(key)


def forget(look: Look, mail_id: str) -> None:
    """First the mail, wherever it may lie, then what is known of it: what is cut short is done
    again."""
    for bucket, key in {_place(look, mail_id, shelf) for shelf in Shelf}:
        bucket.delete(key)
    look.write(delete(FD_MAIL.name, {"mail_id": mail_id}))


MAIL_WRITES: Writes = {
    KeepMail: Write(keep, first=put_raw),
    SettleMail: Write(lambda _look, change: (settle(change),), first=put_aside, after=clear_away),
}
