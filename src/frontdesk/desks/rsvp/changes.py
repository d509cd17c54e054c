"""Defines the conditional writes of the RSVP desk; a commit writes the event's row at most once.

`version` is the event's version as read: the write fails if details, settings or state have changed
since. R stands for rev + 1. After each write: free + offered + taken = cap.
"""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventId,
    EventSettings,
    EventState,
    Guest,
    GuestId,
    Offer,
    OfferState,
)
from frontdesk.values import Frozen

# --- the event's row ------------------------------------------------------------------------


class AddEvent(Change):
    """Condition: neither the id nor the slug is in use."""

    event: Event


class WriteEvent(Change):
    """Writes all but the counters; version + 1. Condition: the version as read; the slug is
    free."""

    event_id: EventId
    version: int
    slug: str
    details: Details
    settings: EventSettings
    state: EventState
    sequence: int
    thanks: str
    thanks_sent: bool


class SeatChange(Change):
    event_id: EventId


class TakeSeats(SeatChange):
    """free-n taken+n, and waiting-1 for a guest in line. Condition: version, free >= n,
    owed = 0."""

    version: int
    seats: int
    waited: bool


class JoinLine(SeatChange):
    """waiting+1 owed+1 tickets+1 R. Condition: version, rev as read, free < n or owed > 0."""

    version: int
    seats: int
    rev: int


class SeatFromLine(SeatChange):
    """The host seats a waiting guest: free-n taken+n waiting-1, owed-1 if `owed`, R. Condition:
    version, free >= n, round as read."""

    version: int
    seats: int
    round: int
    owed: bool


class ReleaseSeats(SeatChange):
    """free+n taken-n R; if it `opens` seats also round+1 and owed := waiting.
    Condition: taken and round as read, and free > -n (opens) or free <= -n (still in debt)."""

    seats: int
    taken: int
    round: int
    opens: bool


class RaiseCap(SeatChange):
    """cap+d free+d R; if it `opens` seats also round+1 and owed := waiting.
    Condition: cap and round as read, and free > -d (opens) or free <= -d (still in debt)."""

    cap: int
    by: int
    round: int
    opens: bool


class LowerCap(SeatChange):
    """cap-d free-d R. Condition: cap as read."""

    cap: int
    by: int


class HoldSeats(SeatChange):
    """An offer: free-n offered+n waiting-1 owed-1 R. Condition: version, rev as read, free >= n."""

    version: int
    seats: int
    rev: int


class TakeBackSeats(SeatChange):
    """Takes back a pending offer: offered-n free+n waiting+1 owed+1 R. Condition: rev as read, free
    < 0."""

    seats: int
    rev: int


class NotInDebt(SeatChange):
    """Writes nothing. Condition: version, free >= 0."""

    version: int


class SameEvent(SeatChange):
    """Writes nothing. Condition: version."""

    version: int


class ClaimSeats(SeatChange):
    """offered-n taken+n. Condition: version, room (cap - taken) >= n."""

    version: int
    seats: int


class KeepPlace(SeatChange):
    """A claim with no room left: offered-n free+n waiting+1 owed+1 R. Condition: room < n."""

    seats: int


class ReturnSeats(SeatChange):
    """An offer ends unclaimed: offered-n free+n waiting+1 R. Condition: round as read."""

    seats: int
    round: int


class DropHeldSeats(SeatChange):
    """A guest with an offer cancels or comes with fewer: offered-n free+n R."""

    seats: int


class LeaveLine(SeatChange):
    """waiting-1, owed-1 if `owed`, R. Condition: round as read."""

    round: int
    owed: bool


class LineChanged(SeatChange):
    """Raises R, because a place or a party changed; tickets + `tickets`."""

    tickets: int = 0


# --- guests, offers -------------------------------------------------------------------------


class AddGuest(Change):
    """Condition: this person is not on this event's list yet."""

    guest: Guest


class WriteGuest(Change):
    """Writes the whole row. Condition: the stored version is `guest.version - 1`."""

    guest: Guest


class AddOffer(Change):
    offer: Offer


class MoveOffer(Change):
    """Condition: the offer is in the state `before`."""

    event_id: EventId
    guest_id: GuestId
    seq: int
    before: OfferState
    after: OfferState
    at: datetime
    claim_by: datetime | None = None


class CutOffer(Change):
    """Shortens a live offer. Condition: it is live, and `claim_by` is before its deadline."""

    event_id: EventId
    guest_id: GuestId
    seq: int
    claim_by: datetime


# --- imports -------------------------------------------------------------------------------


class ImportRow(Frozen):
    """One row of an imported list. Its name and address are removed once it is settled."""

    line: int
    name: str
    email: str
    party: int
    outcome: str = ""
    guest_id: str = ""


class AddImport(Change):
    job_id: JobId
    rows: tuple[ImportRow, ...]


class SettleImportRow(Change):
    """Stores the outcome of a row and removes its name and address. Condition: not settled yet."""

    job_id: JobId
    line: int
    outcome: str
    guest_id: str
