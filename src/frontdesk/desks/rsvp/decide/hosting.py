"""Decides the host's commands: events, cap, line, check-in, imports and thanks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from frontdesk.core.decision import Accepted, Decision, DropTimer, Refused
from frontdesk.core.jobs import AddJob, Job, JobId
from frontdesk.core.localtime import BadZone, zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.rsvp import changes, commands, facts
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.seats import confirmation, confirmed, refuse_if_closed
from frontdesk.desks.rsvp.model import (
    SAVED_DEFAULTS,
    Details,
    Event,
    EventSettings,
    EventState,
    Seats,
    State,
)
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import EventView, GuestView
from frontdesk.values import replace

LARGEST_CAP = 1_000_000


def create(view: EventView, command: commands.CreateEvent, now: datetime) -> Decision:
    if view.slug_owner is not None:
        return Refused(Reason.ADDRESS_IN_USE)
    if not _times_are_good(command.details):
        return Refused(Reason.BAD_TIMES)
    if not 0 <= command.cap <= LARGEST_CAP:
        return Refused(Reason.BAD_CAP)
    seats = Seats(cap=command.cap, free=command.cap)
    event = Event(command.event_id, command.slug, command.details, command.settings, seats)
    fact = facts.EventCreated(
        event.id, slug=event.slug, details=event.details, settings=event.settings, cap=command.cap
    )
    return Accepted((changes.AddEvent(event),), (fact,), timers.event_timers(event, now))


def edit(view: EventView, command: commands.EditEvent, now: datetime) -> Decision:
    """Changes the event at once. If needed, a job then tells the guests and moves their
    reminders."""
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if event.version != command.version:
        return Refused(Reason.EDITED_MEANWHILE)
    if event.state is EventState.CALLED_OFF:
        return Refused(Reason.CALLED_OFF)
    if view.slug_owner is not None and view.slug_owner.id != event.id:
        return Refused(Reason.ADDRESS_IN_USE)
    if not _times_are_good(command.details):
        return Refused(Reason.BAD_TIMES)
    if is_moved_to_the_past(event.details, command.details, now):
        return Refused(Reason.IN_THE_PAST)
    edited = replace(event, slug=command.slug, details=command.details, settings=command.settings)
    if edited == event:
        return Refused(Reason.UNCHANGED)

    moved = guests_are_told(event.details, edited.details, now)
    retimed = moved or _reminders_move(event, edited)
    again = event.details.starts_at <= now < edited.details.starts_at
    if again:
        edited = replace(edited, thanks="", thanks_sent=False)
    edited = replace(
        edited, version=event.version + 1, sequence=event.sequence + (1 if moved else 0)
    )
    fact = facts.EventEdited(
        event.id,
        slug=edited.slug,
        details=edited.details,
        settings=edited.settings,
        version=edited.version,
        sequence=edited.sequence,
        moved=moved,
        retimed=retimed,
    )
    accepted = Accepted((event_write(edited),), (fact,), timers.event_timers(edited, now))
    if not retimed:
        return accepted
    words = {"tell": int(moved), "sequence": edited.sequence, "again": int(again)}
    return _with_job(accepted, event, command.job_id, "retime", view.guests, words)


def call_off(view: EventView, command: commands.CallOff, now: datetime) -> Decision:
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if event.state is EventState.CALLED_OFF:
        return Refused(Reason.CALLED_OFF)
    if now >= event.details.ends_at:
        return Refused(Reason.BEGUN)
    off = replace(
        event,
        state=EventState.CALLED_OFF,
        version=event.version + 1,
        sequence=event.sequence + 1,
    )
    fact = facts.EventCalledOff(
        event.id, version=off.version, sequence=off.sequence, words=command.words
    )
    drop = (
        DropTimer(timers.headcount_timer(event.id)),
        DropTimer(timers.over_timer(event.id)),
    )
    words: dict[str, str | int] = {"sequence": off.sequence, "words": command.words}
    accepted = Accepted((event_write(off),), (fact,), drop)
    return _with_job(accepted, event, command.job_id, "call_off", view.guests, words)


def set_cap(view: EventView, command: commands.SetCap, _now: datetime) -> Decision:
    """Changes the cap. New seats go to the line first. Lowering the cap takes seats from nobody."""
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if not 0 <= command.cap <= LARGEST_CAP:
        return Refused(Reason.BAD_CAP)
    seats, by = event.seats, command.cap - event.seats.cap
    if by == 0:
        return Refused(Reason.UNCHANGED)
    opens = by > 0 and seats.free > -by
    change = (
        changes.RaiseCap(event.id, seats.cap, by, round=seats.round, opens=opens)
        if by > 0
        else changes.LowerCap(event.id, seats.cap, -by)
    )
    fact = facts.CapChanged(
        event.id,
        before=seats.cap,
        after=command.cap,
        freed=opens,
        round=seats.round + 1 if opens else seats.round,
    )
    return Accepted((change,), (fact,))


def seat_from_the_line(
    view: GuestView | None, _: commands.SeatFromTheLine, now: datetime
) -> Decision:
    """Seats a waiting guest ahead of the others, if enough seats are free."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.WAITING:
        return Refused(Reason.NOT_WAITING)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if event.seats.free < guest.party:
        return Refused(Reason.FULL)
    told_at = timers.told_at(event, now, asked=False)
    reminders = timers.reminders(event, guest.id, now, told_at)
    left_out = timers.left_out(event, now, told_at)
    seated = confirmed(replace(guest, version=guest.version + 1), timers.names(reminders))
    take = changes.SeatFromLine(
        event.id,
        event.version,
        guest.party,
        round=event.seats.round,
        owed=guest.seen < event.seats.round,
    )
    return Accepted(
        (take, changes.WriteGuest(seated)),
        (replace(confirmation(seated, State.WAITING, left_out=left_out), by_host=True),),
        reminders,
    )


