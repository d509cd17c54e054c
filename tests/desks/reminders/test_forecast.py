"""The messages that the console announces go out, at these times."""

from __future__ import annotations

import tempfile
from contextlib import closing
from datetime import datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.core.people import Person
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.reminders.console.next_messages import AHEAD, coming_messages
from frontdesk.desks.reminders.facts import GapFound
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.rules import LeadTime, Schedule, ServiceSchedule
from tests.desks.reminders.conftest import Opened
from tests.support.reminders import (
    DAY,
    FRIDAY,
    HOUR,
    MINUTE,
    MONDAY,
    RemindersDesk,
    days,
)

Told = list[tuple[str, str, datetime]]
TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY


def no_texts(_person: Person) -> bool:
    return False


def listed(desk: RemindersDesk) -> Told:
    planner = desk.loader.planner(desk.engine.reads())
    rows = coming_messages(desk.reads, planner, no_texts, desk.clock.now())
    return sorted((each.window.value, each.appointment.ref, each.at) for each in rows)


def went_out(desk: RemindersDesk, since: datetime, until: datetime) -> Told:
    """Returns reminders and alerts after `since`."""
    refs = {each.id: each.ref for each in desk.reads.appointments(limit=1_000)}
    alerts = [
        ("gap", refs[fact.appointment_id], fact.at)
        for ref in refs.values()
        for each in desk.facts(ref)
        if isinstance(fact := each.fact, GapFound)
    ]
    return sorted(each for each in [*desk.told(), *alerts] if since < each[2] <= until)


@pytest.mark.spec("AR-23")
def test_a_message_is_listed_at_the_tick_that_sends_it(desk: RemindersDesk) -> None:
    desk.given().add("ann", FRIDAY + HOUR / 2)

    found = listed(desk)

    assert ("first", "ann", TUESDAY + HOUR) in found
    desk.wait_until(FRIDAY)
    assert went_out(desk, MONDAY, FRIDAY) == found


@pytest.mark.spec("AR-23")
def test_no_alert_is_listed_about_a_customer_who_is_never_asked(desk: RemindersDesk) -> None:
    desk.given().add("ann", MONDAY + 20 * HOUR)

    assert listed(desk) == []
    desk.wait_until(MONDAY + 20 * HOUR)
    assert went_out(desk, MONDAY, FRIDAY) == []


@pytest.mark.spec("AR-19", "AR-23")
def test_a_message_that_waits_for_the_least_gap_is_listed_at_its_time(
    open_desk: Opened,
) -> None:
    desk = open_desk().given(after_booking=20 * HOUR)
    desk.add("ann", MONDAY + 3 * DAY + 2 * HOUR)
    desk.add("bob", FRIDAY, ref="first")
    desk.add("bob", FRIDAY + DAY, ref="second", service="colour")

    found = listed(desk)

    assert ("first", "ann", MONDAY + 20 * HOUR) not in found
    desk.wait_until(FRIDAY + DAY)
    assert went_out(desk, MONDAY, FRIDAY + DAY) == found


starts = st.builds(
    lambda hours, minutes: MONDAY + hours * HOUR + minutes * MINUTE,
    st.integers(1, 160),
    st.sampled_from((0, 10, 30, 45)),
)
befores = st.one_of(
    st.builds(LeadTime, st.integers(1, 5)),
    st.builds(LeadTime, st.just(0), st.sampled_from((60, 150, 240, 720))),
)
leads = st.lists(befores, min_size=1, max_size=3, unique=True)


@pytest.mark.spec("AR-23")
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(
    visits=st.lists(
        st.tuples(st.sampled_from(("ann", "bob")), st.sampled_from(("cut", "colour")), starts),
        min_size=1,
        max_size=5,
    ),
    reminders=leads,
    of_colour=leads,
    quiet=st.sampled_from((QuietHours(time(21), time(8)), QuietHours(time(18, 30), time(9, 30)))),
    closed=st.sampled_from(((), ("2026-11-18",), ("2026-11-17", "2026-11-19"))),
    later=st.sampled_from((0, 17, 95, 1_500)),
    gap=st.sampled_from((4, 9)),
)
def test_the_list_is_what_goes_out_if_nobody_answers(
    visits: list[tuple[str, str, datetime]],
    reminders: list[LeadTime],
    of_colour: list[LeadTime],
    quiet: QuietHours,
    closed: tuple[str, ...],
    later: int,
    gap: int,
) -> None:
    loader = Loader(holidays=lambda _country, _region: days(*closed))
    folder = Path(tempfile.mkdtemp())
    with closing(RemindersDesk(folder, loader=loader)) as desk:
        usual = Schedule(reminders=tuple(reminders))
        colour = ServiceSchedule("colour", Schedule(reminders=tuple(of_colour)))
        gaps = {"least_gap": gap * HOUR, "after_booking": 6 * HOUR}
        desk.given(usual=usual, services=(colour,), quiet=quiet, **gaps)
        for number, (who, service, at) in enumerate(visits):
            desk.do(desk.record(who, at, ref=f"{who}{number}", service=service))
        desk.wait_until(MONDAY + timedelta(minutes=later))
        since = desk.clock.now()

        found = listed(desk)

        desk.wait_until(since + AHEAD)
        assert went_out(desk, since, since + AHEAD) == found
