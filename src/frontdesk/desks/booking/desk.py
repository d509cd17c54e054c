"""Assembles the booking desk for the engine, without its messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from frontdesk.core.decision import Change, Command, Fact
from frontdesk.core.jobs import Job
from frontdesk.core.notes import Note
from frontdesk.desks.booking import changes, commands, documents, facts, load
from frontdesk.desks.booking.decide import (
    bookings,
    calendars,
    endings,
    handovers,
    holds,
    moves,
    requests,
)
from frontdesk.desks.booking.decide.states import CALENDAR_JOB
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.model import CODE, BookingId
from frontdesk.desks.booking.react import REACTIONS, TIMERS
from frontdesk.desks.booking.reasons import Reason
from frontdesk.engine.desk import DeliveryRules, Desk, Rule
from frontdesk.features.wordings.rule import wording_rule

FACTS: Final = tuple(
    kind
    for kind in vars(facts).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and "kind" in vars(kind)
)

CHANGES: Final = tuple(
    kind
    for kind in vars(changes).values()
    if isinstance(kind, type) and issubclass(kind, Change) and kind is not Change
)


def rules(loader: Loader) -> Mapping[type[Command], Rule]:
    return {
        commands.Book: Rule(loader.book, bookings.book),
        commands.ApproveBooking: Rule(loader.booking, bookings.approve),
        commands.DeclineBooking: Rule(loader.booking, bookings.decline),
        commands.LapseBooking: Rule(loader.booking, bookings.lapse),
        commands.EditBooking: Rule(loader.booking, bookings.edit),
        commands.SendBookingLink: Rule(loader.booking, bookings.send_link),
        commands.RemindOfBooking: Rule(loader.booking, bookings.remind),
        commands.MoveBooking: Rule(loader.moving, moves.move),
        commands.CancelBooking: Rule(loader.booking, endings.cancel),
        commands.MarkNoShow: Rule(loader.booking, endings.mark_no_show),
        commands.ConfirmBooking: Rule(loader.calendar, calendars.confirm),
        commands.ReleaseBooking: Rule(loader.calendar, calendars.release),
        commands.NoteCalendarWrite: Rule(loader.calendar, calendars.note_write),
        commands.ReportCalendarTrouble: Rule(loader.calendar, calendars.report_trouble),
        commands.WriteCalendarAgain: Rule(loader.booking, calendars.write_again),
        commands.HoldTime: Rule(loader.holding, holds.hold),
        commands.DropHold: Rule(loader.dropping, holds.drop),
        commands.ForgetHold: Rule(loader.dropping, holds.forget),
        commands.TakeHandover: Rule(loader.taking_over, handovers.take),
        commands.SettleHandover: Rule(loader.settling, handovers.settle),
        commands.ReadMail: Rule(load.reading, requests.read_mail),
        commands.IgnoreMail: Rule(load.reading, requests.ignore_mail),
        commands.SetDirectLane: Rule(load.direct_lane, requests.set_direct_lane),
        commands.RecordRequest: Rule(loader.request, requests.record),
        commands.ChangeRequest: Rule(loader.request, requests.change),
        commands.SetRules: Rule(load.rules, requests.set_rules),
        **documents.RULES,
        commands.RenewFeed: Rule(load.feed_version, requests.renew_feed),
        commands.SetWording: wording_rule(CODE, facts.WordingChanged, Reason.UNCHANGED),
    }


def confirm_without_calendar(job: Job) -> Command:
    """The job without calendars: the claim alone confirms the booking."""
    return commands.ConfirmBooking(BookingId(job.subject), job.id)


def booking_desk(
    delivery: DeliveryRules,
    *,
    loader: Loader | None = None,
    notes: Mapping[type[Fact], Callable[[Any], Note | tuple[Note, ...] | None]] | None = None,
    jobs: Mapping[str, Callable[[Job], Command]] | None = None,
) -> Desk:
    """Builds the desk. `jobs` has a function for each kind of job, which does the outside work and
    returns the command with the result."""
    return Desk(
        code=CODE,
        name="Booking",
        rules=rules(loader or Loader()),
        facts=FACTS,
        changes=CHANGES,
        notes=notes or {},
        delivery=delivery,
        reactions=REACTIONS,
        timers=TIMERS,
        jobs={CALENDAR_JOB: confirm_without_calendar, **(jobs or {})},
        reading_jobs=frozenset({requests.READ_JOB}),
        outside_jobs=frozenset({CALENDAR_JOB}),
    )
