"""Requests that came in: written down as read, and on the list only once staff say so."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.mail import SettleMail, Shelf
from frontdesk.desks.waitlist.changes import (
    AddEntry,
    AddProposal,
    EntryAsRead,
    SettleProposal,
    WriteEntry,
)
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal, Propose
from frontdesk.desks.waitlist.decide.entries import join
from frontdesk.desks.waitlist.facts import (
    EntryChanged,
    EntryEdited,
    ProposalApproved,
    ProposalDiscarded,
    ProposalMade,
)
from frontdesk.desks.waitlist.model import Entry, Proposal, ProposalStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ApprovalView, JoinView, ProposalView
from frontdesk.values import replace

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


def approve(view: ApprovalView | None, command: ApproveProposal, now: datetime) -> Decision:
    """On the list and settled in one commit, so that two who press it make one entry."""
    if view is None:
        return Refused(Reason.NO_SUCH_PROPOSAL)
    if view.proposal.status is not ProposalStatus.OPEN:
        return Refused(Reason.SETTLED)
    joined = join(view.join, command.join, now)
    if not command.change and isinstance(joined, Accepted) and _changes_a_waiting_entry(joined):
        return Refused(Reason.ON_THE_LIST)
    if isinstance(joined, Refused):
        if joined.reason is not Reason.UNCHANGED:
            return joined
        joined, entry = _says_the_same(view.join, command.join.wish.service)
    else:
        entry = _became(joined)
    settled = SettleProposal(view.proposal.id, ProposalStatus.APPROVED, now, entry.id)
    theirs = _about_mail(view, SettleMail(view.proposal.mail_id, entry.person_id, APPROVED))
    fact = ProposalApproved(view.proposal.id, entry.id)
    changes = (settled, *theirs, *joined.changes)
    return replace(joined, changes=changes, facts=(fact, *joined.facts))


def _changes_a_waiting_entry(joined: Accepted) -> bool:
    return any(isinstance(fact, EntryChanged | EntryEdited) for fact in joined.facts)


def _became(joined: Accepted) -> Entry:
    return next(
        change.entry for change in joined.changes if isinstance(change, AddEntry | WriteEntry)
    )


def _says_the_same(view: JoinView, service: str) -> tuple[Accepted, Entry]:
    """As an entry that is on the list already, and has to be when this is written."""
    known = view.shop.service(service)
    name = known.name if known else service
    entry = next(one for one in view.entries if one.service == name)
    return Accepted((EntryAsRead(entry.id, entry.version),)), entry


def discard(view: ProposalView | None, _: DiscardProposal, now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_PROPOSAL)
    if view.proposal.status is not ProposalStatus.OPEN:
        return Refused(Reason.SETTLED)
    settled = SettleProposal(view.proposal.id, ProposalStatus.DISCARDED, now)
    aside = SettleMail(view.proposal.mail_id, "", DISCARDED, Shelf.DISCARDED)
    return Accepted((settled, *_about_mail(view, aside)), (ProposalDiscarded(view.proposal.id),))


def _about_mail(view: ProposalView, settled: SettleMail) -> tuple[SettleMail, ...]:
    """A proposal may lie longer than mail is kept."""
    return (settled,) if view.mail_kept else ()
