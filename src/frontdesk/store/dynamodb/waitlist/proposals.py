"""Defines the waitlist's table of proposals, and retracts Slack messages about an erased person."""

from __future__ import annotations

from typing import Final

from frontdesk.core.jobs import JobId
from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST, UNREACHABLE
from frontdesk.features.slack.news import job_id, retract_job
from frontdesk.store.dynamodb import jobs
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.proposals import ProposalTable
from frontdesk.store.dynamodb.schema import WL_PROPOSALS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.waitlist import entries, offers


def retract(reader: TableReader, posted: JobId) -> tuple[TransactItem, ...]:
    """Returns the item that adds the job, if the job `posted` exists."""
    return () if jobs.job(reader, posted) is None else (jobs.put_open(retract_job("wl", posted)),)


def forget_person(reader: TableReader, person_id: str) -> None:
    """Retracts the messages that the person could not be reached."""
    for entry in entries.entries_of(reader, person_id):
        for slot_id in offers.slots_of_entry(reader, entry.id):
            for item in retract(reader, job_id(UNREACHABLE, f"{slot_id}/{entry.id}")):
                reader.write(item)


PROPOSALS: Final = ProposalTable(
    WL_PROPOSALS,
    AddProposal,
    SettleProposal,
    deleted=lambda reader, proposal_id: retract(reader, job_id(REQUEST, proposal_id)),
)
