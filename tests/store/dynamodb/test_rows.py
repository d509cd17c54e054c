"""Rows of the desks that the contract tests cannot see."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.core.members import MemberId, Role
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.changes import AddOwner, AddSession, AddSignIn
from frontdesk.desks.admin.model import SAVED_BUSINESS, Business, Membership, SignInKind, SignInLink
from frontdesk.desks.rsvp.changes import (
    AddImport,
    ClaimSeats,
    ImportRow,
    LowerCap,
    RaiseCap,
    ReleaseSeats,
    SettleImportRow,
    TakeSeats,
)
from frontdesk.engine.ports import Store
from frontdesk.store.dynamodb.admin import ADMIN
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.rsvp.events import put_rows
from frontdesk.store.dynamodb.schema import EV_EVENT, EV_IMPORTS, FD_SESSIONS
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.rows import seconds
from tests.store.samples import DAY, HOUR, NINE, PARTY, add_person, commit, given, person_id
from tests.support.dynamodb import Tables, needs_dynamodb

pytestmark = needs_dynamodb

ANNS = MemberId("m-ann")
WEEK = timedelta(days=7)


@pytest.fixture
def store(dynamodb: Tables) -> Store:
    return DynamoStore(dynamodb.client, dynamodb.bucket, [RSVP, ADMIN], prefix=dynamodb.prefix)


@pytest.fixture
def reader(dynamodb: Tables) -> TableReader:
    return TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)


def rows(*lines: int) -> tuple[ImportRow, ...]:
    return tuple(ImportRow(line, "Bob", "bob@example.org", 1) for line in lines)


def test_room_is_always_the_cap_minus_the_taken_seats(store: Store, reader: TableReader) -> None:
    given(store, cap=5, free=1, offered=2, taken=2)

    for change in (
        TakeSeats(PARTY, 0, 1, waited=False),
        ClaimSeats(PARTY, 0, 2),
        ReleaseSeats(PARTY, 3, taken=5, round=0, opens=True),
        RaiseCap(PARTY, cap=5, by=4, round=1, opens=True),
        LowerCap(PARTY, cap=9, by=6),
    ):
        commit(store, change)
        row = reader.get(EV_EVENT, PARTY)
        assert row is not None
        assert row["room"] == row["cap"] - row["confirmed_count"]


@pytest.mark.spec("FD-03")
def test_rows_of_an_import_that_are_put_twice_are_not_open_again(
    store: Store, reader: TableReader
) -> None:
    add = AddImport(JobId("j1"), rows(2, 40, 80))
    commit(store, add)
    commit(store, SettleImportRow(add.job_id, 40, "confirmed", "bob"))
    before = list(reader.scan(EV_IMPORTS))

    put_rows(reader, add)

    assert list(reader.scan(EV_IMPORTS)) == before


def test_an_import_that_was_cut_short_is_completed(store: Store, reader: TableReader) -> None:
    """The chunk with the first lines is the last to be written."""
    put_rows(reader, AddImport(JobId("j1"), rows(40, 80)))

    commit(store, AddImport(JobId("j1"), rows(2, 40, 80)))

    reads = store.reads().desk("ev")
    assert reads.import_rows(JobId("j1")) == list(rows(2, 40, 80))


def test_a_setting_that_was_spelt_differently_is_still_the_one_as_read(
    store: Store, reader: TableReader
) -> None:
    reader.client.put_item(
        TableName=f"{reader.prefix}fd-settings",
        Item={"key": {"S": "fd.business"}, "value": {"S": '{ "name": "Long Table" }'}},
    )

    commit(
        store,
        WriteSetting(SAVED_BUSINESS, Business(name="Long Table"), Business(name="Round Table")),
    )

    assert store.reads().desk("fd").business() == Business(name="Round Table")


@pytest.mark.spec("FD-21")
def test_dynamodb_deletes_sessions_and_links_a_week_after_they_are_over(
    store: Store, reader: TableReader
) -> None:
    commit(store, add_person(), AddOwner(Membership(ANNS, person_id("ann"), Role.OWNER, "", NINE)))
    commit(
        store,
        AddSession("token", ANNS, "csrf", "Firefox", NINE, NINE + 30 * DAY),
        AddSignIn(SignInLink(ANNS, 7, SignInKind.PRINTED, NINE + HOUR)),
    )

    go_at = {row["token_hash"]: row.get("expires_at") for row in reader.scan(FD_SESSIONS)}
    assert go_at == {
        "token": seconds(NINE + 30 * DAY + WEEK),
        f"sign-in#{ANNS}#7": seconds(NINE + HOUR + WEEK),
        "printed": None,
    }