def move_in_line(view: GuestView | None, command: commands.MoveInLine, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.WAITING:
        return Refused(Reason.NOT_WAITING)
    lowest, _highest = view.line_ends
    ticket = lowest - 1 if command.to_front else event.seats.tickets + 1
    lapsed = guest.lapsed and not command.to_front
    if guest.ticket == lowest and command.to_front and not guest.lapsed:
        return Refused(Reason.UNCHANGED)
    moved = replace(guest, ticket=ticket, lapsed=lapsed, version=guest.version + 1)
    fact = facts.GuestMovedInLine(event.id, guest.id, moved.version, ticket=ticket, lapsed=lapsed)
    line = changes.LineChanged(event.id, tickets=0 if command.to_front else 1)
    return Accepted((line, changes.WriteGuest(moved)), (fact,))


def resend_link(view: GuestView | None, command: commands.ResendLink, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    guest = replace(view.guest, version=view.guest.version + 1)
    if guest.state is State.CANCELLED:
        return Refused(Reason.ALREADY_CANCELLED)
    fact = facts.LinkResent(
        guest.event_id,
        guest.id,
        guest.version,
        state=guest.state,
        nth=guest.version,
        by_guest=command.by_guest,
    )
    return Accepted((changes.WriteGuest(guest),), (fact,))


def check_in(view: GuestView | None, command: commands.CheckIn, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    guest = view.guest
    if guest.state is not State.CONFIRMED:
        return Refused(Reason.NOT_CONFIRMED)
    if not 0 <= command.arrived <= guest.party:
        return Refused(Reason.PARTY_TOO_LARGE)
    if command.arrived == guest.arrived:
        return Refused(Reason.UNCHANGED)
    here = replace(guest, arrived=command.arrived, version=guest.version + 1)
    fact = facts.GuestArrived(guest.event_id, guest.id, here.version, arrived=here.arrived)
    return Accepted((changes.WriteGuest(here),), (fact,))


def begin_import(view: EventView, command: commands.BeginImport, now: datetime) -> Decision:
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if not command.rows:
        return Refused(Reason.NOTHING_TO_DO)
    accepted = Accepted((changes.AddImport(command.job_id, command.rows),))
    words = {"invite": int(command.invite)}
    return _with_job(accepted, event, command.job_id, "import", len(command.rows), words)


def draft_thanks(view: EventView, _: commands.DraftThanks, now: datetime) -> Decision:
    """Drafts the thank-you note once, after the event. If its timer fires early, sets it again."""
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if event.state is EventState.CALLED_OFF:
        return Refused(Reason.CALLED_OFF)
    if now < event.details.ends_at:
        return Accepted(timers=timers.event_timers(event, now))
    if event.thanks or event.thanks_sent:
        return Refused(Reason.UNCHANGED)
    drafted = replace(event, thanks=view.draft, version=event.version + 1)
    return Accepted(
        (event_write(drafted),), (facts.ThanksDrafted(event.id, sequence=event.sequence),)
    )


def edit_thanks(view: EventView, command: commands.EditThanks, _now: datetime) -> Decision:
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if event.thanks_sent:
        return Refused(Reason.ALREADY_SENT)
    return Accepted(
        (event_write(replace(event, thanks=command.words, version=event.version + 1)),),
    )


def send_thanks(view: EventView, command: commands.SendThanks, now: datetime) -> Decision:
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if event.thanks_sent:
        return Refused(Reason.ALREADY_SENT)
    if now < event.details.ends_at:
        return Refused(Reason.NOT_OVER)
    sent = replace(event, thanks=command.words, thanks_sent=True, version=event.version + 1)
    accepted = Accepted((event_write(sent),))
    return _with_job(accepted, event, command.job_id, "thanks", view.guests, {})


def set_defaults(view: EventSettings, command: commands.SetDefaults, _now: datetime) -> Decision:
    return Accepted((WriteSetting(SAVED_DEFAULTS, view, command.settings),))


def event_write(event: Event) -> changes.WriteEvent:
    """Builds the write of the event's row without its counters. `event.version` is the new one."""
    return changes.WriteEvent(
        event.id,
        version=event.version - 1,
        slug=event.slug,
        details=event.details,
        settings=event.settings,
        state=event.state,
        sequence=event.sequence,
        thanks=event.thanks,
        thanks_sent=event.thanks_sent,
    )


def _with_job(
    accepted: Accepted,
    event: Event,
    job_id: JobId,
    kind: str,
    guests: int,
    words: Mapping[str, str | int],
) -> Accepted:
    job = Job(job_id, "ev", kind, event.id, total=guests, params=words)
    fact = facts.JobBegun(event.id, job_id=job_id, job=kind, guests=guests)
    return Accepted((AddJob(job), *accepted.changes), (*accepted.facts, fact), accepted.timers)


def _times_are_good(details: Details) -> bool:
    try:
        zone(details.zone)
    except BadZone:
        return False
    return details.starts_at < details.ends_at


def guests_are_told(before: Details, after: Details, now: datetime) -> bool:
    """Whether guests are told of a change: of a new name, time or place, unless the event is over
    before and after it."""
    is_news = replace(before, description="") != replace(after, description="")
    return is_news and now < max(before.ends_at, after.ends_at)


def is_moved_to_the_past(before: Details, after: Details, now: datetime) -> bool:
    """Whether an event that has not begun would get a start in the past."""
    return after.starts_at <= now < before.starts_at


def _reminders_move(before: Event, after: Event) -> bool:
    was, now = before.settings, after.settings
    return (was.reminders, was.quiet, was.reminder_gap) != (
        now.reminders,
        now.quiet,
        now.reminder_gap,
    )
