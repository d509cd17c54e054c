"""Notes to customers and staff, made from facts: recipient, urgency and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To, alert
from frontdesk.desks.booking import facts
from frontdesk.desks.booking.model import BookingStatus, Lane, RequestStatus
from frontdesk.features.documents.unclear_mail import unclear_note
from frontdesk.values import replace

#: In these lanes the customer has just asked, so the message goes out at once.
_ANSWERED: Final = frozenset((Lane.FORM, Lane.READING, Lane.WAITLIST))
#: A message about a missed visit is of no use after this time.
_MISSED_FOR: Final = timedelta(days=2)


def booked(fact: facts.BookingMade) -> tuple[Note, ...]:
    """Tells customer and staff about a booking that waits for approval. Other bookings cause notes
    when they are confirmed."""
    if fact.booking.status is not BookingStatus.PENDING:
        return ()
    asked = _to_customer(fact, "requested", Quiet.IGNORE, tell_by=fact.booking.starts_at)
    return asked, _to_staff(fact, "approval_wanted", tell_by=fact.booking.decide_by)


def confirmed(fact: facts.BookingConfirmed) -> tuple[Note, ...]:
    """Tells the customer, and staff unless they made the booking themselves. The waitlist desk
    tells everybody about bookings from its offers."""
    if fact.lane is Lane.WAITLIST:
        return ()
    quiet = Quiet.IGNORE if fact.lane in _ANSWERED else Quiet.HOLD
    to_customer = _to_customer(fact, "confirmed", quiet, tell_by=fact.starts_at)
    if fact.lane is Lane.STAFF:
        return (to_customer,)
    return to_customer, _to_staff(fact, "new_booking", tell_by=fact.starts_at)


def moved(fact: facts.BookingMoved) -> tuple[Note, ...]:
    """Tells about a move, until the later one of both times."""
    last_useful_at = max(fact.starts_at_before, fact.booking.starts_at)
    before = {
        "before": int(fact.starts_at_before.timestamp()),
        "sequence": fact.booking.sequence,
    }
    if fact.by_staff:
        return (_to_customer(fact, "moved_by_staff", Quiet.IGNORE, last_useful_at, **before),)
    return (
        _to_customer(fact, "moved", Quiet.IGNORE, last_useful_at, **before),
        _to_staff(fact, "moved_booking", last_useful_at, **before),
    )


def cancelled(fact: facts.BookingCancelled) -> tuple[Note, ...]:
    if fact.by_waitlist:
        return ()
    return (
        _to_customer(fact, "cancelled", Quiet.IGNORE, fact.starts_at),
        _to_staff(fact, "cancelled_booking", fact.starts_at),
    )


def cancelled_by_staff(fact: facts.BookingCancelledByStaff) -> Note:
    """Sends at once, because the customer may be on the way."""
    return _to_customer(fact, "cancelled_by_staff", Quiet.IGNORE, fact.starts_at)


def missed(fact: facts.BookingMissed) -> Note | None:
    if fact.by_waitlist:
        return None
    return _to_customer(fact, "missed", tell_by=fact.starts_at + _MISSED_FOR)


def declined(fact: facts.BookingDeclined) -> Note:
    return _to_customer(fact, "declined", tell_by=fact.starts_at)


def lapsed(fact: facts.BookingLapsed) -> tuple[Note, ...]:
    return (
        _to_customer(fact, "declined", tell_by=fact.starts_at),
        _to_staff(fact, "approval_lapsed"),
    )


def released(fact: facts.BookingReleased) -> Note:
    return _to_customer(fact, "released", Quiet.IGNORE, fact.starts_at)


def link_asked(fact: facts.LinkAsked) -> Note:
    note = _to_customer(fact, "link", Quiet.IGNORE)
    return replace(note, key=f"bk/{fact.booking_id}/link/{fact.window}")


def reminder(fact: facts.ReminderDue) -> Note:
    note = _to_customer(fact, "reminder", tell_by=fact.starts_at)
    when = f"{fact.seconds_before}/{int(fact.starts_at.timestamp())}"
    return replace(note, key=f"bk/{fact.booking_id}/reminder/{when}")


def calendar_troubled(fact: facts.CalendarTroubled) -> Note | None:
    """Tells staff about the first failure only; the console shows later ones."""
    if fact.again:
        return None
    return _to_staff(fact, "calendar_troubled", calendar=fact.calendar, why=fact.why)


def calendar_unusable(fact: facts.CalendarUnusable) -> Note:
    return _about_calendar(fact, "calendar_unusable", fact.at, why=fact.why)


def calendar_changed(fact: facts.CalendarChanged) -> Note:
    return _about_calendar(fact, "calendar_changed", fact.at, bookings=fact.bookings)


def _about_calendar(
    fact: facts.CalendarUnusable | facts.CalendarChanged,
    kind: str,
    at: datetime,
    **params: str | int,
) -> Note:
    told = {"calendar": fact.calendar, **params}
    return alert("bk", kind, fact.subject, int(at.timestamp()), told)


def request_changed(fact: facts.RequestFact) -> Note | None:
    """Sends proposed times to the customer, and forwarded mail and drafts to the team."""
    match fact.status:
        case RequestStatus.OPEN:
            return _about_request(fact, "proposals", fact.person_id)
        case RequestStatus.DRAFT:
            return _about_request(fact, "request_to_check", To.HOSTS)
        case RequestStatus.FORWARDED:
            return _about_request(fact, "forwarded", To.HOSTS)
        case _:
            return None


def unclear(fact: facts.DocumentUnclear) -> Note:
    return unclear_note("bk", fact)


def _about_request(fact: facts.RequestFact, kind: str, to: str) -> Note:
    return Note(
        kind,
        to=to,
        key=f"bk/{fact.request_id}/{kind}/{fact.version}",
        subject=fact.request_id,
        about=fact.person_id,
        quiet=Quiet.IGNORE,
        params={"version": fact.version},
    )


def _to_customer(
    fact: facts.BookingFact | facts.BookingEnded,
    kind: str,
    quiet: Quiet = Quiet.HOLD,
    tell_by: datetime | None = None,
    **params: str | int,
) -> Note:
    """Notes to the customer. The key contains the version, because a booking may move often."""
    return Note(
        kind,
        to=fact.person_id,
        key=f"bk/{fact.booking_id}/{kind}/{fact.version}",
        subject=fact.booking_id,
        about=fact.person_id,
        quiet=quiet,
        tell_by=tell_by,
        params=params,
    )


def _to_staff(
    fact: facts.BookingFact, kind: str, tell_by: datetime | None = None, **params: str | int
) -> Note:
    about = fact.person_id
    return alert("bk", kind, fact.booking_id, fact.version, params, about=about, tell_by=tell_by)


#: A fact that is not listed here causes no message, on purpose.
NOTES: Final[Mapping[type[Fact], Callable[[Any], Note | tuple[Note, ...] | None]]] = {
    facts.BookingMade: booked,
    facts.BookingConfirmed: confirmed,
    facts.BookingMoved: moved,
    facts.BookingCancelled: cancelled,
    facts.BookingCancelledByStaff: cancelled_by_staff,
    facts.BookingMissed: missed,
    facts.BookingDeclined: declined,
    facts.BookingLapsed: lapsed,
    facts.BookingReleased: released,
    facts.LinkAsked: link_asked,
    facts.ReminderDue: reminder,
    facts.CalendarTroubled: calendar_troubled,
    facts.CalendarUnusable: calendar_unusable,
    facts.CalendarChanged: calendar_changed,
    facts.DocumentUnclear: unclear,
    facts.RequestReceived: request_changed,
    facts.RequestChanged: request_changed,
}
