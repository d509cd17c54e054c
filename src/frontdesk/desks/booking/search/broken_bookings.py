"""Lists existing bookings that new rules would break: time off, closed days, other hours.

A change of the rules cancels nothing by itself. Staff see the list and decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.query import Cause, Filter, Query, Removed
from frontdesk.desks.booking.search.reasons import blackout_reasons, hours_reasons
from frontdesk.desks.booking.search.space import prepare
from frontdesk.desks.booking.ticks import tick_after, tick_at
from frontdesk.values import Frozen


class BrokenBooking(Frozen):
    booking: Booking
    reason: Removed


def broken_bookings(
    bookings: Iterable[Booking], before: BookingRules, after: BookingRules
) -> tuple[BrokenBooking, ...]:
    """The bookings that the rules allowed before and do not allow any more, with the reason.

    Does not list a booking that staff had made against the rules.
    """
    return tuple(
        BrokenBooking(one, reason)
        for one in bookings
        if one.takes_time
        and (reason := next(_against(one, after), None)) is not None
        and next(_against(one, before), None) is None
    )


def _against(booking: Booking, rules: BookingRules) -> Iterator[Removed]:
    """The reasons why the rules forbid a booking. Checks hours and blackouts, not the notice."""
    on = to_wall(booking.starts_at, zone(rules.zone)).date()
    space = prepare(rules, Query(booking.service, on, on), now=booking.starts_at)
    if isinstance(space, Removed):
        yield space
        return
    visit = space.ticks_between(tick_at(booking.starts_at), tick_after(booking.ends_at))
    for each in booking.resources:
        resource = rules.resource(each)
        if resource is None:
            yield Removed(Filter.HOURS, Cause.NOT_QUALIFIED, space.service.line, each)
        else:
            yield from hours_reasons(space, resource, visit)
    yield from blackout_reasons(space, visit)
