"""The next move for one appointment, and for a customer with all their appointments.

An appointment, its chain so far, the rules and the time determine one move: nothing, a reminder, or
an alert to staff. Timers only cause a check; these functions decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.reminders.decide.windows import DueWindow, Planner
from frontdesk.desks.reminders.figures import was_asked
from frontdesk.desks.reminders.model import REMINDERS, Appointment, AppointmentId, Window
from frontdesk.values import Frozen

#: The least time between a reminder and the start, unless its window is shorter.
LATEST: Final = timedelta(hours=1)
#: How long the customer has to answer a reminder before staff are alerted.
TIME_TO_ANSWER: Final = timedelta(minutes=30)
#: Customers would not read a message about more visits than this.
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
    """When to check the appointment again, if nothing is due now."""
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
    """Decides about one appointment. `told_at` is the last reminder to the customer about any of
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
        told_at = _latest(told_at, appointment.told_at)
        move = _remind(planner, appointment, due, later, told_at, now)
        if move.step is MoveStep.REMIND:
            return move
        return _with_alert(planner, appointment, alert, now, move)
    waits = _wait_for(later) if later else NOTHING
    return _with_alert(planner, appointment, alert, now, waits)


def _remind(
    planner: Planner,
    appointment: Appointment,
    due: Sequence[DueWindow],
    later: DueWindow | None,
    told_at: datetime | None,
    now: datetime,
) -> NextMove:
    """Sends one message if several windows are due after a missed tick: that of the last one.
    Ignores the least gap if the appointment would get no message at all."""
    last, earlier = due[-1], tuple(each.window for each in due[:-1])
    at = _may_go_at(planner, appointment, told_at, now)
    if _is_useless(appointment, last, later, at) and later is None and not was_asked(appointment):
        at = _may_go_at(planner, appointment, None, now)
    if _is_useless(appointment, last, later, at):
        return NextMove(skipped=(*earlier, last.window), look_at=later.due_at if later else None)
    if at > now:
        return NextMove(skipped=earlier, look_at=at, is_exact=True)
    return NextMove(MoveStep.REMIND, last.window, earlier)


def _may_go_at(
    planner: Planner, appointment: Appointment, told_at: datetime | None, now: datetime
) -> datetime:
    """The first instant that respects quiet hours, holidays and the least gaps."""
    rules = planner.rules
    at = max(now, appointment.booked_at + rules.after_booking)
    if told_at is not None:
        at = max(at, told_at + rules.least_gap)
    return planner.allowed.next_allowed(at)


def _is_useless(
    appointment: Appointment, last: DueWindow, later: DueWindow | None, at: datetime
) -> bool:
    """Whether the message would come too close to the start, or not before the next reminder."""
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
    """Adds the alert to staff if it comes first."""
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


def _wait_for(later: DueWindow) -> NextMove:
    return NextMove(look_at=later.due_at, is_exact=later.is_exact)


def _latest(*instants: datetime | None) -> datetime | None:
    return max((each for each in instants if each is not None), default=None)


# --- the tick -------------------------------------------------------------------------------


def can_wait_for_tick(
    planner: Planner, appointment: Appointment, next_tick_at: datetime, no_shows: int
) -> bool:
    """Whether the next tick is early enough, because no window is due before it. A shortcut for
    most appointments: `next_move` and `timer_at` would give the same answer."""
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
    """When a timer of its own must check the appointment; None if the next tick is early enough."""
    if move.is_due:
        return now
    at = move.look_at
    if at is None or at >= next_tick_at:
        return None
    return at if move.is_exact or not planner.allowed.is_allowed(next_tick_at) else None


def next_tick(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0) + TICK


# --- a customer -----------------------------------------------------------------------------


class JoinedVisit(Frozen):
    """Another appointment on the day of the lead, in the same message."""

    appointment: Appointment
    window: Window
    """The window that the message settles for it. Its service may have another schedule."""


class CustomerMoves(Frozen):
    """The moves for all appointments of one customer, with at most one message."""

    lead: Appointment | None = None
    window: Window | None = None
    joined: tuple[JoinedVisit, ...] = ()
    moves: tuple[tuple[Appointment, NextMove], ...] = ()
    """The move of each appointment, decided separately."""

    @property
    def windows(self) -> Mapping[AppointmentId, Window]:
        """The window that the message settles for each of its appointments."""
        found = {each.appointment.id: each.window for each in self.joined}
        return {self.lead.id: self.window, **found} if self.lead and self.window else found


