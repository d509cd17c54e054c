"""The reminders desk in DynamoDB: appointments with reminders and replies, proposals, versions."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.reminders import document_facts, facts
from frontdesk.desks.reminders.changes import AddProposal, SettleProposal
from frontdesk.desks.reminders.reads import ReminderSettings
from frontdesk.store.dynamodb import sheet_versions
from frontdesk.store.dynamodb.desk_reads import DynamoDeskReads
from frontdesk.store.dynamodb.proposals import ProposalTable
from frontdesk.store.dynamodb.reminders import rows
from frontdesk.store.dynamodb.schema import AR_AUDIT, AR_PROPOSALS
from frontdesk.store.dynamodb.sheet_versions import VERSION_WRITES, DynamoSheetReads
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import DeskItems, delegate
from frontdesk.store.fact_json import FactJson, facts_in

PROPOSALS: Final = ProposalTable(
    AR_PROPOSALS, AddProposal, SettleProposal, deleted=lambda _reader, _proposal_id: ()
)


class DynamoReminderReads(DynamoDeskReads, ReminderSettings):
    audit = AR_AUDIT

    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        super().__init__(reader, codec)
        self.sheet = DynamoSheetReads(reader, "ar")

    # To decide

    appointment = delegate(rows.APPOINTMENTS.get)
    live_of = delegate(rows.live_of)
    live_after = delegate(rows.live_after)
    no_shows = delegate(rows.no_shows)
    no_shows_of = delegate(rows.no_shows_of)
    reminders_of = delegate(rows.reminders_of)
    replies_of = delegate(rows.replies_of)

    proposal = delegate(PROPOSALS.proposal)
    sheet_rows = delegate(rows.sheet_rows)

    # To show

    proposals = delegate(PROPOSALS.proposals)
    appointments_of = delegate(rows.appointments_of)
    appointments_between = delegate(rows.APPOINTMENTS.between)
    archived_reminders = delegate(rows.archived_reminders)

    # For the doctor

    appointments = delegate(rows.APPOINTMENTS.page)


def forget(reader: TableReader, contact_key: str) -> None:
    """Erases proposals and sheet rows with this address or number."""
    from frontdesk.desks.reminders.sheet import COLUMNS  # most functions on AWS erase nobody

    PROPOSALS.forget(reader, contact_key)
    sheet_versions.forget(reader, "ar", contact_key, COLUMNS)


def forget_person(reader: TableReader, person_id: str) -> None:
    theirs = {each.id for each in rows.appointments_of(reader, person_id)}
    PROPOSALS.forget_entries(reader, theirs)
    rows.forget_person(reader, person_id)


REMINDERS = DeskItems(
    code="ar",
    writes={**rows.WRITES, **PROPOSALS.writes, **VERSION_WRITES},
    reads=DynamoReminderReads,
    facts=facts_in(facts, document_facts),
    forget=forget,
    forget_person=forget_person,
)
