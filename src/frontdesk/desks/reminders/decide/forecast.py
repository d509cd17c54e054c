"""Forecasts the messages about a customer's appointments, assuming that nobody answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from frontdesk.desks.reminders.decide.moves import (
    TICK,
    JoinedVisit,
    MoveStep,
    NextMove,
    customer_moves,
    next_move,
    next_tick,
    passed_over,
)
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.model import Appointment, AppointmentId, Window
from frontdesk.values import Frozen, replace


class PlannedMessage(Frozen):
    """A reminder to the customer, or an alert to staff."""

    at: datetime
    appointment: Appointment
    window: Window
    joined: tuple[JoinedVisit, ...] = ()
    """Other visits of the day in the same message."""

    @property
    def together(self) -> tuple[Appointment, ...]:
        return tuple(each.appointment for each in self.joined)

    def window_of(self, appointment_id: AppointmentId) -> Window | None:
        """The window that the message settles for this appointment; None if it does not
        include it."""
        if appointment_id == self.appointment.id:
            return self.window
        found = (each.window for each in self.joined if each.appointment.id == appointment_id)
        return next(found, None)


def planned_messages(
    planner: Planner, appointments: Collection[Appointment], no_shows: int, now: datetime
) -> Iterator[PlannedMessage]:
    """Yields the messages to one customer in order, without an end: the caller stops when it has
    enough."""
    rows, at, handled = {one.id: one for one in appointments}, now, set[AppointmentId]()
    while (look_at := _next_look(planner, rows.values(), no_shows, at, handled)) is not None:
        if look_at > at:
            handled.clear()
        at = look_at
        found = customer_moves(planner, list(rows.values()), at, no_shows)
        after: dict[AppointmentId, Appointment] = {}
        if found.lead is not None and found.window is not None:
            yield PlannedMessage(at, found.lead, found.window, found.joined)
            for each, window in found.windows.items():
                passed = passed_over(planner, rows[each], window, no_shows)
                after[each] = _settled(rows[each], (*passed, window), told_at=at)
        for one, move in found.moves:
            if one.id in after or not move.is_due or move.step is MoveStep.REMIND:
                continue
            if move.step is MoveStep.ALERT:
                yield PlannedMessage(at, one, Window.GAP)
                move = replace(move, skipped=(*move.skipped, Window.GAP))
            after[one.id] = _settled(one, move.skipped)
        rows.update(after)
        handled.update(after)
        if not after:
            at = next_tick(at)


def _settled(
    one: Appointment, windows: tuple[Window, ...], told_at: datetime | None = None
) -> Appointment:
    return replace(one, settled=(*one.settled, *windows), told_at=told_at or one.told_at)


def _next_look(
    planner: Planner,
    rows: Collection[Appointment],
    no_shows: int,
    at: datetime,
    handled: Collection[AppointmentId],
) -> datetime | None:
    """The next instant at which the desk checks the customer. `handled` are the appointments that
    had a move at `at`: their next check is later."""
    told_at = max((one.told_at for one in rows if one.told_at), default=None)
    found: list[datetime] = []
    for one in rows:
        move = next_move(planner, one, at, no_shows=no_shows, told_at=told_at)
        if move.is_due and one.id in handled:
            found.append(next_tick(at))
        elif (look_at := _look_at(planner, one, no_shows, move, at)) is not None:
            found.append(look_at)
    return min(found, default=None)


def _look_at(
    planner: Planner, one: Appointment, no_shows: int, move: NextMove, at: datetime
) -> datetime | None:
    """The next tick that finds something to do, or the appointment's own timer if the tick would be
    too late."""
    if move.is_due:
        windows = planner.open_windows(one, no_shows)
        has_timer = any(each.is_exact and each.due_at == at for each in windows)
        return at if has_timer else _tick_at(at)
    if move.look_at is None:
        return None
    tick_at = _tick_at(move.look_at)
    has_timer = move.is_exact or not planner.allowed.is_allowed(tick_at)
    return move.look_at if has_timer else tick_at


def _tick_at(at: datetime) -> datetime:
    """The tick at this instant, or the next one."""
    return at if at == next_tick(at) - TICK else next_tick(at)
