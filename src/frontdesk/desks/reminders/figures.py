"""Counts outcomes of appointments: confirmed, freed in time and refilled, missed, unanswered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.model import Appointment, AppointmentState
from frontdesk.values import Frozen, replace

#: A time that comes free at least this long before its start can still be filled.
IN_TIME: Final = timedelta(hours=1)


class WeekFigures(Frozen):
    """Counts the appointments of one week by outcome."""

    appointments: int = 0
    """All appointments that were planned for the week."""
    confirmed: int = 0
    freed: int = 0
    """Cancelled early enough to give the time to somebody else."""
    refilled: int = 0
    """Freed times that somebody else has taken."""
    no_shows: int = 0
    quiet: int = 0
    """The number of customers who were asked and never answered."""


def week_figures(rows: Sequence[Appointment], refilled: Iterable[str] = ()) -> WeekFigures:
    """`refilled` are appointments whose time was filled at another desk."""
    elsewhere = frozenset(refilled)
    freed = [one for one in rows if was_freed_in_time(one)]
    return WeekFigures(
        appointments=len(rows),
        confirmed=sum(is_confirmed(one) for one in rows),
        freed=len(freed),
        refilled=sum(one.id in elsewhere or is_refilled(one, rows) for one in freed),
        no_shows=sum(one.state is AppointmentState.NO_SHOW for one in rows),
        quiet=len(quiet_customers(rows)),
    )


def is_confirmed(one: Appointment) -> bool:
    """Whether the customer said that they come. A customer who wishes another time has not."""
    over = (AppointmentState.CAME, AppointmentState.NO_SHOW)
    return one.state is AppointmentState.CONFIRMED or (
        one.state in over and one.answered_at is not None
    )


def was_freed_in_time(one: Appointment) -> bool:
    if one.state is not AppointmentState.CANCELLED or one.closed_at is None:
        return False
    return one.closed_at <= one.starts_at - IN_TIME


def is_refilled(freed: Appointment, rows: Iterable[Appointment]) -> bool:
    """Whether somebody took the time after it came free: with the same staff member, or, if none is
    named, for the same service."""
    return any(_fills(one, freed) for one in rows)


def _fills(one: Appointment, freed: Appointment) -> bool:
    if one.id == freed.id or one.state is AppointmentState.CANCELLED or freed.closed_at is None:
        return False
    if one.booked_at < freed.closed_at:
        return False
    overlaps = one.starts_at < freed.ends_at and freed.starts_at < one.ends_at
    return overlaps and _staff_or_service(one) == _staff_or_service(freed)


def _staff_or_service(one: Appointment) -> tuple[str, str]:
    return (one.staff.casefold(), "") if one.staff else ("", one.service.casefold())


def quiet_customers(rows: Iterable[Appointment]) -> list[PersonId]:
    """Customers who were asked and never answered, ordered by their first appointment."""
    silent = (AppointmentState.EXPECTED, AppointmentState.NO_SHOW)
    found = (
        one.person_id
        for one in rows
        if one.state in silent and one.answered_at is None and was_asked(one)
    )
    return list(dict.fromkeys(found))


def was_asked(one: Appointment) -> bool:
    """Whether the customer got a reminder in this chain. Without one, a missing answer means
    nothing."""
    return one.told_at is not None and one.told_at >= one.booked_at


# --- a customer -----------------------------------------------------------------------------


class CustomerRecord(Frozen):
    visits: int = 0
    no_shows: int = 0
    cancelled: int = 0
    last_seen_at: datetime | None = None
    """The start of the last visit."""


def customer_record(rows: Iterable[Appointment], now: datetime) -> CustomerRecord:
    """Counts a customer's appointments. A past one counts as a visit unless it is marked as missed:
    staff seldom note that a customer came."""
    record = CustomerRecord()
    for one in sorted(rows, key=lambda each: each.starts_at):
        if one.state is AppointmentState.NO_SHOW:
            record = replace(record, no_shows=record.no_shows + 1)
        elif one.state is AppointmentState.CANCELLED:
            record = replace(record, cancelled=record.cancelled + 1)
        elif one.state is AppointmentState.CAME or one.ends_at <= now:
            visits = record.visits + 1
            record = replace(record, visits=visits, last_seen_at=one.starts_at)
    return record
