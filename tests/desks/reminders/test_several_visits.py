"""One message about several visits of a customer on one day, even with different schedules."""

from __future__ import annotations

from datetime import date, datetime, time
from itertools import pairwise, takewhile

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.reminders.commands import RemindNow
from frontdesk.desks.reminders.decide.forecast import PlannedMessage, planned_messages
from frontdesk.desks.reminders.decide.windows import DueWindow, Planner
from frontdesk.desks.reminders.model import (
    REMINDERS,
    Appointment,
    AppointmentId,
    AppointmentSource,
    Window,
)
from frontdesk.desks.reminders.rules import LeadTime, ReminderRules, Schedule, ServiceSchedule
from tests.support.reminders import DAY, FRIDAY, HOUR, MINUTE, MONDAY, RemindersDesk, an_id, id_of

BERLIN = zone("Europe/Berlin")
FIRST, SECOND = Window.FIRST, Window.SECOND
#: No quiet hours, so no message is put off.
NEVER = QuietHours(time(0), time(0))


def schedules(**services: str) -> tuple[ServiceSchedule, ...]:
    """Builds schedules: `cut="3d 1d"` has these two reminders."""
    return tuple(
        ServiceSchedule(name, Schedule(tuple(befores(text)), after_no_show=None))
        for name, text in services.items()
    )


def befores(text: str) -> list[LeadTime]:
    return [
        LeadTime(days=int(each[:-1])) if each[-1] == "d" else LeadTime(minutes=60 * int(each[:-1]))
        for each in text.split()
    ]


def told(desk: RemindersDesk) -> list[tuple[datetime, list[str]]]:
    """Returns the instant of each message, with the references of its visits."""
    refs = {each.id: each.ref for each in desk.reads.appointments(limit=100)}
    return [
        (
            each.sent_at,
            [
                refs[AppointmentId(one)]
                for one in (each.subject, *str(each.params["together"]).split())
            ],
        )
        for each in desk.sends()
        if each.sent_at
    ]


# --- examples -------------------------------------------------------------------------------


@pytest.mark.spec("AR-19")
def test_visits_whose_reminders_have_other_names_share_a_message(desk: RemindersDesk) -> None:
    """The second reminder of the cut and the only one of the colour are due on the same day."""
    desk.given(services=schedules(colour="1d"))
    desk.add("ann", FRIDAY, ref="cut")
    desk.add("ann", FRIDAY + 3 * HOUR, ref="colour", service="colour")

    desk.wait_until(FRIDAY - HOUR)

    assert told(desk) == [(FRIDAY - 3 * DAY, ["cut"]), (FRIDAY - DAY, ["cut", "colour"])]
    [row] = desk.reads.reminders_of(id_of("colour"))[:1]
    assert (row.window, row.lead, row.lead_window) == (FIRST, id_of("cut"), SECOND)
    assert desk.of("colour").settled[:1] == (FIRST,)


@pytest.mark.spec("AR-19")
def test_an_early_reminder_takes_the_first_of_two_of_another_visit_along(
    desk: RemindersDesk,
) -> None:
    """Alone, that one would be another message. The second reminders share a message as well."""
    desk.given(services=schedules(colour="4d 1d"), quiet=NEVER)
    desk.add("ann", FRIDAY + DAY, ref="cut")
    desk.add("ann", FRIDAY + DAY + 2 * HOUR, ref="colour", service="colour")

    desk.wait_until(FRIDAY + 12 * HOUR)

    early = FRIDAY - 3 * DAY + 2 * HOUR
    assert told(desk) == [(early, ["colour", "cut"]), (FRIDAY, ["cut", "colour"])]


@pytest.mark.spec("AR-19")
def test_the_only_reminder_of_a_visit_is_not_sent_days_before(desk: RemindersDesk) -> None:
    desk.given(services=schedules(colour="4d 1d", cut="1d"))
    desk.add("ann", FRIDAY + DAY, ref="cut")
    desk.add("ann", FRIDAY + DAY + 2 * HOUR, ref="colour", service="colour")

    desk.wait_until(FRIDAY + 12 * HOUR)

    early = FRIDAY - 3 * DAY + 2 * HOUR
    assert told(desk) == [(early, ["colour"]), (FRIDAY, ["cut", "colour"])]


@pytest.mark.spec("AR-19")
def test_a_reminder_that_staff_send_now_tells_of_the_other_visits(desk: RemindersDesk) -> None:
    desk.given(services=schedules(colour="1d", cut="1d"))
    desk.add("ann", FRIDAY, ref="cut")
    desk.add("ann", FRIDAY + 3 * HOUR, ref="colour", service="colour")
    desk.wait(hours=1)

    desk.do(RemindNow(id_of("colour"), desk.clock.now())).wait_until(FRIDAY)

    assert told(desk) == [(MONDAY + HOUR, ["colour", "cut"])]


