"""Reads and writes the memberships of the team."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.core.members import STAND_IN_EMAIL, Member
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.changes import AddMember, AddOwner, EndMembership, WriteRole
from frontdesk.desks.admin.model import Membership
from frontdesk.desks.admin.reads import TeamRow
from frontdesk.store.rows import SqliteRows, instant_or_none, seconds
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.tables import Write, Writes, add_row, writes_one

MEMBERSHIP: Final = SqliteRows(Membership, {"id": "member_id"})
MEMBERSHIP_COLUMNS: Final = MEMBERSHIP.of("m")
_WIDTH: Final = len(MEMBERSHIP)
MEMBER: Final = SqliteRows(Member)
#: A member with their name, and all events that the same person hosts.
MEMBER_COLUMNS = (
    "m.member_id, m.person_id, m.role, p.name, p.email,"
    " (SELECT json_group_array(h.event_id) FROM fd_member h"
    " WHERE h.person_id = m.person_id AND h.role = 'host' AND h.removed_at IS NULL)"
)


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
    """Returns owners and staff, except an owner who has not given an address yet."""
    return _people(db, "('owner', 'staff')")


def signs_in(db: Connection, person_id: str) -> bool:
    sql = "SELECT 1 FROM fd_member WHERE person_id = ? AND removed_at IS NULL"
    return db.execute(sql, (person_id,)).fetchone() is not None


def owner_people(db: Connection) -> list[PersonId]:
    """Returns the owners, except one who has not given an address yet."""
    return _people(db, "('owner')")


def _people(db: Connection, roles: str) -> list[PersonId]:
    rows = db.execute(
        "SELECT DISTINCT person_id FROM fd_member JOIN fd_person USING (person_id)"
        " WHERE removed_at IS NULL AND email <> ?"
        f" AND role IN {roles}"
        " ORDER BY person_id",
        (STAND_IN_EMAIL,),
    )
    return [person_id for (person_id,) in rows]


def _memberships(db: Connection, where: str, *values: str) -> tuple[Membership, ...]:
    rows = db.execute(f"SELECT {MEMBERSHIP_COLUMNS} FROM fd_member m {where}", values)
    return tuple(MEMBERSHIP.read(row) for row in rows)


def member(db: Connection, member_id: str) -> Member | None:
    row = db.execute(
        f"SELECT {MEMBER_COLUMNS} FROM fd_member m JOIN fd_person p USING (person_id)"
        " WHERE m.member_id = ?",
        (member_id,),
    ).fetchone()
    return MEMBER.read_or_none(row)


def team(db: Connection, now: datetime) -> list[TeamRow]:
    """Returns owners first, then staff, then hosts; each by name."""
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
        TeamRow(
            MEMBERSHIP.read(row[:_WIDTH]),
            PERSON.read(row[_WIDTH + 2 :]),
            instant_or_none(row[_WIDTH]),
            row[_WIDTH + 1],
        )
        for row in rows
    ]


def add(db: Connection, change: AddMember | AddOwner) -> bool:
    return add_row(db, "fd_member", MEMBERSHIP, change.membership)


def add_owner(db: Connection, change: AddOwner) -> bool:
    return not owners(db) and add(db, change)


#: The condition that another active owner remains.
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
    return writes_one(
        db,
        "UPDATE fd_member SET role = ?"
        f" WHERE member_id = ? AND role = ? AND removed_at IS NULL AND {_ANOTHER_OWNER}",
        (change.after.value, change.member_id, change.before.value),
    )


MEMBER_WRITES: Writes = {
    AddMember: Write("fd_member", attrgetter("membership.id"), add),
    AddOwner: Write("fd_member", attrgetter("membership.id"), add_owner),
    EndMembership: Write("fd_member", attrgetter("member_id"), end),
    WriteRole: Write("fd_member", attrgetter("member_id"), write_role),
}
