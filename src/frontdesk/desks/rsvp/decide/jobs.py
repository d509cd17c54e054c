"""Decides reminders, headcounts, import rows, queued sign-ups and steps of long jobs."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import (
    Accepted,
    Change,
    Decision,
    DropTimer,
    Fact,
    Refused,
    SetTimer,
    TimerChange,
    TimerName,
)
from frontdesk.core.jobs import AdvanceJob, Job
from frontdesk.desks.rsvp.changes import (
    CutOffer,
    ImportRow,
    MoveOffer,
    ReturnSeats,
    SettleImportRow,
    WriteGuest,
)
from frontdesk.desks.rsvp.commands import (
    QueueSignUp,
    Remind,
    ReportHeadcount,
    SignUp,
    StepJob,
    TakeImportRow,
)
from frontdesk.desks.rsvp.decide import timers
from frontdesk.desks.rsvp.decide.incoming_mail import find_or_add_person
from frontdesk.desks.rsvp.decide.seats import largest_party, refuse_if_closed, sign_up
from frontdesk.desks.rsvp.facts import (
    GuestConfirmed,
    GuestInvited,
    GuestRetimed,
    GuestToldOfCallOff,
    HeadcountDue,
    ReminderDue,
    SignUpWrittenDown,
    ThanksDue,
)
from frontdesk.desks.rsvp.model import Event, EventState, Guest, Lane, OfferState, State, open_until
from frontdesk.desks.rsvp.offer_facts import OfferShortened, OfferTakenBack
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import EventView, GuestView, ImportView, JobView, SeatRequest
from frontdesk.values import replace

#: The most guests that one step of a job reads.
STEP = 20
#: The most rows that one step writes. No store accepts more than 100 in a commit.
MOST_ROWS = 80


def remind(view: GuestView | None, command: Remind, now: datetime) -> Decision:
    """Records a due reminder for a confirmed guest. If a newer reminder is due too, it supersedes
    this one."""
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    event, guest = view.event, view.guest
    if guest.state is not State.CONFIRMED or command.timer not in guest.reminders:
        return Refused(Reason.NOT_CONFIRMED)
    if refusal := refuse_if_closed(event, now):
        return _remind_too_late(guest, command) if refusal.reason is Reason.BEGUN else refusal
    due: dict[str, datetime] = {
        timers.reminder_timer(guest.id, name): at for name, at in timers.reminder_times(event)
    }
    if command.timer not in due:
        return Refused(Reason.NOTHING_TO_DO)
    if now < due[command.timer]:
        return Accepted(timers=(SetTimer(TimerName(command.timer), due[command.timer]),))

    left = tuple(name for name in guest.reminders if name != command.timer)
    reminded = replace(guest, reminders=left, version=guest.version + 1)
    newer = any(due[command.timer] < due[name] <= now for name in left if name in due)
    fact = ReminderDue(
        event.id,
        guest.id,
        reminded.version,
        timer=command.timer,
        rule=command.timer.rpartition("/")[2],
        due_at=due[command.timer],
        superseded=newer,
    )
    return Accepted((WriteGuest(reminded),), (fact,))


def _remind_too_late(guest: Guest, command: Remind) -> Accepted:
    """Records that the timer fired after the start, so that no reminder is sent."""
    left = tuple(name for name in guest.reminders if name != command.timer)
    over = replace(guest, reminders=left, version=guest.version + 1)
    fact = ReminderDue(
        guest.event_id,
        guest.id,
        over.version,
        timer=command.timer,
        rule=command.timer.rpartition("/")[2],
        due_at=command.due_at,
        superseded=True,
        begun=True,
    )
    return Accepted((WriteGuest(over),), (fact,))


def report_headcount(view: EventView, command: ReportHeadcount, now: datetime) -> Decision:
    """Reports the headcount if the host wants the daily mail, and sets the timer for the next
    morning."""
    event = view.event
    if event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := refuse_if_closed(event, now):
        return refusal
    if now < command.due_at:
        return Accepted(timers=(SetTimer(timers.headcount_timer(event.id), command.due_at),))
    due = timers.next_headcount_at(event, now)
    again = () if due is None else (SetTimer(timers.headcount_timer(event.id), due),)
    facts = (HeadcountDue(event.id, due_at=command.due_at),) if event.settings.daily_mail else ()
    return Accepted(facts=facts, timers=again)


def take_import_row(view: ImportView, command: TakeImportRow, now: datetime) -> Decision:
    """Decides one import row like any sign-up, and records the outcome with the row."""
    job, row = view.job, view.row
    if job is None or job.finished:
        return Refused(Reason.JOB_DONE)
    if row is None:
        return Accepted((AdvanceJob(job.id, job.cursor, job.cursor, job.done, finished=True),))
    assert view.request.event is not None
    request = SignUp(
        view.request.event.id,
        command.guest_id,
        command.person_id,
        row.name,
        row.email,
        row.party,
        Lane.IMPORT,
        invite=bool(job.params.get("invite")),
    )
    decision = sign_up(view.request, request, now)
    settled = _settle(job, row, decision, view.request.guest)
    if isinstance(decision, Refused):
        return Accepted(settled)
    return replace(decision, changes=(*decision.changes, *settled))


def _settle(
    job: Job, row: ImportRow, decision: Decision, known: Guest | None
) -> tuple[Change, ...]:
    guest_id = "" if known is None else known.id
    match decision:
        case Refused(reason):
            outcome = str(reason)
        case Accepted(facts=(GuestConfirmed() as fact, *_)):
            outcome, guest_id = "confirmed", fact.guest_id
        case Accepted(facts=(GuestInvited() as fact, *_)):
            outcome, guest_id = "invited", fact.guest_id
        case Accepted(facts=(fact, *_)):
            outcome, guest_id = "waitlisted", fact.about
        case _:
            raise AssertionError("an accepted seat request has a fact")
    return (
        SettleImportRow(job.id, row.line, outcome, guest_id),
        AdvanceJob(job.id, job.cursor, str(row.line), job.done + 1, finished=False),
    )


def step_job(view: JobView, _: StepJob, now: datetime) -> Decision:
    """Processes the next guests of a job. The step ends before it writes too many rows. It also
    ends after a guest whose offer is returned, because a commit may write the event's row only
    once."""
    job, event = view.job, view.event
    if job is None or job.finished:
        return Refused(Reason.JOB_DONE)
    assert event is not None
    changes: list[Change] = []
    facts: list[Fact] = []
    timer_changes: list[TimerChange] = []
    done = rows = 0
    cursor = job.cursor
    for guest in view.guests:
        part = _for_one(job, event, guest, now)
        if (rows := rows + part.rows) > MOST_ROWS:
            break
        changes += part.changes
        facts += part.facts
        timer_changes += part.timers
        cursor, done = guest.id, done + 1
        if any(isinstance(change, ReturnSeats) for change in part.changes):
            break
    finished = done == len(view.guests) < STEP
    changes.append(AdvanceJob(job.id, job.cursor, cursor, job.done + done, finished=finished))
    return Accepted(tuple(changes), tuple(facts), tuple(timer_changes))


def _for_one(job: Job, event: Event, guest: Guest, now: datetime) -> Accepted:
    if guest.state is State.CANCELLED:
        return Accepted()
    match job.kind:
        case "retime":
            return _retime(job, event, guest, now)
        case "call_off":
            return _tell_of_call_off(event, guest, now)
        case "thanks":
            return _thank(event, guest)
        case _:
            raise AssertionError(f"no such job: {job.kind}")


def _retime(job: Job, event: Event, guest: Guest, now: datetime) -> Accepted:
    """Sets the reminders that are still to come. Shortens a live offer that would end after the new
    start."""
    tell, again = bool(job.params["tell"]), bool(job.params.get("again"))
    set_timers: tuple[SetTimer, ...] = ()
    dropped: tuple[DropTimer, ...] = ()
    changes: tuple[Change, ...] = ()
    offers: tuple[Fact, ...] = ()
    left_out: tuple[str, ...] = ()
    if guest.state is State.CONFIRMED and event.state is EventState.OPEN:
        told_at = timers.told_at(event, now, asked=False) if tell else guest.joined_at or now
        set_timers = timers.reminders(event, guest.id, now, told_at)
        left_out = timers.left_out(event, now, told_at)
        kept = {timer.name for timer in set_timers}
        dropped = tuple(drop for drop in timers.drop_reminders(guest) if drop.name not in kept)
        guest = replace(
            guest,
            reminders=timers.names(set_timers),
            arrived=0 if again else guest.arrived,
            version=guest.version + 1,
        )
        changes = (WriteGuest(guest),)
    elif outlives := _offer_outlives_start(event, guest):
        guest = replace(guest, claim_by=outlives, version=guest.version + 1)
        changes = (WriteGuest(guest), CutOffer(event.id, guest.id, guest.seq, outlives))
        set_timers = (SetTimer(timers.offer_timer(guest.id, guest.seq), outlives),)
        offers = (
            OfferShortened(event.id, guest.id, guest.version, seq=guest.seq, claim_by=outlives),
        )
    elif not tell:
        return Accepted()
    fact = GuestRetimed(
        event.id,
        guest.id,
        guest.version,
        reminders=guest.reminders,
        tell=tell,
        sequence=int(job.params["sequence"]),
        state=guest.state,
        again=again,
        left_out=left_out,
    )
    return Accepted(changes, (*offers, fact), (*dropped, *set_timers))


def _offer_outlives_start(event: Event, guest: Guest) -> datetime | None:
    """Returns the new deadline of a live offer that would end after the event's start."""
    until = open_until(event, guest)
    return None if until is None or until == guest.claim_by else until


