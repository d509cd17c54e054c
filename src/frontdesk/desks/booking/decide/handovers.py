"""Hands times to the waitlist desk, which offers them, and takes them back.

`settle` reads the current slot of the waitlist desk, so it may run at any time and twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b

from frontdesk.core.decision import Accepted, Decision, DropTimer, Refused
from frontdesk.core.people import Person
from frontdesk.desks.booking import facts, views
from frontdesk.desks.booking.changes import AddBooking, AddHandover, WriteHandover
from frontdesk.desks.booking.commands import SettleHandover, TakeHandover
from frontdesk.desks.booking.decide import tallies, timers
from frontdesk.desks.booking.decide.cells import Grid, WantedPlaces
from frontdesk.desks.booking.decide.claims import OVERBOOKED, local_day
from frontdesk.desks.booking.decide.endings import end_booking
from frontdesk.desks.booking.decide.states import calendar_job, confirmation, confirmed
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    BookingStatus,
    Handover,
    HandoverStatus,
    Lane,
    handover_id,
)
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, Resource
from frontdesk.desks.booking.ticks import Span, span_of, starts_of
from frontdesk.values import Frozen, replace


class OfferedTime(Frozen):
    """A time that the waitlist desk wants to offer."""

    origin: str
    service: str
    staff: str
    starts_at: datetime
    ends_at: datetime
    price_cents: int


def take(view: views.HandoverView, command: TakeHandover, now: datetime) -> Decision:
    """Holds a time for the waitlist desk, before that desk offers it."""
    if view.handover is not None and view.handover.status is not HandoverStatus.RELEASED:
        return Refused(Reason.DONE)
    time = OfferedTime(
        command.origin,
        command.service,
        command.staff,
        command.starts_at,
        command.ends_at,
        command.price_cents,
    )
    return _taken(view, time, now)


def settle(view: views.HandoverView, command: SettleHandover, now: datetime) -> Decision:
    slot, handover = view.slot, view.handover
    status = handover.status if handover else None
    if slot is None or slot.state is views.SlotState.CLOSED:
        if handover is not None and status is HandoverStatus.OPEN:
            return _released(view, handover, now)
        if slot is not None and status is HandoverStatus.BOOKED:
            return _booking_ended(view, slot, now)
        return Refused(Reason.UNCHANGED)
    if slot.state is views.SlotState.BOOKED and status is not HandoverStatus.BOOKED:
        return _booked(view, slot, now)
    if slot.state is views.SlotState.OPEN and status in (None, HandoverStatus.RELEASED):
        taken = _taken(view, _time_of(slot), now)
        if isinstance(taken, Refused) and taken.reason is Reason.TAKEN:
            return Accepted(facts=(facts.HandoverRefused(command.handover_id, slot.id),))
        return taken
    if slot.state is views.SlotState.OPEN and handover is not None:
        return Accepted(timers=(timers.check_handover(handover.id, now),))
    return Refused(Reason.UNCHANGED)


def _time_of(slot: views.WaitlistSlot) -> OfferedTime:
    return OfferedTime(
        slot.origin, slot.service, slot.staff, slot.starts_at, slot.ends_at, slot.price_cents
    )


# --- hold and release -----------------------------------------------------------------------


def resource_named(rules: BookingRules, staff: str) -> Resource | None:
    """Finds the resource of a staff member by the name that the waitlist desk uses."""
    wanted = staff.strip().casefold()
    found = (one for one in rules.resources if wanted in (one.name.casefold(), one.id.casefold()))
    return next(found, None) if wanted else None


def _taken(view: views.HandoverView, time: OfferedTime, now: datetime) -> Decision:
    rules = view.time.rules
    grid = Grid(view.time.cells, now)
    span = _span(rules, time.service, time.starts_at, time.ends_at)
    resources = _resources(rules, time, grid, span)
    if resources is None:
        return Refused(Reason.NO_SUCH_RESOURCE)
    version = view.handover.version + 1 if view.handover else 1
    handover = Handover(
        handover_id(time.origin),
        time.origin,
        time.service,
        time.starts_at,
        time.ends_at,
        tuple(one.id for one in resources),
        tuple(1 for _ in resources),
        span,
        handed_at=now.replace(microsecond=0),
        price_cents=time.price_cents,
        version=version,
    )
    if not grid.take([WantedPlaces(one, span, 1) for one in resources], handover.holder):
        return Refused(Reason.TAKEN)
    row = AddHandover(handover) if view.handover is None else WriteHandover(handover)
    fact = facts.HandoverTaken(handover.id, handover)
    check = timers.check_handover(handover.id, now)
    return Accepted((*grid.changes(), row), (fact,), (check,))


def _span(rules: BookingRules, service: str, starts_at: datetime, ends_at: datetime) -> Span:
    known = rules.service(service)
    before = known.buffer_before if known else timedelta()
    after = known.buffer_after if known else timedelta()
    return span_of(starts_at, ends_at, before, after)


def _resources(
    rules: BookingRules, time: OfferedTime, grid: Grid, span: Span
) -> tuple[Resource, ...] | None:
    """The staff member, and for a known service one resource for each other need."""
    first = resource_named(rules, time.staff)
    if first is None:
        return None
    service = rules.service(time.service)
    others = service.needs[1:] if service else ()
    return first, *(
        one for need in others for one in _first_free(rules, need.anyone_of, grid, span)
    )


def _first_free(
    rules: BookingRules, pool: tuple[str, ...], grid: Grid, span: Span
) -> Iterator[Resource]:
    """Yields the first free resource. If none is free, yields the first, whose time is taken."""
    known = [found for each in pool if (found := rules.resource(each))]
    free = [one for one in known if grid.fits([WantedPlaces(one, span, 1)])]
    yield from (free or known)[:1]


def _released(view: views.HandoverView, handover: Handover, now: datetime) -> Accepted:
    grid = Grid(view.time.cells, now)
    grid.give_up(handover.holder)
    after = replace(
        handover,
        status=HandoverStatus.RELEASED,
        closed_at=now.replace(microsecond=0),
        version=handover.version + 1,
    )
    fact = facts.HandoverReleased(handover.id, handover.span)
    drop = DropTimer(timers.handover_timer(handover.id))
    return Accepted((*grid.changes(), WriteHandover(after)), (fact,), (drop,))


# --- book and end ---------------------------------------------------------------------------


def _booked(view: views.HandoverView, slot: views.WaitlistSlot, now: datetime) -> Decision:
    """Turns the time into a booking. The customer has been promised it, so it is overbooked if the
    handover was lost."""
    rules, person = view.time.rules, view.person
    grid = Grid(view.time.cells, now)
    held = view.handover if view.handover and _is_open(view.handover) else None
    if held is not None:
        grid.give_up(held.holder)
    before, after = _buffers(rules, slot, held)
    span = span_of(slot.starts_at, slot.ends_at, before, after)
    resources = _held_resources(rules, held) or _resources(rules, _time_of(slot), grid, span)
    if person is None or resources is None:
        return Refused(Reason.NO_SUCH_RESOURCE)
    wanted = [WantedPlaces(one, span, one.places(slot.party)) for one in resources]
    booking = replace(
        _booking(slot, person, wanted, rules, now),
        buffer_before=before,
        buffer_after=after,
        overrides=() if grid.fits(wanted) else (OVERBOOKED,),
    )
    booking = confirmed(booking, rules, view.time.options, now)
    grid.take(wanted, booking.holder, overbook=True)
    handover = _closed(view, slot, booking, span, now)
    row = AddHandover(handover) if view.handover is None else WriteHandover(handover)
    return Accepted(
        (
            *grid.changes(),
            row,
            AddBooking(booking),
            *tallies.count(None, booking, rules, now, capped=False),
            *calendar_job(booking, rules),
        ),
        (
            facts.HandoverBooked(handover.id, booking.id),
            facts.BookingMade(
                booking.id, booking.person_id, booking.version, booking.without_person
            ),
            *confirmation(booking),
        ),
        (
            *timers.exchange(None, booking, rules),
            DropTimer(timers.handover_timer(handover.id)),
        ),
    )


def _booking(
    slot: views.WaitlistSlot,
    person: Person,
    wanted: Sequence[WantedPlaces],
    rules: BookingRules,
    now: datetime,
) -> Booking:
    resources = [one.resource for one in wanted]
    return Booking(
        _booking_id(slot.origin),
        person.id,
        slot.service,
        slot.party,
        slot.starts_at,
        slot.ends_at,
        tuple(one.id for one in resources),
        tuple(one.places for one in wanted),
        tuple(one.capacity for one in resources),
        Lane.WAITLIST,
        booked_at=now.replace(microsecond=0),
        local_on=local_day(slot.starts_at, rules.zone),
        price_cents=slot.price_cents,
        name=person.name,
        email=person.email,
        mobile="" if slot.mail_only else person.mobile,
        waitlist_slot=slot.id,
    )


def _booking_id(origin: str) -> BookingId:
    """Derives the id from the slot, so that a repeated command makes no second booking."""
    return BookingId(blake2b(f"slot {origin}".encode(), digest_size=16).hexdigest())


def _is_open(handover: Handover) -> bool:
    return handover.status is HandoverStatus.OPEN


def _buffers(
    rules: BookingRules, slot: views.WaitlistSlot, held: Handover | None
) -> tuple[timedelta, timedelta]:
    """The buffers that the handover holds. The rest of a begun visit has no buffer before it."""
    if held is None:
        known = rules.service(slot.service)
        return (known.buffer_before, known.buffer_after) if known else (timedelta(), timedelta())
    before = held.starts_at - starts_of(held.span.start)
    after = starts_of(held.span.end) - held.ends_at
    return (before if slot.starts_at == held.starts_at else timedelta()), after


def _held_resources(rules: BookingRules, held: Handover | None) -> tuple[Resource, ...] | None:
    if held is None:
        return None
    found = tuple(one for each in held.resources if (one := rules.resource(each)))
    return found if len(found) == len(held.resources) else None


def _closed(
    view: views.HandoverView, slot: views.WaitlistSlot, booking: Booking, span: Span, now: datetime
) -> Handover:
    at = now.replace(microsecond=0)
    known = view.handover or Handover(
        handover_id(slot.origin),
        slot.origin,
        slot.service,
        slot.starts_at,
        slot.ends_at,
        booking.resources,
        booking.places,
        span,
        handed_at=at,
        price_cents=slot.price_cents,
        version=0,
    )
    return replace(
        known,
        status=HandoverStatus.BOOKED,
        booking_id=booking.id,
        closed_at=at,
        version=known.version + 1,
    )


def _booking_ended(view: views.HandoverView, slot: views.WaitlistSlot, now: datetime) -> Decision:
    """Ends the booking whose slot was cancelled or missed at the waitlist desk."""
    booking = view.booking
    if booking is None or not booking.takes_time or booking.waitlist_slot != slot.id:
        return Refused(Reason.UNCHANGED)
    time = view.time
    of = views.BookingView(time.rules, time.options, booking, time.cells)
    status = BookingStatus.NO_SHOW if slot.no_show else BookingStatus.CANCELLED
    kind: type[facts.BookingEnded] = facts.BookingMissed if slot.no_show else facts.BookingCancelled
    origin = slot.next_origin
    return end_booking(of, status, kind, now, offer=bool(origin), by_waitlist=True, origin=origin)
