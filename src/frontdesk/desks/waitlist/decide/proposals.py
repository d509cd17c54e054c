"""Decides about requests, and about stopping all offers to a person."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.mail import MailFolder
from frontdesk.desks.waitlist import changes, commands, facts
from frontdesk.desks.waitlist.decide.entries import join
from frontdesk.desks.waitlist.model import Entry, EntryStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ApprovalView, JoinView
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.values import replace

PROPOSALS: Final = ProposalDesk(
    code="wl",
    read=commands.ReadRequest,
    ignore=commands.IgnoreRequest,
    propose=commands.Propose,
    discard=commands.DiscardProposal,
    add=changes.AddProposal,
    settle=changes.SettleProposal,
    ignored=facts.RequestIgnored,
    made=facts.ProposalMade,
    approved=facts.ProposalApproved,
    discarded=facts.ProposalDiscarded,
    read_outcome="read for the waitlist",
    approved_outcome="on the waitlist",
    discarded_to=MailFolder.DISCARDED,
)

#: A text stops several people in one commit, and no store writes more than 100 rows in it.
STOPPED_AT_ONCE: Final = 4


def approve(
    view: ApprovalView | None, command: commands.ApproveProposal, now: datetime
) -> Decision:
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
    return PROPOSALS.approve(view, joined, entry.id, entry.person_id, now)


def _changes_a_waiting_entry(joined: Accepted) -> bool:
    return any(isinstance(fact, facts.EntryChanged | facts.EntryEdited) for fact in joined.facts)


def _became(joined: Accepted) -> Entry:
    return next(
        change.entry
        for change in joined.changes
        if isinstance(change, changes.AddEntry | changes.WriteEntry)
    )


def _says_the_same(view: JoinView, service: str) -> tuple[Accepted, Entry]:
    """The entry that already says the same, with the condition that it does not change."""
    known = view.catalogue.service(service)
    name = known.name if known else service
    entry = next(one for one in view.entries if one.service == name)
    return Accepted((changes.EntryAsRead(entry.id, entry.version),)), entry


def stop(view: JoinView, command: commands.StopOffers, _now: datetime) -> Decision:
    """Stops offers for every entry. Joining again by any lane does not lift it. A text from a
    number that was not confirmed stops none: it may be a stranger's, and offers go by mail. A
    follower stops those that are too many for one commit."""
    person = view.person
    if command.by_text and person and all(one.is_told_by_mail(person) for one in view.entries):
        return Refused(Reason.UNCHANGED)
    left = [one for one in view.entries if not one.wants_no_offers]
    stopped = [_stopped(one) for one in left[:STOPPED_AT_ONCE]]
    if not stopped:
        return Refused(Reason.UNCHANGED if view.entries else Reason.NO_SUCH_ENTRY)
    return Accepted(
        tuple(changes.WriteEntry(one) for one in stopped),
        tuple(facts.EntryStopped(one.id, one.version, booked=one.no_more) for one in stopped),
    )


def _stopped(entry: Entry) -> Entry:
    """A booked entry stays booked and is marked instead."""
    if entry.status is EntryStatus.BOOKED:
        return replace(entry, no_more=True, version=entry.version + 1)
    return replace(entry, status=EntryStatus.STOPPED, version=entry.version + 1)


def resume(view: JoinView, _: commands.ResumeOffers, _now: datetime) -> Decision:
    """Allows offers again. It puts nobody back on the list."""
    resumed = [_resumed(one) for one in view.entries if one.wants_no_offers]
    if not resumed:
        return Refused(Reason.UNCHANGED if view.entries else Reason.NO_SUCH_ENTRY)
    return Accepted(
        tuple(changes.WriteEntry(one) for one in resumed),
        tuple(facts.EntryResumed(one.id, one.version) for one in resumed),
    )


def _resumed(entry: Entry) -> Entry:
    status = EntryStatus.BOOKED if entry.no_more else EntryStatus.LEFT
    return replace(entry, status=status, no_more=False, version=entry.version + 1)
