"""Both stores write the same changes, read the same rows and know the same facts."""

from __future__ import annotations

from typing import Any

import pytest

from frontdesk.desks.admin.reads import AdminReads
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.store.dynamodb import admin as dynamodb_admin
from frontdesk.store.dynamodb import rsvp as dynamodb_rsvp
from frontdesk.store.dynamodb import waitlist as dynamodb_waitlist
from frontdesk.store.dynamodb.admin.reads import DynamoAdminReads
from frontdesk.store.dynamodb.rsvp.reads import DynamoRsvpReads
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.dynamodb.waitlist.reads import DynamoWaitlistReads
from frontdesk.store.sqlite import admin as sqlite_admin
from frontdesk.store.sqlite import rsvp as sqlite_rsvp
from frontdesk.store.sqlite import waitlist as sqlite_waitlist
from frontdesk.store.sqlite.admin.reads import SqliteAdminReads
from frontdesk.store.sqlite.rsvp.reads import SqliteRsvpReads
from frontdesk.store.sqlite.tables import DeskTables
from frontdesk.store.sqlite.waitlist.reads import SqliteWaitlistReads

DESKS = [
    (sqlite_rsvp.RSVP, dynamodb_rsvp.RSVP),
    (sqlite_waitlist.WAITLIST, dynamodb_waitlist.WAITLIST),
    (sqlite_admin.ADMIN, dynamodb_admin.ADMIN),
]
#: mypy checks here that both stores have every read that a desk needs.
NONE: Any = None
RSVP: list[RsvpReads] = [SqliteRsvpReads(NONE, NONE), DynamoRsvpReads(NONE, NONE)]
WAITLIST: list[WaitlistReads] = [
    SqliteWaitlistReads(NONE, NONE),
    DynamoWaitlistReads(NONE, NONE),
]
ADMIN: list[AdminReads] = [SqliteAdminReads(NONE, NONE), DynamoAdminReads(NONE, NONE)]


@pytest.mark.parametrize(("tables", "items"), DESKS, ids=["rsvp", "waitlist", "house"])
def test_a_desk_has_the_same_changes_and_facts_in_both(
    tables: DeskTables, items: DeskItems
) -> None:
    assert tables.code == items.code
    assert set(tables.writes) == set(items.writes)
    assert tables.facts == items.facts


@pytest.mark.parametrize(("one", "other"), [RSVP, WAITLIST, ADMIN])
def test_a_desk_is_asked_for_the_same_rows_in_both(one: object, other: object) -> None:
    assert asked(one) == asked(other)


def asked(reads: object) -> set[str]:
    kind = type(reads)
    return {name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}
