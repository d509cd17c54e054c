"""Doctor checks of the booking desk: cells, capacities, tallies, timers, records, the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

from frontdesk.desks.booking.decide.timers import handover_timer
from frontdesk.desks.booking.invariants import (
    capacity_problems,
    cell_problems,
    is_open,
    request_problems,
    tally_problems,
    timer_problems,
)
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingRequest, Handover, RequestId
from frontdesk.desks.booking.notes import NOTES
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.replay import booking_differs, handover_differs, request_differs
from frontdesk.engine.inspection import (
    MANY,
    AuditDifferences,
    CheckResult,
    DeskChecks,
    InspectableStore,
    RowCount,
    every_row,
    kinds_of,
    unreadable_facts,
)

#: The capacity in older ticks is not checked: it may have changed since.
_HISTORY: Final = timedelta(days=1)


def examine(view: InspectableStore, now: datetime, _settled: bool) -> CheckResult:
    bk = booking_reads(view.reads)
    bookings, handovers = list(every_booking(bk)), list(every_handover(bk))
    requests = list(every_request(bk))
    timers, rules, cells = view.inspection.timers(), bk.rules(), bk.every_cell()
    problems = [
        *cell_problems(cells, bookings, handovers),
        *capacity_problems(cells, bookings, rules, now - _HISTORY),
        *tally_problems(bk.every_tally(), bookings),
        *(each for one in bookings for each in timer_problems(one, rules, timers, now)),
        *(
            f"handover {one.id} is open, and nothing looks at it again"
            for one in handovers
            if is_open(one) and handover_timer(one.id) not in timers
        ),
        *request_problems(bookings, requests),
        *audit_problems(bk, bookings, handovers, requests),
    ]
    return CheckResult(tuple(problems), (RowCount(len(bookings), "booking"),))


def audit_problems(
    bk: BookingReads,
    bookings: list[Booking],
    handovers: list[Handover],
    requests: list[BookingRequest],
) -> Iterator[str]:
    """Replays the audit of each booking, handover and request."""
    others = {one.id: one for one in requests}
    for booking in bookings:
        facts = bk.facts(booking.id, limit=MANY)
        given = others.pop(RequestId(booking.id), None)
        yield from (unreadable := unreadable_facts(facts))
        if not unreadable:
            yield from booking_differs(booking, facts)
            yield from request_differs(given, facts) if given else ()
    for handover in handovers:
        yield from handover_differs(handover, bk.facts(handover.id, limit=MANY))
    for request in others.values():
        yield from request_differs(request, bk.facts(request.id, limit=MANY))


def rebuild(
    view: InspectableStore, _now: datetime, _progress: Callable[[int, int], None]
) -> AuditDifferences:
    bk = booking_reads(view.reads)
    bookings, handovers = list(every_booking(bk)), list(every_handover(bk))
    found = list(audit_problems(bk, bookings, handovers, list(every_request(bk))))
    return AuditDifferences("booking", found, tuple(found))


def every_booking(bk: BookingReads) -> Iterator[Booking]:
    return every_row(lambda limit, after: bk.bookings(limit=limit, after=after))


def every_handover(bk: BookingReads) -> Iterator[Handover]:
    return every_row(lambda limit, after: bk.handovers(limit=limit, after=after))


def every_request(bk: BookingReads) -> Iterator[BookingRequest]:
    return every_row(lambda limit, after: bk.all_requests(limit=limit, after=after))


CHECKS: Final = DeskChecks(followed={"bk.tell": kinds_of(NOTES)}, examine=examine, rebuild=rebuild)