def _tell_of_call_off(event: Event, guest: Guest, now: datetime) -> Accepted:
    told = replace(guest, reminders=(), version=guest.version + 1)
    given_back = Accepted()
    if guest.state is State.OFFERED:
        told = replace(told, state=State.WAITING, live=False, claim_by=None, seen=event.seats.round)
        given_back = _give_back(event, guest, now)
    fact = GuestToldOfCallOff(
        event.id, guest.id, told.version, state=guest.state, sequence=event.sequence
    )
    return Accepted(
        (WriteGuest(told), *given_back.changes),
        (*given_back.facts, fact),
        (*timers.drop_reminders(guest), *given_back.timers),
    )


def _give_back(event: Event, guest: Guest, now: datetime) -> Accepted:
    was = OfferState.LIVE if guest.live else OfferState.PENDING
    return Accepted(
        (
            ReturnSeats(event.id, guest.party, round=event.seats.round),
            MoveOffer(event.id, guest.id, guest.seq, was, OfferState.WITHDRAWN, at=now),
        ),
        (
            OfferTakenBack(
                event.id,
                guest.id,
                guest.version + 1,
                seq=guest.seq,
                seats=guest.party,
                seen=event.seats.round,
                was_live=False,
            ),
        ),
        (DropTimer(timers.offer_timer(guest.id, guest.seq)),),
    )


def _thank(event: Event, guest: Guest) -> Accepted:
    if guest.state is not State.CONFIRMED:
        return Accepted()
    fact = ThanksDue(guest.event_id, guest.id, guest.version, sequence=event.sequence)
    return Accepted(facts=(fact,))


def queue_sign_up(view: SeatRequest, command: QueueSignUp, now: datetime) -> Decision:
    """Stores the request as a fact. Writes only new rows, so it cannot conflict with
    other guests."""
    if view.event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if refusal := refuse_if_closed(view.event, now):
        return refusal
    if not 1 <= command.party <= largest_party(view.event, command.lane):
        return Refused(Reason.PARTY_TOO_LARGE)
    people, person_id = find_or_add_person(view, command)
    fact = SignUpWrittenDown(
        command.event_id, command.guest_id, person_id, command.party, command.lane
    )
    return Accepted(people, (fact,))
