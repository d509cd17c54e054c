"""Reads and writes proposals: requests in incoming mail. Each desk with proposals has a table."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from frontdesk.features.proposals.model import (
    AddProposal,
    Proposal,
    ProposalStatus,
    SettleProposal,
)
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import Table
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.rows import instant, instant_or_none, seconds
from frontdesk.values import Frozen, replace

SHELF: Final = "proposals"
_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(Proposal).decode


class ProposalTable(Frozen):
    """The proposals of one desk: its table and its changes."""

    table: Table
    add: type[AddProposal]
    settle: type[SettleProposal]
    deleted: Callable[[TableReader, str], Sequence[TransactItem]]
    """Called with a deleted proposal, to remove it from other systems."""

    @property
    def writes(self) -> Writes:
        return {self.add: Write(self._add), self.settle: Write(self._settle)}

    def proposal(self, reader: TableReader, proposal_id: str) -> Proposal | None:
        row = reader.get(self.table, SHELF, proposal_id)
        return None if row is None else _read(row)

    def proposals(self, reader: TableReader, status: ProposalStatus, limit: int) -> list[Proposal]:
        """Returns the newest first."""
        rows = reader.query(
            self.table,
            "shelf = :shelf AND begins_with(filed, :status)",
            index="by-status",
            backwards=True,
            limit=limit,
            shelf=SHELF,
            status=f"{status}#",
        )
        return [_read(row) for row in rows]

    def _add(self, _reader: TableReader, change: AddProposal) -> tuple[TransactItem, ...]:
        proposal = change.proposal
        row: dict[str, Any] = {
            "shelf": SHELF,
            "proposal_id": proposal.id,
            "received_at": seconds(proposal.received_at),
            "body": zlib.compress(_encode(proposal)),
            "status": ProposalStatus.OPEN.value,
            "entry": "",
            "filed": _filed(ProposalStatus.OPEN, proposal.received_at, proposal.id),
        }
        return (put_new(self.table.name, self.table.key.names, row),)

    def _settle(self, reader: TableReader, change: SettleProposal) -> tuple[TransactItem, ...]:
        """Reads `received_at` before the write: it never changes."""
        row = reader.get(self.table, SHELF, change.proposal_id) or {"received_at": 0}
        return (
            update(
                self.table.name,
                {"shelf": SHELF, "proposal_id": change.proposal_id},
                "SET #status = :status, entry = :entry, settled_at = :at, filed = :filed",
                when="#status = :open",
                status=change.status.value,
                entry=change.entry_id,
                at=seconds(change.at),
                filed=_filed(change.status, instant(row["received_at"]), change.proposal_id),
                open=ProposalStatus.OPEN.value,
            ),
        )

    def forget(self, reader: TableReader, contact_key: str) -> None:
        """Deletes proposals that mention an address or a number."""
        for row in self._all(reader):
            if _read(row).mentions(contact_key):
                self._delete(reader, row["proposal_id"])

    def forget_entries(self, reader: TableReader, entry_ids: Collection[str]) -> None:
        """Deletes proposals that became these entries, whoever wrote them."""
        for row in self._all(reader) if entry_ids else ():
            if row["entry"] in entry_ids:
                self._delete(reader, row["proposal_id"])

    def _all(self, reader: TableReader) -> list[Row]:
        return list(reader.query(self.table, "shelf = :shelf", shelf=SHELF))

    def _delete(self, reader: TableReader, proposal_id: str) -> None:
        items = (
            delete(self.table.name, {"shelf": SHELF, "proposal_id": proposal_id}),
            *self.deleted(reader, proposal_id),
        )
        reader.client.transact_write_items(
            TransactItems=[item.wire(reader.prefix) for item in items]
        )


def _read(row: Row) -> Proposal:
    """Reads a proposal with its status."""
    return replace(
        _decode(zlib.decompress(row["body"])),
        status=ProposalStatus(row["status"]),
        entry_id=row["entry"],
        settled_at=instant_or_none(row.get("settled_at")),
    )


def _filed(status: ProposalStatus, received_at: datetime, proposal_id: str) -> str:
    """Returns a sort key: by status, then by the time it was received."""
    return f"{status}#{moment(received_at)}{proposal_id}"
