"""The waitlist desk in DynamoDB: entries, slots, offers, proposals, and sheet versions."""

from __future__ import annotations

from frontdesk.desks.waitlist import document_facts, facts
from frontdesk.store.dynamodb import sheet_versions
from frontdesk.store.dynamodb.sheet_versions import VERSION_WRITES
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import DeskItems
from frontdesk.store.dynamodb.waitlist import entries, proposals
from frontdesk.store.dynamodb.waitlist.entries import ENTRY_WRITES
from frontdesk.store.dynamodb.waitlist.offers import OFFER_WRITES
from frontdesk.store.dynamodb.waitlist.proposals import PROPOSALS
from frontdesk.store.dynamodb.waitlist.reads import DynamoWaitlistReads
from frontdesk.store.dynamodb.waitlist.slots import SLOT_WRITES
from frontdesk.store.fact_json import facts_in


def forget(reader: TableReader, contact_key: str) -> None:
    """Erases proposals and sheet rows with this address or number."""
    from frontdesk.desks.waitlist.sheet import COLUMNS  # most functions on AWS erase nobody

    PROPOSALS.forget(reader, contact_key)
    sheet_versions.forget(reader, "wl", contact_key, COLUMNS)


def forget_person(reader: TableReader, person_id: str) -> None:
    theirs = {entry.id for entry in entries.entries_of(reader, person_id)}
    for each in theirs:
        entries.forget_consent(reader, each)
    PROPOSALS.forget_entries(reader, theirs)
    proposals.forget_person(reader, person_id)


WAITLIST = DeskItems(
    code="wl",
    writes={
        **ENTRY_WRITES,
        **SLOT_WRITES,
        **OFFER_WRITES,
        **PROPOSALS.writes,
        **VERSION_WRITES,
    },
    reads=DynamoWaitlistReads,
    facts=facts_in(facts, document_facts),
    forget=forget,
    forget_person=forget_person,
)
