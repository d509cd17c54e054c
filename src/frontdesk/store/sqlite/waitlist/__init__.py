"""The waitlist desk in SQLite: entries, slots, offers, proposals, and sheet versions."""

from __future__ import annotations

from sqlite3 import Connection

from frontdesk.desks.waitlist import document_facts, facts
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite import sheet_versions
from frontdesk.store.sqlite.sheet_versions import VERSION_WRITES
from frontdesk.store.sqlite.tables import DeskTables
from frontdesk.store.sqlite.waitlist import proposals
from frontdesk.store.sqlite.waitlist.entries import ENTRY_WRITES
from frontdesk.store.sqlite.waitlist.offers import OFFER_WRITES
from frontdesk.store.sqlite.waitlist.proposals import PROPOSALS
from frontdesk.store.sqlite.waitlist.reads import SqliteWaitlistReads
from frontdesk.store.sqlite.waitlist.slots import SLOT_WRITES


def forget(db: Connection, contact_key: str) -> None:
    """Erases proposals and sheet rows with this address or number."""
    from frontdesk.desks.waitlist.sheet import COLUMNS  # only erasing needs it

    PROPOSALS.forget(db, contact_key)
    sheet_versions.forget(db, "wl", contact_key, COLUMNS)


def forget_person(db: Connection, person_id: str) -> None:
    theirs = db.execute("SELECT entry_id FROM wl_entry WHERE person_id = ?", (person_id,))
    PROPOSALS.forget_entries(db, [entry_id for (entry_id,) in theirs.fetchall()])
    db.execute("UPDATE wl_entry SET consent = '' WHERE person_id = ?", (person_id,))
    proposals.forget_person(db, person_id)


WAITLIST = DeskTables(
    code="wl",
    writes={
        **ENTRY_WRITES,
        **SLOT_WRITES,
        **OFFER_WRITES,
        **PROPOSALS.writes,
        **VERSION_WRITES,
    },
    reads=SqliteWaitlistReads,
    facts=facts_in(facts, document_facts),
    forget=forget,
    forget_person=forget_person,
)
