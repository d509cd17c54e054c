"""The RSVP desk in SQLite: events with their seats, guests, offers, imports."""

from __future__ import annotations

from frontdesk.desks.rsvp import facts, offer_facts
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite.rsvp.events import (
    EVENT_WRITES,
    IMPORT_WRITES,
    delete_rows_without_job,
    forget,
)
from frontdesk.store.sqlite.rsvp.guests import GUEST_WRITES, forget_person
from frontdesk.store.sqlite.rsvp.reads import SqliteRsvpReads
from frontdesk.store.sqlite.rsvp.seats import SEAT_WRITES
from frontdesk.store.sqlite.tables import DeskTables

RSVP = DeskTables(
    code="ev",
    writes={
        **EVENT_WRITES,
        **SEAT_WRITES,
        **GUEST_WRITES,
        **IMPORT_WRITES,
    },
    reads=SqliteRsvpReads,
    facts=facts_in(facts, offer_facts),
    forget=forget,
    forget_person=forget_person,
    delete_leftovers=delete_rows_without_job,
)
