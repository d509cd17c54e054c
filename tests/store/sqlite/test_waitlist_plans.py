"""Every query of a claim uses an index."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from frontdesk.desks.waitlist.commands import (
    ArmOffer,
    ChangeWish,
    ClaimOffer,
    DeclineOffer,
    ExpireEntries,
    LapseOffer,
    MakeMove,
)
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, OrderBy, SlotId
from frontdesk.values import replace
from tests.store.sqlite.test_plans import HARMLESS, plan
from tests.support.waitlist import RULES, WISH, waitlist_desk_at

#: Partial indexes that have only open slots, or only entries that wait. Versions of SQLite differ
#: in whether they also read the row.
SHORT = (
    "SCAN wl_slot USING INDEX wl_slot_open",
    "SCAN wl_slot USING COVERING INDEX wl_slot_open",
    "SCAN e USING INDEX wl_entry_by_latest",
)


@pytest.mark.spec("WL-09")
@pytest.mark.parametrize("order", [RULES.order, (OrderBy.JOINED,)])
def test_no_query_of_the_waitlist_scans_a_table(tmp_path: Path, order: tuple[OrderBy, ...]) -> None:
    desk = waitlist_desk_at(tmp_path).given("ann", "bob", order=order)
    statements: list[str] = []
    for connection in (desk.store._db, desk.store._readers.mine()):
        connection.set_trace_callback(statements.append)

    desk.free()
    slot = SlotId("s1")
    for command in (MakeMove(slot), ArmOffer(slot, 1), LapseOffer(slot, 1), DeclineOffer(slot, 1)):
        desk.run(command)
    desk.settle().run(ClaimOffer(slot, 2))
    desk.join("cat")
    desk.run(ChangeWish(EntryId("cat"), replace(WISH, party=2)))
    desk.run(ExpireEntries())
    desk.settle()
    desk.close()

    db = sqlite3.connect(desk.path)
    about_us = {sql for sql in statements if "wl_" in sql}
    steps = [step for sql in about_us for step in plan(db, sql)]
    db.close()
    assert any("wl_entry_by_" in step for step in steps)
    assert [step for step in steps if _goes_through_many(step)] == []


def test_the_services_that_people_wait_for_are_found_by_a_search_for_each(tmp_path: Path) -> None:
    desk = waitlist_desk_at(tmp_path).given("ann", "bob")
    statements: list[str] = []
    desk.store._readers.mine().set_trace_callback(statements.append)
    waitlist(desk.store.reads()).services_waited_for(9)
    desk.close()

    with contextlib.closing(sqlite3.connect(desk.path)) as db:
        (sql,) = {sql for sql in statements if "wl_entry" in sql}
        steps = {step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {sql}")}
    assert {step for step in steps if "wl_entry" in step} == {
        "SEARCH wl_entry USING COVERING INDEX wl_entry_by_joined",
        "SEARCH e USING COVERING INDEX wl_entry_by_joined (service>?)",
    }


def _goes_through_many(step: str) -> bool:
    if step.startswith((*HARMLESS, *SHORT)):
        return False
    return step.startswith("SCAN") or "TEMP B-TREE" in step
