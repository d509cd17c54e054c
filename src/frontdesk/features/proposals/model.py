"""Proposals, and the commands, changes and views for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NewType, Protocol

from frontdesk.core.decision import Change, Command, Fact
from frontdesk.core.jobs import Job, JobId
from frontdesk.core.mail import MailId
from frontdesk.values import Frozen

ProposalId = NewType("ProposalId", str)


class ProposalStatus(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    DISCARDED = "discarded"


class ReadField(Frozen):
    """A field that was read from a request: its value, the confidence, and the words behind it."""

    name: str
    value: str
    confidence: str
    words: str


class Proposal(Frozen):
    """A request as it was read. It has no effect before staff approve it."""

    id: ProposalId
    mail_id: MailId
    """Empty if it was not read from a mail."""
    sender: str
    """The sender's address; perhaps a colleague who forwarded it."""
    received_at: datetime
    fields: tuple[ReadField, ...]
    asides: tuple[str, ...] = ()
    """Other statements in the request, for staff to read."""
    text: str = ""
    """The part of the request that was read."""
    unread: str = ""
    """A text for staff that explains why a part could not be read."""
    reader: str = "rules"
    status: ProposalStatus = ProposalStatus.OPEN
    entry_id: str = ""
    """The id of what it became."""
    settled_at: datetime | None = None
    origin: str = ""
    """Identifies its source, if that is not a mail."""

    def value(self, name: str) -> str:
        return next((one.value for one in self.fields if one.name == name), "")

    def mentions(self, contact_key: str) -> bool:
        """Whether it contains this address or number anywhere."""
        whole = re.compile(rf"(?<![\w.+-]){re.escape(contact_key)}(?![\w-]|\.\w)", re.IGNORECASE)
        read = (words for one in self.fields for words in (one.value, one.words))
        return any(map(whole.search, (self.sender, self.text, self.unread, *self.asides, *read)))


class Reason(StrEnum):
    UNCHANGED = "unchanged"
    NO_SUCH_PROPOSAL = "no_such_proposal"
    SETTLED = "settled"
    """Somebody has decided about it already."""


# --- commands -------------------------------------------------------------------------------


class ReadRequest(Command):
    """Starts the job that reads a mail."""

    mail_id: MailId

    @property
    def job_id(self) -> JobId:
        """One id per mail, so that it is read once."""
        return JobId(f"read-{self.mail_id}")


class IgnoreRequest(Command):
    mail_id: MailId
    why: str
    job_id: JobId


class Propose(Command):
    proposal: Proposal
    job_id: JobId | None = None
    """The job that read it, which ends with this command."""


class DiscardProposal(Command):
    proposal_id: ProposalId


# --- changes --------------------------------------------------------------------------------


class AddProposal(Change):
    """Adds a proposal. Condition: the id is new."""

    proposal: Proposal


class SettleProposal(Change):
    """Settles a proposal. Condition: it is open."""

    proposal_id: ProposalId
    status: ProposalStatus
    at: datetime
    entry_id: str = ""


# --- reads ----------------------------------------------------------------------------------


class ProposalReads(Protocol):
    def proposal(self, proposal_id: ProposalId) -> Proposal | None: ...
    def proposals(self, status: ProposalStatus, limit: int) -> Sequence[Proposal]:
        """Proposals, the newest first."""


class ReadingView(Frozen):
    """A mail that has been read: its job, and its proposal if there is one."""

    job: Job | None
    proposal: Proposal | None
    mail_kept: bool


class ProposalView(Frozen):
    proposal: Proposal
    mail_kept: bool
    """Whether the mail that it was read from still exists."""


# --- facts ----------------------------------------------------------------------------------


class ProposalFact(Fact):
    proposal_id: ProposalId

    @property
    def subject(self) -> str:
        return self.proposal_id
