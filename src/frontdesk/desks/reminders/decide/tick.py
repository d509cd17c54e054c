"""The hourly tick, and the moves that it leads to."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import (
    Accepted,
    Change,
    Decision,
    Fact,
    Refused,
    SetTimer,
    TimerChange,
)
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders import facts
from frontdesk.desks.reminders.changes import (
    AddReminder,
    AppointmentAsRead,
    WriteAppointment,
)
from frontdesk.desks.reminders.commands import LookAtAppointment, PlanTick, RunTick
from frontdesk.desks.reminders.decide import moves
from frontdesk.desks.reminders.decide.summary import with_summary
from frontdesk.desks.reminders.decide.timers import TICK_TIMER, look_timer
from frontdesk.desks.reminders.model import (
    TICK_STATE,
    Appointment,
    AppointmentId,
    Reminder,
    ReminderState,
    TickState,
    Window,
    next_version,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import CustomerView, TickView
from frontdesk.values import replace

#: The most timers of one commit. Each takes two of the 100 writes that DynamoDB allows.
MOST_TIMERS: Final = 30
TOO_LATE: Final = "it would have come too late"
REMINDER_FACTS: Final[dict[Window, type[facts.ReminderFact]]] = {
    kind.window: kind for kind in (facts.FirstReminder, facts.SecondReminder, facts.ThirdReminder)
}


def plan(view: TickView, _: PlanTick, now: datetime) -> Decision:
    """Sets the timers of the tick and of the weekly summary. If one was missed while the machine
    was off, sets it to run at once."""
    if not view.is_on:
        return Refused(Reason.SWITCHED_OFF)
    done_at = view.state.done_at
    is_missed = bool(view.state.cursor) or done_at is None or moves.next_tick(done_at) <= now
    tick = SetTimer(TICK_TIMER, now if is_missed else moves.next_tick(now))
    first = TickState(begun_at=now.replace(microsecond=0))
    is_first = view.state == TickState()
    changes = (WriteSetting(TICK_STATE, view.state, first),) if is_first else ()
    return with_summary(Accepted(changes, timers=(tick,)), view, now)


def run(view: TickView, command: RunTick, now: datetime) -> Decision:
    """Checks one page of appointments. Sets a timer for each one with something due before the next
    tick. If pages are left or the tick was late, it runs again at once."""
    if not view.is_on:
        return Refused(Reason.SWITCHED_OFF)
    now = now.replace(microsecond=0)
    begun = view.state if view.state.cursor else TickState(now, view.state.done_at)
    changes: list[Change] = []
    timers: list[TimerChange] = []
    looked, is_done = 0, view.is_last
    next_tick_at = moves.next_tick(now)
    for appointment in view.page:
        if len(timers) == MOST_TIMERS:
            is_done = False
            break
        looked += 1
        at = _look_at(view, appointment, now, next_tick_at)
        if at is not None:
            changes.append(AppointmentAsRead(appointment.id, appointment.version))
            timers.append(SetTimer(look_timer(appointment.id), at))
    found = begun.found + len(timers)
    cursor = cursor_of(view.page[looked - 1]) if looked else begun.cursor
    after = replace(begun, cursor=cursor, looked=begun.looked + looked, found=found)
    if is_done:
        after = replace(after, cursor="", done_at=now)
    is_in_time = now - command.due_at < moves.TICK
    timers.append(SetTimer(TICK_TIMER, moves.next_tick(now) if is_done and is_in_time else now))
    return Accepted((WriteSetting(TICK_STATE, view.state, after), *changes), timers=tuple(timers))


def cursor_of(appointment: Appointment) -> str:
    """The position of an appointment in the order of starts."""
    return f"{int(appointment.starts_at.timestamp())}/{appointment.id}"


def _look_at(
    view: TickView, appointment: Appointment, now: datetime, next_tick_at: datetime
) -> datetime | None:
    planner, no_shows = view.planner, view.no_shows.get(appointment.person_id, 0)
    if moves.can_wait_for_tick(planner, appointment, next_tick_at, no_shows):
        return None
    move = moves.next_move(planner, appointment, now, no_shows=no_shows)
    return moves.timer_at(planner, move, now, next_tick_at)


# --- one customer ---------------------------------------------------------------------------


def look(view: CustomerView | None, _: LookAtAppointment, now: datetime) -> Decision:
    """Makes the next move of a customer. The commit writes or compares all their rows."""
    if view is None:
        return Refused(Reason.NO_SUCH_APPOINTMENT)
    now = now.replace(microsecond=0)
    found = moves.customer_moves(view.planner, view.appointments, now, view.no_shows)
    commit = CustomerCommit(view, found, now)
    for appointment, move in found.moves:
        commit.take(appointment, move)
    return commit.accepted()


class CustomerCommit:
    """Collects the changes and facts of one customer's moves."""

    def __init__(self, view: CustomerView, found: moves.CustomerMoves, now: datetime) -> None:
        self._view = view
        self._found = found
        self._now = now
        self._changes: list[Change] = []
        self._facts: list[Fact] = []
        self._timers: list[TimerChange] = []
        self._windows = found.windows

    def take(self, appointment: Appointment, move: moves.NextMove) -> None:
        lead = self._found.lead
        if lead is not None and appointment.id in self._windows:
            self._remind(appointment, lead.id, self._windows[appointment.id])
        elif move.step is moves.MoveStep.ALERT:
            self._alert(appointment, move)
        elif move.skipped:
            self._skip(appointment, move)
        else:
            self._wait(appointment, move)

    def accepted(self) -> Decision:
        if not self._facts and not self._timers:
            return Refused(Reason.NOTHING_DUE)
        return Accepted(tuple(self._changes), tuple(self._facts), tuple(self._timers))

    def _remind(self, appointment: Appointment, lead: AppointmentId, window: Window) -> None:
        skipped = moves.passed_over(self._view.planner, appointment, window, self._view.no_shows)
        after = self._write(appointment, (*skipped, window), told_at=self._now)
        self._row(after, window, ReminderState.DUE, lead)
        named = (after.id, after.person_id, after.version)
        if after.id == lead:
            together = tuple(sorted(each for each in self._windows if each != lead))
            kind = REMINDER_FACTS[window]
            span = (self._now, after.chain, after.starts_at)
            self._facts.insert(0, kind(*named, *span, together, skipped))
        else:
            self._facts.append(facts.RemindedTogether(*named, self._now, window, lead, skipped))
        for each in skipped:
            self._row(after, each, ReminderState.SKIPPED, after.id, "a later one says the same")
        self._next_timer(after, self._now)

    def _alert(self, appointment: Appointment, move: moves.NextMove) -> None:
        after = self._write(appointment, (*move.skipped, Window.GAP))
        self._row(after, Window.GAP, ReminderState.DUE, after.id)
        self._rows_skipped(after, move)
        span = (self._now, after.chain, after.starts_at)
        fact = facts.GapFound(after.id, after.person_id, after.version, *span, move.skipped)
        self._facts.append(fact)
        self._next_timer(after)

    def _skip(self, appointment: Appointment, move: moves.NextMove) -> None:
        after = self._write(appointment, move.skipped)
        self._rows_skipped(after, move)
        named = (after.id, after.person_id, after.version)
        self._facts.append(facts.WindowsSkipped(*named, move.skipped, TOO_LATE))
        self._timer(after, move)

    def _wait(self, appointment: Appointment, move: moves.NextMove) -> None:
        """Compares the row, because the moves of the other appointments depend on it."""
        self._changes.append(AppointmentAsRead(appointment.id, appointment.version))
        self._timer(appointment, move)

    def _next_timer(self, after: Appointment, told_at: datetime | None = None) -> None:
        """Sets a timer if a window is due before the next tick."""
        planner, no_shows = self._view.planner, self._view.no_shows
        move = moves.next_move(planner, after, self._now, no_shows=no_shows, told_at=told_at)
        self._timer(after, move)

    def _timer(self, appointment: Appointment, move: moves.NextMove) -> None:
        waiting = replace(move, step=moves.MoveStep.NOTHING, skipped=())
        at = moves.timer_at(self._view.planner, waiting, self._now, moves.next_tick(self._now))
        if at is not None and at > self._now:
            self._timers.append(SetTimer(look_timer(appointment.id), at))

    def _write(
        self,
        appointment: Appointment,
        settled: tuple[Window, ...],
        told_at: datetime | None = None,
    ) -> Appointment:
        after = replace(
            next_version(appointment),
            settled=(*appointment.settled, *settled),
            told_at=told_at or appointment.told_at,
        )
        self._changes.append(WriteAppointment(after))
        return after

    def _rows_skipped(self, after: Appointment, move: moves.NextMove) -> None:
        for window in move.skipped:
            self._row(after, window, ReminderState.SKIPPED, after.id, TOO_LATE)

    def _row(
        self,
        after: Appointment,
        window: Window,
        state: ReminderState,
        lead: AppointmentId,
        why: str = "",
    ) -> None:
        reminder = Reminder(
            after.id,
            window,
            after.chain,
            after.person_id,
            after.starts_at,
            state,
            self._now,
            lead,
            why,
            self._found.window if lead != after.id and self._found.window != window else None,
        )
        self._changes.append(AddReminder(reminder))
