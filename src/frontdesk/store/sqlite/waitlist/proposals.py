"""Defines the waitlist's table of proposals, and retracts Slack messages about an erased person."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Final

from frontdesk.core.jobs import JobId
from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST, UNREACHABLE
from frontdesk.features.slack.news import job_id, retract_job
from frontdesk.store.sqlite import jobs
from frontdesk.store.sqlite.proposals import ProposalTable


def retract(db: Connection, posted: JobId) -> None:
    if jobs.job(db, posted) is not None:
        jobs.add(db, retract_job("wl", posted))


def forget_person(db: Connection, person_id: str) -> None:
    """Retracts the messages that the person could not be reached."""
    offers = db.execute(
        "SELECT slot_id, entry_id FROM wl_offer JOIN wl_entry USING (entry_id) WHERE person_id = ?",
        (person_id,),
    )
    for slot_id, entry_id in offers.fetchall():
        retract(db, job_id(UNREACHABLE, f"{slot_id}/{entry_id}"))


PROPOSALS: Final = ProposalTable(
    "wl_proposal",
    AddProposal,
    SettleProposal,
    deleted=lambda db, proposal_id: retract(db, job_id(REQUEST, proposal_id)),
)
