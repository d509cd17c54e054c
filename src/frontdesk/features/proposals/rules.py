"""The rules of the proposal commands: the view of each decision."""

from __future__ import annotations

from collections.abc import Mapping

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailId
from frontdesk.engine.desk import Rule
from frontdesk.engine.ports import Reads
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.features.proposals.model import (
    DiscardProposal,
    IgnoreRequest,
    Proposal,
    ProposalId,
    ProposalReads,
    ProposalView,
    Propose,
    ReadingView,
    ReadRequest,
)


def rules(desk: ProposalDesk) -> Mapping[type[Command], Rule]:
    """The rules of all proposal commands except approval, which is the desk's own."""

    def known(reads: Reads, proposal_id: str) -> Proposal | None:
        rows: ProposalReads = reads.desk(desk.code)
        return rows.proposal(ProposalId(proposal_id))

    def reading(reads: Reads, command: Propose | IgnoreRequest) -> ReadingView:
        job = reads.engine.job(command.job_id) if command.job_id else None
        if isinstance(command, Propose):
            found = command.proposal
            return ReadingView(job, known(reads, found.id), _is_kept(reads, found.mail_id))
        return ReadingView(job, known(reads, command.mail_id), _is_kept(reads, command.mail_id))

    def proposal(reads: Reads, command: DiscardProposal) -> ProposalView | None:
        found = known(reads, command.proposal_id)
        return None if found is None else proposal_view(reads, found)

    return {
        desk.read: Rule(_reading_job, desk.read_mail),
        desk.ignore: Rule(reading, desk.ignore_request),
        desk.propose: Rule(reading, desk.make_proposal),
        desk.discard: Rule(proposal, desk.discard_proposal),
    }


def _reading_job(reads: Reads, command: ReadRequest) -> Job | None:
    """The job that already reads this mail, if there is one."""
    return reads.engine.job(command.job_id)


def proposal_view(reads: Reads, proposal: Proposal) -> ProposalView:
    return ProposalView(proposal, _is_kept(reads, proposal.mail_id))


def _is_kept(reads: Reads, mail_id: MailId) -> bool:
    return bool(mail_id) and reads.engine.knows_mail(mail_id)
