"""Requests that came in, as they were read."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from sqlite3 import Connection
from typing import Any, Final

import msgspec

from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.slack.jobs import job_id
from frontdesk.store.rows import instant_or_none, seconds
from frontdesk.store.sqlite.tables import Write, Writes
from frontdesk.store.sqlite.values import to_json
from frontdesk.store.sqlite.waitlist import retract_slack
from frontdesk.values import replace

PROPOSAL_COLUMNS: Final = "body, status, entry_id, settled_at"
_decode = msgspec.json.Decoder(Proposal).decode


def read_proposal(row: Sequence[Any]) -> Proposal:
    """From `PROPOSAL_COLUMNS`: as it came in, and what became of it."""
    body, status, entry_id, settled_at = row
    return replace(
        _decode(body),
        status=ProposalStatus(status),
        entry_id=entry_id,
        settled_at=instant_or_none(settled_at),
    )


def add(db: Connection, change: AddProposal) -> bool:
    proposal = change.proposal
    return (
        db.execute(
            "INSERT INTO wl_proposal (proposal_id, mail_id, sender, email, mobile, received_at,"
            " body, status, entry_id) VALUES (?, ?, ?, ?, ?, ?, ?, 'open', '')"
            " ON CONFLICT DO NOTHING",
            (
                proposal.id,
                proposal.mail_id,
                proposal.sender,
                proposal.value("email"),
                proposal.value("phone"),
                seconds(proposal.received_at),
                to_json(proposal).decode(),
            ),
        ).rowcount
        == 1
    )


def settle(db: Connection, change: SettleProposal) -> bool:
    return (
        db.execute(
            "UPDATE wl_proposal SET status = ?, entry_id = ?, settled_at = ?"
            " WHERE proposal_id = ? AND status = 'open'",
            (change.status.value, change.entry_id, seconds(change.at), change.proposal_id),
        ).rowcount
        == 1
    )


def forget(db: Connection, contact_key: str) -> None:
    """What somebody asked for by mail goes with them."""
    rows = db.execute("SELECT proposal_id, body FROM wl_proposal").fetchall()
    _delete(db, [each for each, body in rows if _decode(body).mentions(contact_key)])


def forget_person(db: Connection, person_id: str) -> None:
    """What became an entry of theirs, though somebody else may have written it."""
    rows = db.execute(
        "SELECT proposal_id FROM wl_proposal JOIN wl_entry USING (entry_id) WHERE person_id = ?",
        (person_id,),
    )
    _delete(db, [proposal_id for (proposal_id,) in rows.fetchall()])


def _delete(db: Connection, proposal_ids: Sequence[str]) -> None:
    """What was shown elsewhere goes, too."""
    for proposal_id in proposal_ids:
        db.execute("DELETE FROM wl_proposal WHERE proposal_id = ?", (proposal_id,))
        retract_slack.retract(db, job_id(REQUEST, proposal_id))


PROPOSAL_WRITES: Writes = {
    AddProposal: Write("wl_proposal", attrgetter("proposal.id"), add),
    SettleProposal: Write("wl_proposal", attrgetter("proposal_id"), settle),
}
