"""Requests that came in: written down as read, and on the list only once staff say so."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.mail import SettleMail
from frontdesk.desks.waitlist.changes import AddEntry, AddProposal, SettleProposal, WriteEntry
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal, Propose
from frontdesk.desks.waitlist.decide.entries import join
from frontdesk.desks.waitlist.facts import ProposalApproved, ProposalDiscarded, ProposalMade
from frontdesk.desks.waitlist.model import Entry, Proposal, ProposalStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import JoinView, ProposalView

#: What became of a mail.
READ: Final = "read for the waitlist"
APPROVED: Final = "on the waitlist"
DISCARDED: Final = "discarded"


def propose(view: Proposal | None, command: Propose, _now: datetime) -> Decision:
    """A mail that is read twice makes one proposal."""
    if view is not None:
        return Refused(Reason.UNCHANGED)
    proposal = command.proposal
    read = SettleMail(proposal.mail_id, "", READ)
    fact = ProposalMade(proposal.id, proposal.mail_id)
    return Accepted((AddProposal(proposal), read), (fact,))


def approve(view: ProposalView | None, command: ApproveProposal, now: datetime) -> Decision:
    """On the list and settled in one commit, so that two who press it make one entry."""
    if view is None:
        return Refused(Reason.NO_SUCH_PROPOSAL)
    if view.proposal.status is not ProposalStatus.OPEN:
        return Refused(Reason.SETTLED)
    joined = join(view.join, command.join, now)
    if isinstance(joined, Refused):
        if joined.reason is not Reason.UNCHANGED:
            return joined
        joined = Accepted()
    entry = _became(joined, view.join, command.join.wish.service)
    settled = SettleProposal(view.proposal.id, ProposalStatus.APPROVED, now, entry.id)
    theirs = SettleMail(view.proposal.mail_id, entry.person_id, APPROVED)
    fact = ProposalApproved(view.proposal.id, entry.id)
    changes = (settled, theirs, *joined.changes)
    return replace(joined, changes=changes, facts=(fact, *joined.facts))


def _became(joined: Accepted, view: JoinView, service: str) -> Entry:
    """The entry that it became, or that says the same already."""
    for change in joined.changes:
        if isinstance(change, AddEntry | WriteEntry):
            return change.entry
    known = view.shop.service(service)
    name = known.name if known else service
    return next(one for one in view.entries if one.service == name)


def discard(view: Proposal | None, _: DiscardProposal, now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_PROPOSAL)
    if view.status is not ProposalStatus.OPEN:
        return Refused(Reason.SETTLED)
    settled = SettleProposal(view.id, ProposalStatus.DISCARDED, now)
    mail = SettleMail(view.mail_id, "", DISCARDED)
    return Accepted((settled, mail), (ProposalDiscarded(view.id),))
