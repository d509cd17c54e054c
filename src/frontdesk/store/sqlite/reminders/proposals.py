"""Defines the table of proposed appointments."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.reminders.changes import AddProposal, SettleProposal
from frontdesk.store.sqlite.proposals import ProposalTable

PROPOSALS: Final = ProposalTable(
    "ar_proposal", AddProposal, SettleProposal, deleted=lambda _db, _proposal_id: None
)
