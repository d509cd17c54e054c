"""The tables themselves refuse invalid values."""

from __future__ import annotations

import sqlite3

import pytest

from frontdesk.core.notes import Note
from frontdesk.core.sends import QueueSend, SendId
from frontdesk.desks.rsvp.changes import AddOffer
from frontdesk.desks.rsvp.model import Offer, OfferState
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import (
    ANN,
    NINE,
    PARTY,
    add_person,
    commit,
    fact,
    given,
    guest,
    person_id,
    rsvp,
)

NONSENSE = [
    "UPDATE ev_event SET free = free + 1",
    "UPDATE ev_event SET free = free + 1, taken = taken - 1 WHERE taken = 0",
    "UPDATE ev_event SET offered = -1, free = free + 1",
    "UPDATE ev_event SET owed = 1",
    "UPDATE ev_event SET waiting = -1",
    "UPDATE ev_event SET owed = -1, waiting = 1",
    "UPDATE ev_event SET state = 'closed'",
    "UPDATE ev_event SET settings = 'none'",
    "UPDATE ev_event SET ends_at = starts_at - 1",
    "UPDATE ev_event SET cap = 'five'",
    "UPDATE ev_guest SET state = 'gone'",
    "UPDATE ev_guest SET party = 0",
    "UPDATE ev_guest SET live = 1, state = 'offered'",
    "UPDATE ev_guest SET live = 1, claim_by = 1",
    "UPDATE ev_guest SET arrived = 2",
    "UPDATE ev_guest SET person_id = 'nobody'",
    "UPDATE ev_guest SET event_id = 'nowhere'",
    "UPDATE ev_offer SET state = 'live'",
    "UPDATE ev_offer SET state = 'claimed'",
    "UPDATE ev_offer SET ended_at = 1",
    "UPDATE fd_person SET erased = 1",
    "UPDATE fd_person SET email_key = NULL",
    "UPDATE fd_send SET state = 'sent'",
    "UPDATE fd_send SET state = 'lost'",
    "DELETE FROM fd_person",
    "DELETE FROM ev_event",
    "DELETE FROM fd_fact",
    "UPDATE fd_fact SET body = '{}'",
    "INSERT INTO fd_dead_letter (at, what, ref, why) VALUES (1, 'thing', '', '')",
    "INSERT INTO fd_member VALUES ('m', 'p-ann', 'host', '', 1, NULL)",
    "INSERT INTO fd_member VALUES ('m', 'p-ann', 'boss', '', 1, NULL)",
    "INSERT INTO fd_setting VALUES ('x', 'not json')",
]


@pytest.fixture
def full(store: SqliteStore) -> SqliteStore:
    """Has a row in every table that is tested with invalid values."""
    given(store, guest())
    commit(store, AddOffer(Offer(PARTY, ANN, 1, 1, OfferState.PENDING, NINE)), facts=(fact(),))
    commit(
        store, QueueSend(SendId("s1"), "ev", Note("x", "ann", "k", PARTY), guest().person_id, NINE)
    )
    return store


@pytest.mark.parametrize("sql", NONSENSE)
def test_invalid_rows_are_refused(full: SqliteStore, db: sqlite3.Connection, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(sql)


def test_hosts_are_the_owners_and_the_hosts_of_this_event(
    store: SqliteStore, db: sqlite3.Connection
) -> None:
    for name in ("owner", "host", "elsewhere", "staff", "gone"):
        commit(store, add_person(name))
    db.executemany(
        "INSERT INTO fd_member (member_id, person_id, role, event_id, created_at, removed_at)"
        " VALUES (?, ?, ?, ?, 1, ?)",
        [
            ("1", "p-owner", "owner", "", None),
            ("2", "p-host", "host", PARTY, None),
            ("3", "p-elsewhere", "host", "other", None),
            ("4", "p-staff", "staff", "", None),
            ("5", "p-gone", "owner", "", 2),
            ("6", "p-owner", "host", PARTY, None),
        ],
    )

    assert rsvp(store).hosts(PARTY) == ["p-host", "p-owner"]


def test_a_snapshot_reads_the_rows_of_one_instant_and_a_failure_inside_ends_it(
    store: SqliteStore,
) -> None:
    with pytest.raises(ZeroDivisionError), store.snapshot():
        raise ZeroDivisionError
    with store.snapshot() as reads:
        before = reads.engine.person(person_id("ann"))
        commit(store, add_person("ann"))
        meanwhile = reads.engine.person(person_id("ann"))
    after = store.reads().engine.person(person_id("ann"))

    assert (before, meanwhile) == (None, None)
    assert after is not None


def test_a_snapshot_reads_each_row_once_and_the_next_one_reads_it_again(
    store: SqliteStore,
) -> None:
    commit(store, add_person("ann"))
    read: list[str] = []
    with store.snapshot():
        pass
    store._readers.mine().set_trace_callback(read.append)
    for _ in range(2):
        with store.snapshot() as reads:
            found = [reads.engine.person(person_id(who)) for who in ("ann", "bob", "ann", "bob")]
            assert [each is not None for each in found] == [True, False, True, False]

    assert sum("fd_person" in sql for sql in read) == 4


def test_a_list_in_a_snapshot_can_be_read_twice(store: SqliteStore) -> None:
    commit(store, add_person("ann"))
    sql, values = "SELECT name FROM fd_person WHERE person_id = ?", (person_id("ann"),)
    with store.snapshot():
        db = store._readers.mine()
        lists = [list(db.execute(sql, values)), db.execute(sql, values).fetchall()]
        one = db.execute(sql, values).fetchone()

    assert lists == [[one], [one]]
