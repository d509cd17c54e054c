"""Reads and writes sessions and sign-in links, and ends all of one member's.

DynamoDB deletes a row some days after its end. Until then the page can say why a link is invalid.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.core.members import Member, Session
from frontdesk.desks.admin import changes
from frontdesk.desks.admin.model import SignInKind, SignInLink
from frontdesk.store.dynamodb import people
from frontdesk.store.dynamodb.admin import members
from frontdesk.store.dynamodb.items import TransactItem, delete, put, put_new, update
from frontdesk.store.dynamodb.schema import FD_MEMBERS, FD_SESSIONS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.rows import DynamoRows, instant, seconds

_LINK: Final = DynamoRows(SignInLink, {"expires_at": "ends_at"})
_KEY: Final = FD_SESSIONS.key.names
#: The key of the row that names the link that was printed last.
_PRINTED: Final = "printed"
_IS_OPEN: Final = "attribute_exists(token_hash) AND attribute_not_exists(ended_at)"


def session(reader: TableReader, token_hash: str, now: datetime) -> Session | None:
    row = reader.get(FD_SESSIONS, token_hash)
    if row is None or not _is_good(row, now):
        return None
    member = members.member(reader, row["member_id"], active=True)
    return None if member is None else _read_session(row, member)


def _is_good(row: Row, now: datetime) -> bool:
    return "csrf" in row and "ended_at" not in row and bool(row["ends_at"] > seconds(now))


def _read_session(row: Row, member: Member) -> Session:
    return Session(
        row["token_hash"],
        member,
        row["csrf"],
        instant(row["created_at"]),
        instant(row["ends_at"]),
        row["device"],
    )


def sessions_of(reader: TableReader, member_id: str, now: datetime) -> list[Session]:
    """Returns the member's sessions, the last used first."""
    member = members.member(reader, member_id, active=True)
    if member is None:
        return []
    rows = [row for row in open_rows(reader, member_id) if _is_good(row, now)]
    rows.sort(key=lambda row: (-row["ends_at"], row["token_hash"]))
    return [_read_session(row, member) for row in rows]


def sign_in(reader: TableReader, member_id: str, nonce: int) -> SignInLink | None:
    """Returns None for an unspent link that a new address or a bounce has invalidated."""
    row = reader.get(FD_SESSIONS, link_key(member_id, nonce))
    membership = members.membership(reader, member_id) if row else None
    if row is None or membership is None:
        return None
    found = _LINK.read(row)
    until = people.links_until(reader, membership.person_id)
    return None if found.is_invalid(until) else found


def add_sign_in(reader: TableReader, change: changes.AddSignIn) -> tuple[TransactItem, ...]:
    link = change.link
    row: dict[str, Any] = {
        "token_hash": link_key(link.member_id, link.nonce),
        "member_id": link.member_id,
        "nonce": link.nonce,
        "kind": link.kind.value,
        **ends(link.expires_at),
    }
    added = put_new(FD_SESSIONS.name, _KEY, row)
    if link.kind is not SignInKind.PRINTED:
        return (added,)
    return added, *_replace_printed(reader, row["token_hash"])


def _replace_printed(reader: TableReader, link: str) -> tuple[TransactItem, ...]:
    """Condition: no other link was printed since the read."""
    row = {"token_hash": _PRINTED, "of": link}
    last = reader.get(FD_SESSIONS, _PRINTED)
    if last is None:
        return (put_new(FD_SESSIONS.name, _KEY, row),)
    replaced = put(FD_SESSIONS.name, _KEY, row, when="#of = :last", last=last["of"])
    before = reader.get(FD_SESSIONS, last["of"])
    if before is None or "spent_at" in before:
        return (replaced,)
    key = {"token_hash": last["of"]}
    return replaced, delete(FD_SESSIONS.name, key, when="attribute_not_exists(spent_at)")


def spend(reader: TableReader, change: changes.SpendSignIn) -> tuple[TransactItem, ...]:
    key = link_key(change.member_id, change.nonce)
    spent = update(
        FD_SESSIONS.name,
        {"token_hash": key},
        "SET spent_at = :at",
        when="attribute_not_exists(spent_at) AND ends_at > :at",
        at=seconds(change.at),
    )
    row, membership = reader.get(FD_SESSIONS, key), members.membership(reader, change.member_id)
    if row is None or membership is None or not _LINK.read(row).was_mailed:
        return (spent,)
    made_at = _LINK.read(row).made_at
    if change.address_works:
        return spent, people.address_works(membership.person_id, made_at)
    return spent, people.links_live(membership.person_id, made_at)


