"""Reads and writes the memberships of the team.

Each active membership has a second row for its person, role and event, so that it is unique. One
more row counts the owners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from frontdesk.core.members import STAND_IN_EMAIL, Member, Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.changes import AddMember, AddOwner, EndMembership, WriteRole
from frontdesk.desks.admin.model import Membership
from frontdesk.desks.admin.reads import TeamRow
from frontdesk.store.dynamodb import people
from frontdesk.store.dynamodb.admin.sessions import end_newest, end_older, open_rows
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import FD_MEMBERS, FD_PEOPLE, FD_SESSIONS
from frontdesk.store.dynamodb.sort_keys import nocase
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import DynamoRows, instant_or_none, seconds

MEMBERSHIP: Final = DynamoRows(Membership, {"id": "member_id"})
_KEY: Final = FD_MEMBERS.key.names
_OWNERS: Final = {"member_id": "owners"}
_ACTIVE: Final = "attribute_exists(member_id) AND attribute_not_exists(removed_at)"
_RANKS: Final = {role.value: rank for rank, role in enumerate(Role)}


def membership(reader: TableReader, member_id: str) -> Membership | None:
    row = reader.get(FD_MEMBERS, member_id)
    return MEMBERSHIP.read_or_none(row)


def memberships_of(reader: TableReader, person_id: str) -> tuple[Membership, ...]:
    return _memberships(reader.scan(FD_MEMBERS, only="person_id = :person", person=person_id))


def owners(reader: TableReader) -> tuple[Membership, ...]:
    only = f"#role = :owner AND {_ACTIVE}"
    return _memberships(reader.scan(FD_MEMBERS, only=only, owner=Role.OWNER.value))


def staff(reader: TableReader) -> list[PersonId]:
    """Returns owners and staff, except an owner who has not given an address yet."""
    return _people(reader, Role.OWNER, Role.STAFF)


def signs_in(reader: TableReader, person_id: str) -> bool:
    only = f"attribute_exists(#role) AND {_ACTIVE} AND person_id = :person"
    return any(reader.scan(FD_MEMBERS, only=only, person=person_id))


def owner_people(reader: TableReader) -> list[PersonId]:
    """Returns the owners, except one who has not given an address yet."""
    return _people(reader, Role.OWNER, Role.OWNER)


def _people(reader: TableReader, first: Role, second: Role) -> list[PersonId]:
    only = f"#role IN (:first, :second) AND {_ACTIVE}"
    rows = reader.scan(FD_MEMBERS, only=only, first=first.value, second=second.value)
    found = people.people(reader, [row["person_id"] for row in rows])
    return sorted(each.id for each in found.values() if each.email != STAND_IN_EMAIL)


def _memberships(rows: Iterable[Row]) -> tuple[Membership, ...]:
    found = [MEMBERSHIP.read(row) for row in rows]
    return tuple(sorted(found, key=lambda each: (each.created_at, each.id)))


def member(reader: TableReader, member_id: str, *, active: bool = False) -> Member | None:
    """Returns a member with their name and all events that the same person hosts."""
    team = {
        row["member_id"]: row for row in reader.scan(FD_MEMBERS, only="attribute_exists(#role)")
    }
    found = team.get(member_id)
    if found is None or (active and "removed_at" in found):
        return None
    person = people.person(reader, found["person_id"])
    if person is None:
        return None
    hosted = frozenset(row["event_id"] for row in team.values() if _hosts(row, person.id))
    role = Role(found["role"])
    return Member(found["member_id"], person.id, role, person.name, person.email, hosted)


def _hosts(row: Row, person_id: str) -> bool:
    is_theirs = row["person_id"] == person_id and row["role"] == Role.HOST.value
    return is_theirs and "removed_at" not in row


def team(reader: TableReader, now: datetime) -> list[TeamRow]:
    """Returns owners first, then staff, then hosts; each by name."""
    rows = list(reader.scan(FD_MEMBERS, only=f"attribute_exists(#role) AND {_ACTIVE}"))
    persons = reader.get_many(FD_PEOPLE, [(row["person_id"],) for row in rows])
    sessions = _sessions(reader, now)
    found = [
        TeamRow(
            MEMBERSHIP.read(row),
            people.PERSON.read(persons[row["person_id"],]),
            instant_or_none(row.get("seen_at")),
            sessions[row["member_id"]],
        )
        for row in rows
    ]
    return sorted(found, key=_in_the_list)


def _sessions(reader: TableReader, now: datetime) -> Counter[str]:
    only = "attribute_exists(csrf) AND attribute_not_exists(ended_at) AND ends_at > :now"
    rows = reader.scan(FD_SESSIONS, only=only, now=seconds(now))
    return Counter(row["member_id"] for row in rows)


def _in_the_list(row: TeamRow) -> tuple[int, str, str]:
    return _RANKS[row.membership.role], nocase(row.person.name), row.membership.id


def add(_reader: TableReader, change: AddMember) -> tuple[TransactItem, ...]:
    added = _add(change.membership)
    if change.membership.role is Role.OWNER:
        return *added, _one_owner_more()
    return added


def add_owner(_reader: TableReader, change: AddOwner) -> tuple[TransactItem, ...]:
    nobody = "attribute_not_exists(#count) OR #count = :none"
    return *_add(change.membership), _one_owner_more(when=nobody, none=0)


def _add(membership: Membership) -> tuple[TransactItem, ...]:
    row = MEMBERSHIP.row(membership)
    return put_new(FD_MEMBERS.name, _KEY, row), _add_once(row)


def _add_once(row: Row) -> TransactItem:
    return put_new(FD_MEMBERS.name, _KEY, {**_once(row), "of": row["member_id"]})


def _once(row: Row) -> dict[str, str]:
    return {"member_id": f"once#{row['person_id']}#{row['role']}#{row['event_id']}"}


def _one_owner_more(*, when: str = "", **values: int) -> TransactItem:
    return update(FD_MEMBERS.name, _OWNERS, "ADD #count :one", when=when, one=1, **values)


def _one_owner_fewer() -> TransactItem:
    """Condition: another owner remains."""
    fewer = "SET #count = #count - :one"
    return update(FD_MEMBERS.name, _OWNERS, fewer, when="#count > :one", one=1)


def end(reader: TableReader, change: EndMembership) -> tuple[TransactItem, ...]:
    row = reader.get(FD_MEMBERS, change.member_id)
    ended = _write(change.member_id, "SET removed_at = :at", row, at=seconds(change.at))
    if row is None:
        return (ended,)
    owners = (_one_owner_fewer(),) if row["role"] == Role.OWNER.value else ()
    sessions = end_newest(open_rows(reader, change.member_id), change.at)
    return ended, delete(FD_MEMBERS.name, _once(row)), *owners, *sessions


def end_older_sessions(reader: TableReader, change: EndMembership) -> None:
    end_older(reader, open_rows(reader, change.member_id), change.at)


def write_role(reader: TableReader, change: WriteRole) -> tuple[TransactItem, ...]:
    row = reader.get(FD_MEMBERS, change.member_id)
    before, after = change.before.value, change.after.value
    as_read = None if row is None else {**row, "role": before}
    written = _write(change.member_id, "SET #role = :after", as_read, after=after)
    if as_read is None:
        return (written,)
    owners: tuple[TransactItem, ...] = ()
    if Role.OWNER in (change.before, change.after):
        owners = (_one_owner_more() if change.after is Role.OWNER else _one_owner_fewer(),)
    gone, added = delete(FD_MEMBERS.name, _once(as_read)), _add_once({**as_read, "role": after})
    return written, gone, added, *owners


def _write(member_id: str, moves: str, row: Row | None, **values: Any) -> TransactItem:
    """Condition: the membership is active, and its role is as read."""
    when, role = _ACTIVE, {}
    if row is not None:
        when, role = f"{_ACTIVE} AND #role = :role", {"role": row["role"]}
    key = {"member_id": member_id}
    return update(FD_MEMBERS.name, key, moves, when=when, **role, **values)


MEMBER_WRITES: Writes = {
    AddMember: Write(add),
    AddOwner: Write(add_owner),
    EndMembership: Write(end, first=end_older_sessions),
    WriteRole: Write(write_role),
}
