"""Who is in the team."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Any

from frontdesk.core.members import STAND_IN_EMAIL, Member, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.changes import AddMember, AddOwner, EndMembership, WriteRole
from frontdesk.desks.admin.model import Membership
from frontdesk.desks.admin.reads import TeamRow
from frontdesk.store.sqlite.people import PERSON_COLUMNS, read_person
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import instant, instant_or_none, names, seconds

MEMBERSHIP_COLUMNS = "m.member_id, m.person_id, m.role, m.event_id, m.created_at, m.removed_at"
#: A member with their name, and all events that the same person hosts.
MEMBER_COLUMNS = (
    "m.member_id, m.person_id, m.role, p.name, p.email,"
    " (SELECT json_group_array(h.event_id) FROM fd_member h"
    " WHERE h.person_id = m.person_id AND h.role = 'host' AND h.removed_at IS NULL)"
)


def read_membership(row: Sequence[Any]) -> Membership:
    """From `MEMBERSHIP_COLUMNS`."""
    member_id, person_id, role, event_id, created_at, removed_at = row
    return Membership(
        member_id,
        person_id,
        Role(role),
        event_id,
        instant(created_at),
        instant_or_none(removed_at),
    )


def read_member(row: Sequence[Any]) -> Member:
    """From `MEMBER_COLUMNS`."""
    member_id, person_id, role, name, email, events = row
    return Member(member_id, person_id, Role(role), name, email, frozenset(names(events)))


def membership(db: Connection, member_id: str) -> Membership | None:
    found = _memberships(db, "WHERE m.member_id = ?", member_id)
    return found[0] if found else None


def memberships_of(db: Connection, person_id: str) -> tuple[Membership, ...]:
    return _memberships(db, "WHERE m.person_id = ? ORDER BY m.created_at", person_id)


def owners(db: Connection) -> tuple[Membership, ...]:
    return _memberships(
        db,
        "WHERE m.role = 'owner' AND m.removed_at IS NULL ORDER BY m.created_at, m.member_id",
    )


def staff(db: Connection) -> list[PersonId]:
    """Owners and staff who have given an address of their own."""
    rows = db.execute(
        "SELECT DISTINCT person_id FROM fd_member JOIN fd_person USING (person_id)"
        " WHERE removed_at IS NULL AND email <> ? AND role IN ('owner', 'staff')"
        " ORDER BY person_id",
        (STAND_IN_EMAIL,),
    )
    return [person_id for (person_id,) in rows]


def _memberships(db: Connection, where: str, *values: str) -> tuple[Membership, ...]:
    rows = db.execute(f"SELECT {MEMBERSHIP_COLUMNS} FROM fd_member m {where}", values)
    return tuple(read_membership(row) for row in rows)


def member(db: Connection, member_id: str) -> Member | None:
    row = db.execute(
        f"SELECT {MEMBER_COLUMNS} FROM fd_member m JOIN fd_person p USING (person_id)"
        " WHERE m.member_id = ?",
        (member_id,),
    ).fetchone()
    return None if row is None else read_member(row)


def team(db: Connection, now: datetime) -> list[TeamRow]:
    """Owners first, then by name."""
    rows = db.execute(
        f"SELECT {MEMBERSHIP_COLUMNS}, max(s.created_at),"
        " count(s.token_hash) FILTER (WHERE s.ended_at IS NULL AND s.expires_at > ?),"
        f" {PERSON_COLUMNS}"
        " FROM fd_member m JOIN fd_person p USING (person_id)"
        " LEFT JOIN fd_session s USING (member_id)"
        " WHERE m.removed_at IS NULL GROUP BY m.member_id"
        " ORDER BY m.role = 'host', m.role = 'staff', p.name COLLATE NOCASE, m.member_id",
        (seconds(now),),
    )
    return [
        TeamRow(read_membership(row[:6]), read_person(row[8:]), instant_or_none(row[6]), row[7])
        for row in rows
    ]


def add(db: Connection, change: AddMember | AddOwner) -> bool:
    membership = change.membership
    return (
        db.execute(
            "INSERT INTO fd_member (member_id, person_id, role, event_id, created_at)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                membership.id,
                membership.person_id,
                membership.role.value,
                membership.event_id,
                seconds(membership.created_at),
            ),
        ).rowcount
        == 1
    )


def add_owner(db: Connection, change: AddOwner) -> bool:
    return not owners(db) and add(db, change)


#: Somebody else can still do everything.
_ANOTHER_OWNER = (
    "(role <> 'owner' OR EXISTS (SELECT 1 FROM fd_member o WHERE o.role = 'owner'"
    " AND o.removed_at IS NULL AND o.member_id <> fd_member.member_id))"
)


def end(db: Connection, change: EndMembership) -> bool:
    at = seconds(change.at)
    ended = db.execute(
        "UPDATE fd_member SET removed_at = ?"
        f" WHERE member_id = ? AND removed_at IS NULL AND {_ANOTHER_OWNER}",
        (at, change.member_id),
    ).rowcount
    if ended != 1:
        return False
    db.execute(
        "UPDATE fd_session SET ended_at = ? WHERE member_id = ? AND ended_at IS NULL",
        (at, change.member_id),
    )
    db.execute("DELETE FROM fd_sign_in WHERE member_id = ?", (change.member_id,))
    return True


def write_role(db: Connection, change: WriteRole) -> bool:
    return (
        db.execute(
            "UPDATE fd_member SET role = ?"
            f" WHERE member_id = ? AND role = ? AND removed_at IS NULL AND {_ANOTHER_OWNER}",
            (change.after.value, change.member_id, change.before.value),
        ).rowcount
        == 1
    )


MEMBER_WRITES: Writes = {
    AddMember: Write("fd_member", attrgetter("membership.id"), add),
    AddOwner: Write("fd_member", attrgetter("membership.id"), add_owner),
    EndMembership: Write("fd_member", attrgetter("member_id"), end),
    WriteRole: Write("fd_member", attrgetter("member_id"), write_role),
}
