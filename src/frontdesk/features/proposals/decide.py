"""Decisions about requests: each is read once, becomes a proposal, and is settled once."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.jobs import AddJob, Job, end_reading
from frontdesk.core.mail import MailFolder, SettleMail
from frontdesk.features.proposals.model import (
    AddProposal,
    DiscardProposal,
    IgnoreRequest,
    ProposalStatus,
    ProposalView,
    Propose,
    ReadingView,
    ReadRequest,
    Reason,
    SettleProposal,
)
from frontdesk.values import Frozen, replace

#: The kind of the job that reads a mail.
KIND: Final = "read"
DISCARDED: Final = "discarded"


class ProposalDesk(Frozen, kw_only=True):
    """A desk's commands, changes and facts for proposals, and the decisions that use them."""

    code: str
    # Its commands
    read: type[ReadRequest]
    ignore: type[IgnoreRequest]
    propose: type[Propose]
    discard: type[DiscardProposal]
    # Its changes
    add: type[AddProposal]
    settle: type[SettleProposal]
    # Its facts
    ignored: type[Any]
    """Has `mail_id` and `why`."""
    made: type[Any]
    """Has `proposal_id` and `mail_id`."""
    approved: type[Any]
    """Has `proposal_id` and the id of what it became."""
    discarded: type[Any]
    """Has `proposal_id`."""
    # Outcomes that are noted on the mail
    read_outcome: str
    approved_outcome: str
    discarded_to: MailFolder | None = None
    """The folder for mail of discarded proposals; None leaves it where it is."""

    def read_mail(self, view: Job | None, command: ReadRequest, _now: datetime) -> Decision:
        if view is not None:
            return Refused(Reason.UNCHANGED)
        return Accepted((AddJob(Job(command.job_id, self.code, KIND, command.mail_id, total=1)),))

    def make_proposal(self, view: ReadingView, command: Propose, _now: datetime) -> Decision:
        """Adds a proposal. A mail that is read twice makes one proposal."""
        done, proposal = end_reading(view.job), command.proposal
        if view.proposal is not None:
            return Accepted(done) if done else Refused(Reason.UNCHANGED)
        mail = SettleMail(proposal.mail_id, "", self.read_outcome)
        read = (mail,) if proposal.mail_id else ()
        return Accepted(
            (self.add(proposal), *read, *done), (self.made(proposal.id, proposal.mail_id),)
        )

    def ignore_request(self, view: ReadingView, command: IgnoreRequest, _now: datetime) -> Decision:
        """Ends the job of a mail without a request: a machine wrote it, or it cannot be read."""
        done = end_reading(view.job)
        if not done:
            return Refused(Reason.UNCHANGED)
        if not view.mail_kept:
            return Accepted(done)
        settled = SettleMail(command.mail_id, "", command.why)
        return Accepted((*done, settled), (self.ignored(command.mail_id, command.why),))

    def approve(
        self, view: ProposalView, done: Accepted, entry_id: str, person_id: str, now: datetime
    ) -> Accepted:
        """Adds to `done` that the proposal is settled, in the same commit. If two people approve
        at the same time, only one approval takes effect."""
        settled = self.settle(view.proposal.id, ProposalStatus.APPROVED, now, entry_id)
        mail = SettleMail(view.proposal.mail_id, person_id, self.approved_outcome)
        changes = (settled, *_about_mail(view, mail), *done.changes)
        facts = (self.approved(view.proposal.id, entry_id), *done.facts)
        return replace(done, changes=changes, facts=facts)

    def discard_proposal(
        self, view: ProposalView | None, _command: DiscardProposal, now: datetime
    ) -> Decision:
        if view is None:
            return Refused(Reason.NO_SUCH_PROPOSAL)
        if view.proposal.status is not ProposalStatus.OPEN:
            return Refused(Reason.SETTLED)
        settled = self.settle(view.proposal.id, ProposalStatus.DISCARDED, now)
        mail = SettleMail(view.proposal.mail_id, "", DISCARDED, self.discarded_to)
        return Accepted((settled, *_about_mail(view, mail)), (self.discarded(view.proposal.id),))


def _about_mail(view: ProposalView, settled: SettleMail) -> tuple[SettleMail, ...]:
    """Settles the mail if it still exists; a proposal may be kept longer."""
    return (settled,) if view.mail_kept else ()
