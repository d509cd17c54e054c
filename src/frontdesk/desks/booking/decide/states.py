"""States of a booking that several decisions lead to, and the job for its calendars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.desks.booking.decide import timers
from frontdesk.desks.booking.facts import BookingConfirmed
from frontdesk.desks.booking.model import CODE, Booking, BookingStatus
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.views import DeskOptions
from frontdesk.values import replace

#: The kind of the job that reads and writes a booking's calendars.
CALENDAR_JOB: Final = "calendar"
#: DynamoDB writes at most 100 rows in one commit; some changes write two.
MOST_ROWS: Final = 90


def next_version(booking: Booking) -> Booking:
    return replace(booking, version=booking.version + 1)


def after_approval(
    booking: Booking, rules: BookingRules, options: DeskOptions, now: datetime
) -> Booking:
    """The approved booking: claimed if it has calendars to read and write, else confirmed."""
    if has_calendar(booking.resources, rules):
        return replace(booking, status=BookingStatus.CLAIMED, decide_by=None)
    return confirmed(booking, rules, options, now)


def confirmed(
    booking: Booking, rules: BookingRules, options: DeskOptions, now: datetime
) -> Booking:
    return replace(
        booking,
        status=BookingStatus.CONFIRMED,
        decide_by=None,
        reminders=timers.reminders(booking.starts_at, rules, options, now),
    )


def has_calendar(resources: Sequence[ResourceId], rules: BookingRules) -> bool:
    found = (rules.resource(each) for each in resources)
    return any(one.calendars for one in found if one is not None)


def calendar_job(booking: Booking, rules: BookingRules) -> tuple[Change, ...]:
    """The job for a booking whose calendars have to be written, moved or cleared."""
    is_waiting = booking.status is BookingStatus.PENDING
    if is_waiting or not (has_calendar(booking.resources, rules) or booking.calendars):
        return ()
    job_id = JobId(f"{CODE}-{CALENDAR_JOB}-{booking.id}-{booking.version}")
    params = {"sequence": booking.sequence}
    return (AddJob(Job(job_id, CODE, CALENDAR_JOB, booking.id, total=1, params=params)),)


def confirmation(booking: Booking) -> tuple[Fact, ...]:
    """The fact of a confirmed booking; none for any other booking."""
    if booking.status is not BookingStatus.CONFIRMED:
        return ()
    fact = BookingConfirmed(
        booking.id,
        booking.person_id,
        booking.version,
        lane=booking.lane,
        starts_at=booking.starts_at,
        reminders=booking.reminders,
        links=booking.calendars,
    )
    return (fact,)


def within_row_limit(accepted: Accepted) -> Decision:
    """Refuses a claim that writes more rows than a commit may have in both stores."""
    return accepted if accepted.rows <= MOST_ROWS else Refused(Reason.TOO_LONG)
