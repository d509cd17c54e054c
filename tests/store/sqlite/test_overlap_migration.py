"""Slots and offers that an older version wrote are kept, and nobody else can get their time."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.desks.waitlist.changes import AddSlot
from frontdesk.desks.waitlist.model import EntryId, OfferState, SlotId, SlotStatus
from frontdesk.errors import Conflict
from frontdesk.store.rows import seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.files import APPLICATION_ID, migrations
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.waitlist import WAITLIST
from frontdesk.values import replace
from tests.support.waitlist import NINE, OPENING, RULES, slot

#: The migration under test.
NUMBER = next(n for n, sql in migrations() if "wl_slot_new" in sql)


def as_before(path: Path) -> None:
    """Writes data of the version before: Ann has booked a slot with Mia; another one was handed
    back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.create_function("keyed", 1, lambda digest: digest)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for number, sql in migrations():
            if number < NUMBER:
                db.executescript(f"BEGIN; {sql}; PRAGMA user_version = {number}; COMMIT;")
        db.execute(
            "INSERT INTO fd_person (person_id, name, email, email_key) VALUES (?, ?, ?, ?)",
            ("p-ann", "Ann", "ann@example.org", "ann@example.org"),
        )
        db.execute(
            "INSERT INTO wl_entry (entry_id, person_id, service, party, earliest_on, latest_on,"
            " staff, priority, joined_at, status, lane, version)"
            " VALUES ('ann', 'p-ann', 'cut', 1, '2026-11-16', '2026-12-16', '', 0, ?, 'booked',"
            " 'staff', 2)",
            (seconds(NINE),),
        )
        for slot_id, status, booked_by in (("s1", "booked", "ann"), ("s2", "handed_back", "")):
            db.execute(
                "INSERT INTO wl_slot (slot_id, origin, service, starts_at, duration, capacity,"
                " staff, price_cents, rules, freed_at, status, offer_seq, live, offers,"
                " nobody_fits, booked_by, closed_at)"
                " VALUES (?, ?, 'cut', ?, 3600, 1, 'Mia', 4500, ?, ?, ?, 0, 0, ?, 0, ?, ?)",
                (
                    slot_id,
                    f"webhook:{slot_id}",
                    seconds(OPENING.starts_at),
                    to_text(RULES),
                    seconds(NINE),
                    status,
                    1 if booked_by else 0,
                    booked_by,
                    seconds(NINE),
                ),
            )
        db.execute(
            "INSERT INTO wl_offer (slot_id, seq, entry_id, state, made_at, refusals, ended_at)"
            " VALUES ('s1', 1, 'ann', 'claimed', ?, 0, ?)",
            (seconds(NINE), seconds(NINE)),
        )


@pytest.mark.spec("WL-07")
def test_slots_of_an_older_version_are_kept_and_guarded(tmp_path: Path) -> None:
    path = tmp_path / "frontdesk.db"
    as_before(path)

    store = SqliteStore(path, [WAITLIST])
    wl = store.reads().desk("wl")

    booked = wl.slot(SlotId("s1"))
    assert booked == replace(
        slot(staff="Mia"),
        origin="webhook:s1",
        status=SlotStatus.BOOKED,
        offers=1,
        booked_by="ann",
        closed_at=NINE,
    )
    assert [one.state for one in wl.offers(SlotId("s1"))] == [OfferState.CLAIMED]
    assert [one.id for one in wl.bookings(EntryId("ann"))] == ["s1"]
    again = replace(slot(), id=SlotId("s3"), origin="other")
    with pytest.raises(Conflict):
        store.commit(Accepted((AddSlot(again),)), by="test", at=NINE)
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert json.loads(db.execute("SELECT beside FROM wl_slot").fetchone()[0]) == []
