"""The next move for one appointment, and for a customer with all their appointments.

An appointment, its chain so far, the rules and the time lead to one move: nothing, a reminder, an
alert to staff. A timer only asks; these functions decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.reminders.decide.windows import DueWindow, Planner
from frontdesk.desks.reminders.figures import was_asked
from frontdesk.desks.reminders.model import REMINDERS, Appointment, Window
from frontdesk.values import Frozen

#: A reminder later than this is of no use, unless its window is shorter.
LATEST: Final = timedelta(hours=1)
#: The customer has this time to answer a reminder before staff are alerted.
TIME_TO_ANSWER: Final = timedelta(minutes=30)
#: A message about more visits than this would not be read.
MOST_TOGETHER: Final = 10
TICK: Final = timedelta(hours=1)


class MoveStep(StrEnum):
    NOTHING = "nothing"
    REMIND = "remind"
    ALERT = "alert"


class NextMove(Frozen):
    """The next move for one appointment."""

    step: MoveStep = MoveStep.NOTHING
    window: Window | None = None
    skipped: tuple[Window, ...] = ()
    """Windows that pass without a message."""
    look_at: datetime | None = None
    """The instant at which it has to be looked at again, if nothing is done now."""
    is_exact: bool = False
    """Whether the hourly tick would be too late."""

    @property
    def is_due(self) -> bool:
        return self.step is not MoveStep.NOTHING or bool(self.skipped)


NOTHING: Final = NextMove()


def next_move(
    planner: Planner,
    appointment: Appointment,
    now: datetime,
    *,
    no_shows: int = 0,
    told_at: datetime | None = None,
) -> NextMove:
    """Decides about one appointment. `told_at` is the last reminder of the customer for any of
    their appointments."""
    if not appointment.is_unanswered or now >= appointment.starts_at:
        return NOTHING
    open_ = list(planner.open_windows(appointment, no_shows))
    may_remind = not planner.is_paused
    reminders = [each for each in open_ if each.window is not Window.GAP and may_remind]
    due = [each for each in reminders if each.due_at <= now]
    later = next((each for each in reminders if each.due_at > now), None)
    alert = next((each for each in open_ if each.window is Window.GAP), None)
    if due:
        told_at = _last(told_at, appointment.told_at)
        move = _remind(planner, appointment, due, later, told_at, now)
        if move.step is MoveStep.REMIND:
            return move
        return _with_alert(planner, appointment, alert, now, move)
    waits = _until(later) if later else NOTHING
    return _with_alert(planner, appointment, alert, now, waits)


def _remind(
    planner: Planner,
    appointment: Appointment,
    due: Sequence[DueWindow],
    later: DueWindow | None,
    told_at: datetime | None,
    now: datetime,
) -> NextMove:
    """If several windows are due after a missed tick, only the last one causes a message."""
    last, earlier = due[-1], tuple(each.window for each in due[:-1])
    at = _may_go_at(planner, appointment, told_at, now)
    if _is_useless(appointment, last, later, at):
        return NextMove(skipped=(*earlier, last.window), look_at=later.due_at if later else None)
    if at > now:
        return NextMove(skipped=earlier, look_at=at, is_exact=True)
    return NextMove(MoveStep.REMIND, last.window, earlier)


def _may_go_at(
    planner: Planner, appointment: Appointment, told_at: datetime | None, now: datetime
) -> datetime:
    """The first instant outside quiet hours and holidays with the least gaps kept."""
    rules = planner.rules
    at = max(now, appointment.booked_at + rules.after_booking)
    if told_at is not None:
        at = max(at, told_at + rules.least_gap)
    return planner.allowed.next_allowed(at)


def _is_useless(
    appointment: Appointment, last: DueWindow, later: DueWindow | None, at: datetime
) -> bool:
    """Too close to the start, or not before the next reminder."""
    planned = appointment.starts_at - last.due_at
    least = min(LATEST, planned / 2)
    is_late = appointment.starts_at - at < least
    return is_late or (later is not None and later.due_at <= at)


def _with_alert(
    planner: Planner,
    appointment: Appointment,
    alert: DueWindow | None,
    now: datetime,
    move: NextMove,
) -> NextMove:
    """Adds the alert to staff, if it is the next thing."""
    if alert is None or appointment.told_at is None or not was_asked(appointment):
        return move
    at = max(alert.due_at, appointment.told_at + TIME_TO_ANSWER)
    if at <= now:
        at = planner.alert_at(appointment.starts_at, now)
        if at <= now:
            return NextMove(MoveStep.ALERT, Window.GAP, move.skipped)
    if move.look_at is not None and move.look_at <= at:
        return move
    is_exact = alert.is_exact or at > alert.due_at
    return NextMove(skipped=move.skipped, look_at=at, is_exact=is_exact)


def _until(later: DueWindow) -> NextMove:
    return NextMove(look_at=later.due_at, is_exact=later.is_exact)


def _last(*instants: datetime | None) -> datetime | None:
    return max((each for each in instants if each is not None), default=None)


# --- the tick -------------------------------------------------------------------------------


def has_time(
    planner: Planner, appointment: Appointment, next_tick_at: datetime, no_shows: int
) -> bool:
    """Whether `next_move` and `timer_at` would find nothing before the next tick, because no window
    is due by then. A shortcut for most appointments.
    """
    if not appointment.is_unanswered:
        return True
    settled = appointment.settled
    for each in planner.windows(appointment, no_shows):
        if each.due_at < next_tick_at and each.window not in settled:
            return False
    return True


def timer_at(
    planner: Planner, move: NextMove, now: datetime, next_tick_at: datetime
) -> datetime | None:
    """When the appointment must be checked by a timer of its own; None if the next tick is early
    enough.
    """
    if move.is_due:
        return now
    at = move.look_at
    if at is None or at >= next_tick_at:
        return None
    return at if move.is_exact or not planner.allowed.is_allowed(next_tick_at) else None


def next_tick(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0) + TICK


# --- a customer -----------------------------------------------------------------------------


class CustomerMoves(Frozen):
    """The moves for all appointments of one customer: one message at most."""

    lead: Appointment | None = None
    window: Window | None = None
    together: tuple[Appointment, ...] = ()
    """Other appointments on the day of the lead, in the same message."""
    moves: tuple[tuple[Appointment, NextMove], ...] = ()
    """The move of each appointment by itself."""


def customer_moves(
    planner: Planner, appointments: Sequence[Appointment], now: datetime, no_shows: int
) -> CustomerMoves:
    told_at = _last(*(each.told_at for each in appointments))
    moves = tuple(
        (each, next_move(planner, each, now, no_shows=no_shows, told_at=told_at))
        for each in sorted(appointments, key=lambda one: (one.starts_at, one.id))
    )
    lead, window = next(
        ((each, move.window) for each, move in moves if move.step is MoveStep.REMIND), (None, None)
    )
    if lead is None or window is None:
        return CustomerMoves(moves=moves)
    day = local_day(planner, lead)
    others = (each for each, _ in moves if each.id != lead.id)
    together = tuple(
        each
        for each in others
        if local_day(planner, each) == day
        and each.tags.channels == lead.tags.channels
        and _may_join(planner, each, window, now, no_shows)
    )
    return CustomerMoves(lead, window, together[: MOST_TOGETHER - 1], moves)


def local_day(planner: Planner, appointment: Appointment) -> date:
    return to_wall(appointment.starts_at, zone(planner.rules.zone)).date()


def _may_join(
    planner: Planner, appointment: Appointment, window: Window, now: datetime, no_shows: int
) -> bool:
    """Whether the message of this window can tell of this appointment as well."""
    if not appointment.is_unanswered or now >= appointment.starts_at:
        return False
    return any(each.window is window for each in planner.open_windows(appointment, no_shows))


def passed_over(
    planner: Planner, appointment: Appointment, window: Window, no_shows: int
) -> tuple[Window, ...]:
    """Open windows before `window`, which its message makes superfluous."""
    earlier = REMINDERS[: REMINDERS.index(window)]
    open_ = planner.open_windows(appointment, no_shows)
    return tuple(each.window for each in open_ if each.window in earlier)
