"""Provides the stores under test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frontdesk.core.mail import MailFolder
from frontdesk.engine.ports import Store
from frontdesk.store.dynamodb import admin as dynamodb_admin
from frontdesk.store.dynamodb import booking as dynamodb_booking
from frontdesk.store.dynamodb import rsvp as dynamodb_rsvp
from frontdesk.store.dynamodb import waitlist as dynamodb_waitlist
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite import admin as sqlite_admin
from frontdesk.store.sqlite import booking as sqlite_booking
from frontdesk.store.sqlite import rsvp as sqlite_rsvp
from frontdesk.store.sqlite import waitlist as sqlite_waitlist
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import FOLLOWERS
from tests.support.dynamodb import Tables, needs_dynamodb


def sqlite_store(request: pytest.FixtureRequest) -> Store:
    folder: Path = request.getfixturevalue("tmp_path")
    desks = [
        sqlite_rsvp.RSVP,
        sqlite_waitlist.WAITLIST,
        sqlite_booking.BOOKING,
        sqlite_admin.ADMIN,
    ]
    return SqliteStore(folder / "frontdesk.db", desks)


def dynamodb_store(request: pytest.FixtureRequest) -> Store:
    """Opens the store. Its retries do not pause."""
    tables: Tables = request.getfixturevalue("dynamodb")
    return DynamoStore(
        tables.client,
        tables.bucket,
        [
            dynamodb_rsvp.RSVP,
            dynamodb_waitlist.WAITLIST,
            dynamodb_booking.BOOKING,
            dynamodb_admin.ADMIN,
        ],
        prefix=tables.prefix,
        mail_buckets={MailFolder.WAITLIST: tables.waitlist_mail},
        pause=lambda _seconds: None,
    )


#: Each function opens an empty store.
STORES: dict[str, Callable[[pytest.FixtureRequest], Store]] = {
    "sqlite": sqlite_store,
    "dynamodb": dynamodb_store,
}
MARKS = {"sqlite": (), "dynamodb": (needs_dynamodb,)}


@pytest.fixture(params=[pytest.param(name, marks=MARKS[name]) for name in STORES])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    made = STORES[request.param](request)
    made.register_followers(FOLLOWERS)
    yield made
    made.close()
