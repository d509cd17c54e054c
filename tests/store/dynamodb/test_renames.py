"""Rows of an earlier version with other names for some attributes are read and written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.model import EntryId, SlotId, SlotStatus
from frontdesk.errors import Conflict
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.schema import EV_EVENT, WL_SLOTS, Table
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.values import row_of
from frontdesk.store.dynamodb.waitlist import WAITLIST
from tests.store.samples import PARTY, commit, decide, event, given, rsvp, sign_up
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.waitlist import NINE, slot

pytestmark = needs_dynamodb

THREADS = 8


def opened(tables: Tables) -> DynamoStore:
    return DynamoStore(
        tables.client,
        tables.bucket,
        [RSVP, WAITLIST],
        prefix=tables.prefix,
        pause=lambda _seconds: None,
    )


def row_in(tables: Tables, table: Table, key: str) -> dict[str, Any]:
    """Returns the stored row."""
    rows = [row_of(wire) for wire in tables.rows(table)]
    [row] = [each for each in rows if each[table.key.names[-1]] == key]
    return row


def as_before(tables: Tables, table: Table, key: str) -> None:
    """Rewrites a row with the names of the earlier version."""
    [wire] = [w for w in tables.rows(table) if w[table.key.names[-1]]["S"] == key]
    for then, now in table.renamed:
        wire[then] = wire.pop(now)
    tables.client.put_item(TableName=tables.prefix + table.name, Item=wire)


def test_the_attributes_have_the_names_that_the_documents_give_them(dynamodb: Tables) -> None:
    store = opened(dynamodb)
    given(store, cap=5, free=2, taken=3, waiting=1)
    commit(store, c.AddSlot(slot()))

    party, freed = row_in(dynamodb, EV_EVENT, PARTY), row_in(dynamodb, WL_SLOTS, slot().id)

    assert (party["cap"], party["confirmed_count"], party["waitlist_len"]) == (5, 3, 1)
    assert (freed["status"], freed["live_offer_seq"], freed["booked_by"]) == ("open", 0, "")
    assert {"taken", "waiting"} & party.keys() == set()
    assert "offer_seq" not in freed


@pytest.mark.spec("EV-04")
def test_an_event_of_the_version_before_is_read_and_gives_out_its_last_seats_to_those_who_race(
    dynamodb: Tables,
) -> None:
    given(opened(dynamodb), cap=5, free=2, taken=3)
    as_before(dynamodb, EV_EVENT, PARTY)
    assert rsvp(opened(dynamodb)).event(PARTY) == event(cap=5, free=2, taken=3)

    with ThreadPoolExecutor(THREADS) as threads:
        stores = [opened(dynamodb) for _ in range(THREADS)]
        asked = [
            threads.submit(decide, store, sign_up(f"guest{n}")) for n, store in enumerate(stores)
        ]
    granted = [each.result() for each in asked]

    row = row_in(dynamodb, EV_EVENT, PARTY)
    assert [type(each).__name__ for each in granted].count("Committed") == 2
    assert (row["free"], row["confirmed_count"], row["waitlist_len"]) == (0, 5, 0)
    assert {"taken", "waiting"} & row.keys() == set()


@pytest.mark.spec("WL-12", "WL-19")
def test_a_slot_of_the_version_before_is_found_offered_and_booked_once(dynamodb: Tables) -> None:
    before = opened(dynamodb)
    commit(before, c.AddSlot(slot()))
    as_before(dynamodb, WL_SLOTS, slot().id)
    store = opened(dynamodb)
    reads: Any = store.reads().desk("wl")

    assert reads.slot(slot().id) == slot()
    assert list(reads.idle_slots(slot().opening.service, 10)) == [slot().id]
    commit(store, c.HoldSlot(slot().id, 1))
    commit(store, c.ArmSlot(slot().id, 1))
    commit(store, c.BookSlot(slot().id, 1, EntryId("ann"), NINE))

    row = row_in(dynamodb, WL_SLOTS, slot().id)
    assert (row["status"], row["live_offer_seq"], row["offers"]) == (SlotStatus.BOOKED, 0, 1)
    assert "offer_seq" not in row
    with pytest.raises(Conflict):
        commit(store, c.HoldSlot(SlotId(slot().id), 2))
