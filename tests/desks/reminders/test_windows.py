"""The times of reminders, for any quiet hours, holidays and starts, and around clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.reminders.decide.moves import can_wait_for_tick, next_move, next_tick, timer_at
from frontdesk.desks.reminders.decide.windows import LEAST_AHEAD, DueWindow, Planner
from frontdesk.desks.reminders.model import Appointment, AppointmentState, Window
from frontdesk.desks.reminders.rules import LeadTime, ReminderRules, Schedule
from frontdesk.values import replace
from tests.desks.reminders.test_weeks import ONE

MINUTE = timedelta(minutes=1)
#: A few days before each clock change of 2026 in Berlin, 29 March and 25 October.
SPRING, AUTUMN = datetime(2026, 3, 26, tzinfo=UTC), datetime(2026, 10, 22, tzinfo=UTC)

times = st.builds(time, st.integers(0, 23), st.sampled_from((0, 15, 30, 59)))
quiet = st.builds(QuietHours, times.filter(lambda at: at.hour >= 18), st.just(time(8, 30)))
starts = st.builds(
    lambda first, minutes: first + minutes * MINUTE,
    st.sampled_from((SPRING, AUTUMN)),
    st.integers(0, 6 * 24 * 60),
)
leads = st.one_of(
    st.builds(LeadTime, st.integers(1, 4)), st.builds(LeadTime, st.just(0), st.integers(30, 720))
)
closed = st.frozensets(
    st.builds(
        lambda first, n: first.date() + timedelta(days=n),
        st.sampled_from((SPRING, AUTUMN)),
        st.integers(-4, 6),
    ),
    max_size=3,
)


def planned(
    starts_at: datetime, lead: LeadTime, hours: QuietHours, days: frozenset[date]
) -> tuple[Planner, Appointment, DueWindow]:
    usual = Schedule(reminders=(lead,), after_no_show=None)
    planner = Planner(ReminderRules("Europe/Berlin", hours, usual=usual), days)
    one = replace(ONE, starts_at=starts_at)
    [due] = [each for each in planner.windows(one) if each.window is Window.FIRST]
    return planner, one, due


@pytest.mark.spec("AR-06")
@given(starts, leads, quiet, closed)
def test_a_reminder_is_put_off_or_else_goes_out_before(
    starts_at: datetime, lead: LeadTime, hours: QuietHours, days: frozenset[date]
) -> None:
    planner, one, due = planned(starts_at, lead, hours, days)
    wished_at, allowed = lead.at(one.starts_at, planner.tz), planner.allowed

    assert allowed.is_allowed(due.due_at)
    if allowed.is_allowed(wished_at):
        assert (due.due_at, due.wished_at) == (wished_at, None)
    elif due.due_at > wished_at:
        assert one.starts_at - due.due_at >= LEAST_AHEAD
        assert not allowed.is_allowed(due.due_at - MINUTE), "it is the first allowed minute"
    else:
        assert one.starts_at - allowed.next_allowed(wished_at) < LEAST_AHEAD
        assert not allowed.is_allowed(due.due_at + MINUTE), "it is the last allowed minute"


@pytest.mark.spec("AR-04", "AR-06")
@given(starts, leads, quiet, closed)
def test_a_short_or_moved_window_has_a_timer_of_its_own(
    starts_at: datetime, lead: LeadTime, hours: QuietHours, days: frozenset[date]
) -> None:
    _, _, due = planned(starts_at, lead, hours, days)

    assert due.is_exact == (lead.length < timedelta(hours=3) or due.wished_at is not None)


@pytest.mark.spec("AR-04")
@given(
    starts,
    st.integers(0, 2),
    st.integers(-130, 130),
    quiet,
    closed,
    st.sets(st.sampled_from(Window)),
    st.sampled_from((AppointmentState.EXPECTED, AppointmentState.CONFIRMED)),
    st.booleans(),
    st.integers(0, 1),
)
def test_the_tick_passes_by_only_appointments_that_need_no_look(
    starts_at: datetime,
    window: int,
    minutes: int,
    hours: QuietHours,
    days: frozenset[date],
    settled: set[Window],
    state: AppointmentState,
    is_paused: bool,
    no_shows: int,
) -> None:
    planner = Planner(ReminderRules("Europe/Berlin", hours), days, is_paused)
    one = replace(ONE, starts_at=starts_at, settled=tuple(sorted(settled)), state=state)
    now = planner.windows(one, no_shows)[window].due_at + minutes * MINUTE
    needs_look_at = timer_at(
        planner, next_move(planner, one, now, no_shows=no_shows), now, next_tick(now)
    )

    if can_wait_for_tick(planner, one, next_tick(now), no_shows):
        assert needs_look_at is None
