"""Decides about requests, and about stopping all offers to a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import dropwhile, islice
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.mail import MailFolder
from frontdesk.desks.waitlist import changes, commands, facts
from frontdesk.desks.waitlist.decide.entries import join
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus
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

#: The most entries in one commit: a text stops several people in one, and no store writes more than
#: 100 rows.
ENTRIES_AT_ONCE: Final = 4


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
        entry = _entry_of(joined)
    return PROPOSALS.approve(view, joined, entry.id, entry.person_id, now)


def _changes_a_waiting_entry(joined: Accepted) -> bool:
    return any(isinstance(fact, facts.EntryChanged | facts.EntryEdited) for fact in joined.facts)


def _entry_of(joined: Accepted) -> Entry:
    return next(
        change.entry
        for change in joined.changes
        if isinstance(change, changes.AddEntry | changes.WriteEntry)
    )


def _says_the_same(view: JoinView, service: str) -> tuple[Accepted, Entry]:
    """The entry that has the same wish already, with the condition that it does not change."""
    known = view.catalogue.service(service)
    name = known.name if known else service
    entry = next(one for one in view.entries if one.service == name)
    return Accepted((changes.EntryAsRead(entry.id, entry.version),)), entry


def stop(view: JoinView, command: commands.StopOffers, _now: datetime) -> Decision:
    """Stops offers for every entry. Joining again does not lift this. A text from an unconfirmed
    number has no effect, because a stranger may have sent it."""
    person = view.person
    if command.by_text and person and all(one.is_told_by_mail(person) for one in view.entries):
        return Refused(Reason.UNCHANGED)
    return _next_step(view.entries, command.after, stops=True)


def resume(view: JoinView, command: commands.ResumeOffers, _now: datetime) -> Decision:
    """Allows offers again. Puts nobody back on the list."""
    return _next_step(view.entries, command.after, stops=False)


def _next_step(entries: Sequence[Entry], after: EntryId, *, stops: bool) -> Decision:
    """Stops or resumes a few entries. A follower continues after each of them.

    If a stop and a resumption overlap, the one that started later wins: both go through all entries
    in the same order, and a step runs only if the entry before it is still as the previous step
    left it.
    """
    start = next((place for place, one in enumerate(entries, 1) if one.id == after), 0)
    before = entries[start - 1 : start] if start else ()
    is_overtaken = after and not any(one.wants_no_offers is stops for one in before)
    left = dropwhile(lambda one: one.wants_no_offers is stops, entries[start:])
    step = () if is_overtaken else tuple(islice(left, ENTRIES_AT_ONCE))
    if not step:
        return Refused(Reason.UNCHANGED if entries else Reason.NO_SUCH_ENTRY)
    same = (*before, *(one for one in step if one.wants_no_offers is stops))
    change = _stopped if stops else _resumed
    changed = [change(one) for one in step if one.wants_no_offers is not stops]
    return Accepted(
        (
            *(changes.EntryAsRead(one.id, one.version) for one in same),
            *(changes.WriteEntry(one) for one in changed),
        ),
        tuple(_fact_of(one) for one in changed),
    )


def _stopped(entry: Entry) -> Entry:
    """The stopped entry. A booked one stays booked and is marked."""
    if entry.status is EntryStatus.BOOKED:
        return replace(entry, no_more=True, version=entry.version + 1)
    return replace(entry, status=EntryStatus.STOPPED, version=entry.version + 1)


def _resumed(entry: Entry) -> Entry:
    status = EntryStatus.BOOKED if entry.no_more else EntryStatus.LEFT
    return replace(entry, status=status, no_more=False, version=entry.version + 1)


def _fact_of(entry: Entry) -> facts.EntryStopped | facts.EntryResumed:
    if entry.wants_no_offers:
        return facts.EntryStopped(entry.id, entry.version, booked=entry.no_more)
    return facts.EntryResumed(entry.id, entry.version)