def add_session(_reader: TableReader, change: changes.AddSession) -> tuple[TransactItem, ...]:
    """Also writes the sign-in time to the member's row, as DynamoDB deletes old sessions."""
    row: dict[str, Any] = {
        "token_hash": change.token_hash,
        "member_id": change.member_id,
        "csrf": change.csrf,
        "device": change.device,
        "created_at": seconds(change.created_at),
        **ends(change.expires_at),
    }
    seen = update(
        FD_MEMBERS.name,
        {"member_id": change.member_id},
        "SET seen_at = :at",
        when="attribute_exists(member_id) AND attribute_not_exists(removed_at)",
        at=seconds(change.created_at),
    )
    return put_new(FD_SESSIONS.name, _KEY, row), seen


def move_end(change: changes.MoveSessionEnd) -> TransactItem:
    return update(
        FD_SESSIONS.name,
        {"token_hash": change.token_hash},
        "SET ends_at = :ends_at, expires_at = :expires_at",
        when=_IS_OPEN,
        **ends(change.expires_at),
    )


def end_one(change: changes.EndOneSession) -> TransactItem:
    return update(
        FD_SESSIONS.name,
        {"token_hash": change.token_hash},
        "SET ended_at = :at",
        when=_IS_OPEN,
        at=seconds(change.at),
    )


def end_all(reader: TableReader, change: changes.EndSessionsOf) -> tuple[TransactItem, ...]:
    return end_newest(open_rows(reader, change.member_id, but=change.but), change.at)


def end_all_older(reader: TableReader, change: changes.EndSessionsOf) -> None:
    end_older(reader, open_rows(reader, change.member_id, but=change.but), change.at)


SESSION_WRITES: Writes = {
    changes.AddSignIn: Write(add_sign_in),
    changes.SpendSignIn: Write(spend),
    changes.AddSession: Write(add_session),
    changes.MoveSessionEnd: one(move_end),
    changes.EndOneSession: one(end_one, optional=True),
    changes.EndSessionsOf: Write(end_all, first=end_all_older),
}


STAYS: Final = timedelta(days=7)
#: The most rows that end in the transaction. Older ones end before it.
AT_ONCE: Final = 50


def link_key(member_id: str, nonce: int) -> str:
    return f"sign-in#{member_id}#{nonce}"


def is_link(row: Row) -> bool:
    return "nonce" in row


def ends(at: datetime) -> dict[str, int]:
    """Returns when it ends, and when DynamoDB deletes its row."""
    return {"ends_at": seconds(at), "expires_at": seconds(at + STAYS)}


def open_rows(reader: TableReader, member_id: str, *, but: str = "") -> list[Row]:
    """Returns sessions that are not ended and links that are not spent, the newest first."""
    rows = reader.scan(
        FD_SESSIONS,
        only="member_id = :member AND attribute_not_exists(ended_at)"
        " AND attribute_not_exists(spent_at)",
        member=member_id,
    )
    found = [row for row in rows if row["token_hash"] != but]
    return sorted(found, key=lambda row: row["ends_at"], reverse=True)


def end_newest(rows: Sequence[Row], at: datetime) -> tuple[TransactItem, ...]:
    return tuple(_end(row, at) for row in rows[:AT_ONCE])


def end_older(reader: TableReader, rows: Sequence[Row], at: datetime) -> None:
    for start in range(AT_ONCE, len(rows), AT_ONCE):
        items = [_end(row, at).wire(reader.prefix) for row in rows[start : start + AT_ONCE]]
        reader.client.transact_write_items(TransactItems=items)


def _end(row: Row, at: datetime) -> TransactItem:
    """Condition: a link is still unspent. Otherwise the commit is retried, with the session that
    the link opened."""
    key = {"token_hash": row["token_hash"]}
    if is_link(row):
        return delete(FD_SESSIONS.name, key, when="attribute_not_exists(spent_at)")
    when = "attribute_exists(token_hash)"
    return update(FD_SESSIONS.name, key, "SET ended_at = :at", when=when, at=seconds(at))
