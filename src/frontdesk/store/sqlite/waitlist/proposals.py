"""Defines the table of the waitlist's proposals."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST
from frontdesk.features.slack.jobs import job_id
from frontdesk.store.sqlite.proposals import ProposalTable
from frontdesk.store.sqlite.waitlist.retract_slack import retract

PROPOSALS: Final = ProposalTable(
    "wl_proposal",
    AddProposal,
    SettleProposal,
    deleted=lambda db, proposal_id: retract(db, job_id(REQUEST, proposal_id)),
)
