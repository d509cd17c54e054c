"""Decides after the job for calendars: confirms, releases, notes the events, or tries again."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Change, Decision, DropTimer, Fact, Refused, SetTimer
from frontdesk.core.jobs import AdvanceJob, Job
from frontdesk.desks.booking.changes import WriteBooking
from frontdesk.desks.booking.commands import (
    ConfirmBooking,
    NoteCalendarWrite,
    ReleaseBooking,
    ReportCalendarTrouble,
    WriteCalendarAgain,
)
from frontdesk.desks.booking.decide import timers
from frontdesk.desks.booking.decide.endings import end_booking
from frontdesk.desks.booking.decide.states import (
    calendar_job,
    confirmation,
    confirmed,
    next_version,
)
from frontdesk.desks.booking.facts import (
    BookingReleased,
    CalendarRetried,
    CalendarTroubled,
    CalendarWritten,
)
from frontdesk.desks.booking.model import Booking, BookingStatus, CalendarLink
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.views import BookingView, CalendarView
from frontdesk.values import replace

LONGEST_WHY = 300


def confirm(view: CalendarView | None, command: ConfirmBooking, now: datetime) -> Decision:
    """Confirms a claimed booking. If it moved or ended meanwhile, only notes the events."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if _is_done(view):
        return Refused(Reason.DONE)
    if not _is_confirmable(view):
        return _noted(view, command.links)
    before = view.booking.booking
    after = _confirmed(view.booking, command.links or before.calendars, now)
    return Accepted(
        (WriteBooking(after), *_finished(view.job)),
        (*confirmation(after),),
        (*timers.exchange(before, after, view.booking.rules), _no_retry(after)),
    )


def _is_confirmable(view: CalendarView) -> bool:
    booking = view.booking.booking
    is_current = view.job is None or view.job.params.get("sequence") == booking.sequence
    return booking.status is BookingStatus.CLAIMED and is_current


def _confirmed(view: BookingView, links: tuple[CalendarLink, ...], now: datetime) -> Booking:
    after = confirmed(next_version(view.booking), view.rules, view.options, now)
    return replace(after, calendars=links, calendar_tries=0)


def release(view: CalendarView | None, command: ReleaseBooking, now: datetime) -> Decision:
    """Releases a claimed booking. The calendar is busy, so the time is not offered to others."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if _is_done(view):
        return Refused(Reason.DONE)
    booking = view.booking.booking
    if booking.status is not BookingStatus.CLAIMED:
        return _noted(view, booking.calendars)
    gone = end_booking(view.booking, BookingStatus.RELEASED, BookingReleased, now, offer=False)
    why = command.why[:LONGEST_WHY]
    facts = tuple(
        replace(fact, why=why) if isinstance(fact, BookingReleased) else fact for fact in gone.facts
    )
    return replace(gone, changes=(*gone.changes, *_finished(view.job)), facts=facts)


def note_write(view: CalendarView | None, command: NoteCalendarWrite, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    return Refused(Reason.DONE) if _is_done(view) else _noted(view, command.links)


def _noted(view: CalendarView, links: tuple[CalendarLink, ...]) -> Accepted:
    """Notes the events. If the booking changed meanwhile, starts the job again."""
    before = view.booking.booking
    after = next_version(replace(before, calendars=links, calendar_tries=0))
    is_behind = any(each.written_sequence < before.sequence for each in links)
    is_current = view.job is None or view.job.params.get("sequence") == before.sequence
    again = calendar_job(after, view.booking.rules) if is_behind and not is_current else ()
    fact = CalendarWritten(after.id, after.person_id, after.version, links)
    return Accepted(
        (WriteBooking(after), *_finished(view.job), *again), (fact,), (_no_retry(after),)
    )


def report_trouble(
    view: CalendarView | None, command: ReportCalendarTrouble, now: datetime
) -> Decision:
    """Confirms the booking without its event, and tries to write it later."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if _is_done(view):
        return Refused(Reason.DONE)
    before = view.booking.booking
    links = command.links or before.calendars
    tries = before.calendar_tries + 1
    if _is_confirmable(view):
        after = replace(_confirmed(view.booking, links, now), calendar_tries=tries)
    else:
        after = next_version(replace(before, calendars=links, calendar_tries=tries))
    trouble = CalendarTroubled(
        after.id,
        after.person_id,
        after.version,
        calendar=command.calendar[:LONGEST_WHY],
        why=command.why[:LONGEST_WHY],
        links=links,
        again=before.calendar_tries,
    )
    is_new = after.status is not before.status
    facts: tuple[Fact, ...] = (*(confirmation(after) if is_new else ()), trouble)
    retry = SetTimer(timers.calendar_timer(after.id), timers.retry_at(before.calendar_tries, now))
    return Accepted(
        (WriteBooking(after), *_finished(view.job)),
        facts,
        (*timers.exchange(before, after, view.booking.rules), retry),
    )


def write_again(view: BookingView | None, _: WriteCalendarAgain, now: datetime) -> Decision:
    """Starts the job again, unless the visit is over."""
    if view is None:
        return Refused(Reason.NO_SUCH_BOOKING)
    if now >= view.booking.ends_at and view.booking.takes_time:
        return Refused(Reason.ENDED)
    after = next_version(view.booking)
    jobs = calendar_job(after, view.rules)
    if not jobs:
        return Refused(Reason.UNCHANGED)
    fact = CalendarRetried(after.id, after.person_id, after.version)
    return Accepted((WriteBooking(after), *jobs), (fact,))


def _is_done(view: CalendarView) -> bool:
    return view.job is not None and view.job.finished


def _finished(job: Job | None) -> tuple[Change, ...]:
    if job is None:
        return ()
    return (AdvanceJob(job.id, before=job.cursor, cursor="done", done=1, finished=True),)


def _no_retry(booking: Booking) -> DropTimer:
    return DropTimer(timers.calendar_timer(booking.id))
