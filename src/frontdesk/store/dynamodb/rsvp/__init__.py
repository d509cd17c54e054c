"""The RSVP desk in DynamoDB: events with their seats, guests, offers, imports."""

from __future__ import annotations

from frontdesk.desks.rsvp import facts, offer_facts
from frontdesk.store.dynamodb.rsvp.events import EVENT_WRITES, IMPORT_WRITES, forget
from frontdesk.store.dynamodb.rsvp.guests import GUEST_WRITES, forget_person
from frontdesk.store.dynamodb.rsvp.reads import DynamoRsvpReads
from frontdesk.store.dynamodb.rsvp.seats import SEAT_WRITES
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.fact_json import facts_in

RSVP = DeskItems(
    code="ev",
    writes={
        **EVENT_WRITES,
        **SEAT_WRITES,
        **GUEST_WRITES,
        **IMPORT_WRITES,
    },
    reads=DynamoRsvpReads,
    facts=facts_in(facts, offer_facts),
    forget=forget,
    forget_person=forget_person,
)
