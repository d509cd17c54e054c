"""Reads and writes proposals: requests in incoming mail. Each desk with proposals has a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from sqlite3 import Connection

import msgspec

from frontdesk.features.proposals.model import (
    AddProposal,
    Proposal,
    ProposalStatus,
    SettleProposal,
)
from frontdesk.store.rows import instant_or_none, seconds
from frontdesk.store.setting_json import to_text
from frontdesk.store.sqlite.tables import Write, Writes, writes_one
from frontdesk.values import Frozen, replace

_decode = msgspec.json.Decoder(Proposal).decode


class ProposalTable(Frozen):
    """The proposals of one desk: its table and its changes."""

    table: str
    add: type[AddProposal]
    settle: type[SettleProposal]
    deleted: Callable[[Connection, str], None]
    """Called with a deleted proposal, to remove it from other systems."""

    @property
    def writes(self) -> Writes:
        return {
            self.add: Write(self.table, attrgetter("proposal.id"), self._add),
            self.settle: Write(self.table, attrgetter("proposal_id"), self._settle),
        }

    def proposal(self, db: Connection, proposal_id: str) -> Proposal | None:
        found = self._read(db, "WHERE proposal_id = ?", proposal_id)
        return found[0] if found else None

    def proposals(self, db: Connection, status: ProposalStatus, limit: int) -> list[Proposal]:
        """Returns the newest first."""
        order = "ORDER BY received_at DESC, proposal_id DESC"
        return self._read(db, f"WHERE status = ? {order} LIMIT ?", status, limit)

    def _read(self, db: Connection, rest: str, *values: str | int) -> list[Proposal]:
        rows = db.execute(
            f"SELECT body, status, entry_id, settled_at FROM {self.table} {rest}", values
        )
        return [
            replace(
                _decode(body),
                status=ProposalStatus(status),
                entry_id=entry_id,
                settled_at=instant_or_none(settled_at),
            )
            for body, status, entry_id, settled_at in rows
        ]

    def _add(self, db: Connection, change: AddProposal) -> bool:
        proposal = change.proposal
        return writes_one(
            db,
            f"INSERT INTO {self.table} (proposal_id, mail_id, sender, email, mobile,"
            " received_at, body, status, entry_id) VALUES (?, ?, ?, ?, ?, ?, ?, 'open', '')"
            " ON CONFLICT DO NOTHING",
            (
                proposal.id,
                proposal.mail_id,
                proposal.sender,
                proposal.value("email"),
                proposal.value("phone"),
                seconds(proposal.received_at),
                to_text(proposal),
            ),
        )

    def _settle(self, db: Connection, change: SettleProposal) -> bool:
        return writes_one(
            db,
            f"UPDATE {self.table} SET status = ?, entry_id = ?, settled_at = ?"
            " WHERE proposal_id = ? AND status = 'open'",
            (change.status.value, change.entry_id, seconds(change.at), change.proposal_id),
        )

    def forget(self, db: Connection, contact_key: str) -> None:
        """Deletes proposals that mention an address or a number."""
        rows = db.execute(f"SELECT proposal_id, body FROM {self.table}").fetchall()
        self._delete(db, [each for each, body in rows if _decode(body).mentions(contact_key)])

    def forget_entries(self, db: Connection, entry_ids: Iterable[str]) -> None:
        """Deletes proposals that became these entries, whoever wrote them."""
        for entry_id in entry_ids:
            rows = db.execute(
                f"SELECT proposal_id FROM {self.table} WHERE entry_id = ?", (entry_id,)
            )
            self._delete(db, [proposal_id for (proposal_id,) in rows.fetchall()])

    def _delete(self, db: Connection, proposal_ids: Iterable[str]) -> None:
        for proposal_id in proposal_ids:
            db.execute(f"DELETE FROM {self.table} WHERE proposal_id = ?", (proposal_id,))
            self.deleted(db, proposal_id)
