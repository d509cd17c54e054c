"""Defines the table of the waitlist's proposals."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST
from frontdesk.features.slack.jobs import job_id
from frontdesk.store.dynamodb.proposals import ProposalTable
from frontdesk.store.dynamodb.schema import WL_PROPOSALS
from frontdesk.store.dynamodb.waitlist.retract_slack import retract

PROPOSALS: Final = ProposalTable(
    WL_PROPOSALS,
    AddProposal,
    SettleProposal,
    deleted=lambda reader, proposal_id: retract(reader, job_id(REQUEST, proposal_id)),
)