@pytest.mark.spec("AR-08", "AR-19")
def test_an_answer_counts_for_the_reminder_of_its_own_visit(desk: RemindersDesk) -> None:
    """The message of the cut settles the first window of the colour, so an answer about the colour
    counts for that window."""
    desk.given(services=schedules(colour="1d"))
    desk.add("ann", FRIDAY, ref="cut")
    desk.add("ann", FRIDAY + 3 * HOUR, ref="colour", service="colour")
    desk.wait_until(FRIDAY - DAY)

    rows = {each.ref: desk.reads.reminders_of(each.id) for each in (desk.of("colour"),)}
    assert [(each.window, each.state) for each in rows["colour"]] == [(FIRST, "sent")]
    desk.do(desk.confirm("colour", FIRST))
    assert desk.of("colour").answered_at == FRIDAY - DAY


# --- properties -----------------------------------------------------------------------------

DAYS = ("2026-11-27", "2026-11-28")
a_schedule = st.lists(
    st.sampled_from(("7d", "5d", "3d", "2d", "1d", "30h", "12h", "5h", "2h")),
    min_size=1,
    max_size=3,
    unique=True,
).map(" ".join)
starts = st.builds(
    lambda day, hours, minutes: (
        datetime.fromisoformat(f"{day}T08:00+01:00") + hours * HOUR + minutes * MINUTE
    ),
    st.sampled_from(DAYS),
    st.integers(0, 10),
    st.sampled_from((0, 15, 30)),
)
visits = st.lists(st.tuples(st.sampled_from(("a", "b", "c")), starts), min_size=2, max_size=5)


def forecast(
    planner: Planner, found: list[tuple[str, datetime]]
) -> tuple[list[Appointment], list[PlannedMessage]]:
    rows = [
        Appointment(
            AppointmentId(f"{number:032}"),
            AppointmentSource.SHEET,
            str(number),
            PersonId(an_id("ann")),
            service,
            starts_at,
            HOUR,
            MONDAY - DAY,
        )
        for number, (service, starts_at) in enumerate(found)
    ]
    planned = planned_messages(planner, rows, 0, MONDAY)
    messages = takewhile(lambda each: each.at < MONDAY + 20 * DAY, planned)
    return rows, [each for each in messages if each.window is not Window.GAP]


def windows(planner: Planner, one: Appointment) -> list[DueWindow]:
    return [each for each in planner.windows(one) if each.window is not Window.GAP]


def wished_on(each: DueWindow) -> date:
    return to_wall(each.wished_at or each.due_at, BERLIN).date()


def day_of(one: Appointment) -> date:
    return to_wall(one.starts_at, BERLIN).date()


@pytest.mark.spec("AR-19", "AR-23")
@settings(max_examples=300, deadline=None)
@given(a=a_schedule, b=a_schedule, c=a_schedule, found=visits)
def test_messages_of_a_day_are_as_few_as_the_schedules_allow(
    a: str, b: str, c: str, found: list[tuple[str, datetime]]
) -> None:
    assume(len({start for _, start in found}) == len(found))
    rules = ReminderRules(
        zone="Europe/Berlin",
        quiet=NEVER,
        least_gap=0 * HOUR,
        services=schedules(a=a, b=b, c=c),
    )
    planner = Planner(rules)
    rows, messages = forecast(planner, found)

    for one in rows:
        mine = [each for each in messages if each.window_of(one.id)]
        settled = [each.window_of(one.id) for each in mine]
        assert len(set(settled)) == len(settled)
        assert mine, "no visit is without a reminder"
        for due in windows(planner, one):
            # Not later than the schedule wants, except for the time until the next tick.
            at = due.due_at + HOUR
            assert any(
                m.at < at and m.window_of(one.id) in REMINDERS[REMINDERS.index(due.window) :]
                for m in mine
            ), (one, due)
        last = windows(planner, one)[-1]
        sent = next(m for m in mine if m.window_of(one.id) is last.window)
        sent_on = to_wall(sent.at, BERLIN).date()
        assert (wished_on(last) - sent_on).days <= 1, "the last one is not sent days before"

    for on in {day_of(one) for one in rows}:
        of_day = [each for each in messages if day_of(each.appointment) == on]
        for earlier, later in pairwise(of_day):
            _could_not_be_one(planner, earlier, later)


def _could_not_be_one(planner: Planner, earlier: PlannedMessage, later: PlannedMessage) -> None:
    """Checks that the later message was due more than a day after the earlier one, or reminds again
    of one of its visits."""
    told_on = to_wall(earlier.at, BERLIN).date()
    for one in (later.appointment, *later.together):
        if earlier.window_of(one.id):
            return
        due = next(each for each in windows(planner, one) if each.window is later.window_of(one.id))
        assert (wished_on(due) - told_on).days > 1, (earlier, later)
