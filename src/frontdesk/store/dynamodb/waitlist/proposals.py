"""Requests that came in, as they were read."""

from __future__ import annotations

import zlib
from datetime import datetime
from typing import Any, Final

import msgspec

from frontdesk.desks.waitlist.changes import AddProposal, SettleProposal
from frontdesk.desks.waitlist.slack.news import REQUEST
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.slack.jobs import job_id
from frontdesk.store.dynamodb.items import TransactItem, delete, put_new, update
from frontdesk.store.dynamodb.schema import WL_PROPOSALS
from frontdesk.store.dynamodb.table_reader import Row, TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.dynamodb.waitlist import entries, retract_slack
from frontdesk.store.dynamodb.waitlist.keys import moment
from frontdesk.store.rows import instant, instant_or_none, seconds
from frontdesk.values import replace

SHELF: Final = "proposals"
_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(Proposal).decode


def read_proposal(row: Row) -> Proposal:
    """As it came in, and what became of it."""
    return replace(
        _decode(zlib.decompress(row["body"])),
        status=ProposalStatus(row["status"]),
        entry_id=row["entry"],
        settled_at=instant_or_none(row.get("settled_at")),
    )


def proposal(reader: TableReader, proposal_id: str) -> Proposal | None:
    row = reader.get(WL_PROPOSALS, SHELF, proposal_id)
    return None if row is None else read_proposal(row)


def proposals(reader: TableReader, status: ProposalStatus, limit: int) -> list[Proposal]:
    """The newest first."""
    rows = reader.query(
        WL_PROPOSALS,
        "shelf = :shelf AND begins_with(filed, :status)",
        index="by-status",
        backwards=True,
        limit=limit,
        shelf=SHELF,
        status=f"{status}#",
    )
    return [read_proposal(row) for row in rows]


def add(_reader: TableReader, change: AddProposal) -> tuple[TransactItem, ...]:
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
    return (put_new(WL_PROPOSALS.name, WL_PROPOSALS.key.names, row),)


def settle(reader: TableReader, change: SettleProposal) -> tuple[TransactItem, ...]:
    """Nobody changes when it was received."""
    row = reader.get(WL_PROPOSALS, SHELF, change.proposal_id) or {"received_at": 0}
    return (
        update(
            WL_PROPOSALS.name,
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


def _filed(status: ProposalStatus, received_at: datetime, proposal_id: str) -> str:
    """Sorts by when it was received, among those of the same status."""
    return f"{status}#{moment(received_at)}{proposal_id}"


def forget(reader: TableReader, contact_key: str) -> None:
    """What somebody asked for by mail goes with them."""
    for row in _all(reader):
        if read_proposal(row).mentions(contact_key):
            _delete(reader, row["proposal_id"])


def forget_person(reader: TableReader, person_id: str) -> None:
    """What became an entry of theirs, though somebody else may have written it."""
    theirs = {entry.id for entry in entries.entries_of(reader, person_id)}
    for row in _all(reader) if theirs else ():
        if row["entry"] in theirs:
            _delete(reader, row["proposal_id"])


def _all(reader: TableReader) -> list[Row]:
    return list(reader.query(WL_PROPOSALS, "shelf = :shelf", shelf=SHELF))


def _delete(reader: TableReader, proposal_id: str) -> None:
    """What was shown elsewhere goes, too."""
    items = (
        delete(WL_PROPOSALS.name, {"shelf": SHELF, "proposal_id": proposal_id}),
        *retract_slack.retract(reader, job_id(REQUEST, proposal_id)),
    )
    reader.client.transact_write_items(TransactItems=[item.wire(reader.prefix) for item in items])


PROPOSAL_WRITES: Writes = {AddProposal: Write(add), SettleProposal: Write(settle)}
