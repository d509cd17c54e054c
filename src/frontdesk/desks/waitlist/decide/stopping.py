"""Stops all offers to a person, and allows them again after they have talked to staff."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.waitlist.changes import WriteEntry
from frontdesk.desks.waitlist.commands import ResumeOffers, StopOffers
from frontdesk.desks.waitlist.facts import EntryResumed, EntryStopped
from frontdesk.desks.waitlist.model import Entry, EntryStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import JoinView
from frontdesk.values import replace


def stop(view: JoinView, _: StopOffers, _now: datetime) -> Decision:
    """Stops offers for every entry. Joining again by any lane does not lift it."""
    stopped = [_stopped(one) for one in view.entries if not one.wants_no_offers]
    if not stopped:
        return Refused(Reason.UNCHANGED if view.entries else Reason.NO_SUCH_ENTRY)
    return Accepted(
        tuple(WriteEntry(one) for one in stopped),
        tuple(EntryStopped(one.id, one.version, booked=one.no_more) for one in stopped),
    )


def _stopped(entry: Entry) -> Entry:
    """A booked entry stays booked and is marked instead."""
    if entry.status is EntryStatus.BOOKED:
        return replace(entry, no_more=True, version=entry.version + 1)
    return replace(entry, status=EntryStatus.STOPPED, version=entry.version + 1)


def resume(view: JoinView, _: ResumeOffers, _now: datetime) -> Decision:
    """Allows offers again. It puts nobody back on the list."""
    resumed = [_resumed(one) for one in view.entries if one.wants_no_offers]
    if not resumed:
        return Refused(Reason.UNCHANGED if view.entries else Reason.NO_SUCH_ENTRY)
    return Accepted(
        tuple(WriteEntry(one) for one in resumed),
        tuple(EntryResumed(one.id, one.version) for one in resumed),
    )


def _resumed(entry: Entry) -> Entry:
    status = EntryStatus.BOOKED if entry.no_more else EntryStatus.LEFT
    return replace(entry, status=status, no_more=False, version=entry.version + 1)