def customer_moves(
    planner: Planner, appointments: Sequence[Appointment], now: datetime, no_shows: int
) -> CustomerMoves:
    told_at = _latest(*(each.told_at for each in appointments))
    moves = tuple(
        (each, next_move(planner, each, now, no_shows=no_shows, told_at=told_at))
        for each in sorted(appointments, key=lambda one: (one.starts_at, one.id))
    )
    lead, window = next(
        ((each, move.window) for each, move in moves if move.step is MoveStep.REMIND), (None, None)
    )
    if lead is None or window is None:
        return CustomerMoves(moves=moves)
    joined = visits_to_join(planner, lead, window, appointments, now, no_shows)
    return CustomerMoves(lead, window, joined, moves)


def local_day(planner: Planner, appointment: Appointment) -> date:
    return to_wall(appointment.starts_at, zone(planner.rules.zone)).date()


def visits_to_join(
    planner: Planner,
    lead: Appointment,
    window: Window,
    appointments: Iterable[Appointment],
    now: datetime,
    no_shows: int,
) -> tuple[JoinedVisit, ...]:
    """The other visits on the lead's day that its message includes, ordered by start.

    A visit joins if one of its reminders is due, or is scheduled for the next day at the latest. A
    later reminder also joins if it would need a message of its own and the visit has another
    reminder left.
    """
    led = next(each for each in planner.windows(lead, no_shows) if each.window is window)
    joined: list[JoinedVisit] = []
    later: list[tuple[DueWindow, Appointment, Sequence[DueWindow]]] = []
    coming = [each.due_at for each in _later_reminders(planner, lead, window, no_shows)]
    for one in sorted(appointments, key=lambda each: (each.starts_at, each.id)):
        open_ = _open_reminders(planner, one, no_shows)
        if not open_ or not _can_share(planner, lead, one, now):
            continue
        if (found := _joining_window(planner, led, open_, now)) is not None:
            joined.append(JoinedVisit(one, found))
            coming += (each.due_at for each in _later_reminders(planner, one, found, no_shows))
        else:
            later.append((open_[0], one, open_[1:]))
    for due, one, left in sorted(later, key=lambda each: (each[0].due_at, each[1].id)):
        is_alone = all(at > due.due_at for at in coming)
        if is_alone and left:
            joined.append(JoinedVisit(one, due.window))
        coming.append(left[0].due_at if is_alone and left else due.due_at)
    joined.sort(key=lambda each: (each.appointment.starts_at, each.appointment.id))
    return tuple(joined[: MOST_TOGETHER - 1])


def _can_share(planner: Planner, lead: Appointment, one: Appointment, now: datetime) -> bool:
    return (
        one.id != lead.id
        and one.is_unanswered
        and now < one.starts_at
        and one.tags.channels == lead.tags.channels
        and local_day(planner, one) == local_day(planner, lead)
    )


def _joining_window(
    planner: Planner, led: DueWindow, open_: Sequence[DueWindow], now: datetime
) -> Window | None:
    """The reminder closest to the lead's, among those that are due or scheduled by the next day."""
    tz, wished_at = planner.tz, _wished_at(led)
    until_on = to_wall(max(wished_at, now), tz).date() + timedelta(days=1)
    due = [each for each in open_ if each.due_at <= now][-1:]
    soon = (each for each in open_ if each.due_at > now)
    near = [each for each in soon if to_wall(_wished_at(each), tz).date() <= until_on]
    closest = min((*due, *near), key=lambda each: abs(_wished_at(each) - wished_at), default=None)
    return closest.window if closest else None


def _wished_at(each: DueWindow) -> datetime:
    """The time in the schedule."""
    return each.wished_at or each.due_at


def _open_reminders(
    planner: Planner, appointment: Appointment, no_shows: int
) -> Sequence[DueWindow]:
    open_ = planner.open_windows(appointment, no_shows)
    return [each for each in open_ if each.window is not Window.GAP]


def _later_reminders(
    planner: Planner, appointment: Appointment, window: Window, no_shows: int
) -> Iterable[DueWindow]:
    """The open reminders after `window`."""
    later = REMINDERS[REMINDERS.index(window) + 1 :]
    return (
        each for each in _open_reminders(planner, appointment, no_shows) if each.window in later
    )


def passed_over(
    planner: Planner, appointment: Appointment, window: Window, no_shows: int
) -> tuple[Window, ...]:
    """Open windows before `window`, which its message replaces."""
    earlier = REMINDERS[: REMINDERS.index(window)]
    open_ = planner.open_windows(appointment, no_shows)
    return tuple(each.window for each in open_ if each.window in earlier)
