"""The function `reminder`: the hourly tick, and the sweep that looks after it."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from frontdesk.aws.container import container, deployment
from frontdesk.aws.reminders.tick import reminder
from frontdesk.aws.streams import NotFinished
from frontdesk.aws.sweep import fd_sweep
from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.commands import SetRules as SetBookingRules
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import TICK_STATE, Appointment
from frontdesk.engine.ports import Committed
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import ARN, Context
from tests.support.booking import rules, service
from tests.support.dynamodb import needs_dynamodb
from tests.support.reminders import an_id

pytestmark = needs_dynamodb

TICK = {"timer": TICK_TIMER}
HOUR = timedelta(hours=1)


def on(cloud: Cloud, *, off: str = " ") -> None:
    """Switches desks off, or all of them on, before the application starts."""
    name = f"/{cloud.tables.prefix}config/desks-off"
    cloud.clients["ssm"].put_parameter(Name=name, Value=off, Type="String", Overwrite=True)


def run(cloud: Cloud, command: Command) -> None:
    outcome = deployment().back.engine.run(command, by="test", now=cloud.clock.now())
    assert isinstance(outcome, Committed), outcome


def booked(cloud: Cloud, *names: str) -> None:
    """Adds bookings that no follower has seen."""
    run(cloud, SetBookingRules(rules([service()])))
    for number, name in enumerate(names):
        starts_at = (cloud.clock.now() + timedelta(days=2)).replace(hour=10 + number, minute=0)
        contact = (name.title(), f"{name}@example.org")
        booking = BookingId(name.encode().hex().ljust(32, "0"))
        run(cloud, Book(booking, PersonId(an_id(name)), "cut", starts_at, *contact))


def appointments() -> list[Appointment]:
    return list(reminder_reads(deployment().back.engine.reads()).appointments())


def is_planned() -> bool:
    return deployment().back.engine.reads().desk("fd").timer_at(TICK_TIMER) is not None


@pytest.mark.spec("AR-01", "AR-04")
def test_the_first_tick_makes_appointments_of_all_bookings_and_plans_the_next(
    cloud: Cloud,
) -> None:
    on(cloud)
    booked(cloud, "ann", "bob")

    reminder(TICK, Context("reminder"))

    assert len(appointments()) == 2
    state = deployment().back.engine.reads().engine.setting(TICK_STATE)
    assert (state.looked, state.done_at) == (2, cloud.clock.now())
    due_at = deployment().back.engine.reads().desk("fd").timer_at(TICK_TIMER)
    assert cloud.clock.now() < due_at <= cloud.clock.now() + HOUR


@pytest.mark.spec("AR-05")
def test_a_first_tick_without_enough_time_is_tried_again_and_plans_nothing(cloud: Cloud) -> None:
    on(cloud)
    booked(cloud, "ann")

    with pytest.raises(NotFinished):
        reminder(TICK, Context("reminder", left_ms=1_000))

    assert (appointments(), is_planned()) == ([], False)


@pytest.mark.spec("AR-05")
def test_a_tick_that_comes_twice_in_an_hour_looks_once(cloud: Cloud) -> None:
    on(cloud)
    booked(cloud, "ann")
    reminder(TICK, Context("reminder"))
    before = deployment().back.engine.reads().engine.setting(TICK_STATE)

    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=5))
    reminder(TICK, Context("reminder"))

    assert deployment().back.engine.reads().engine.setting(TICK_STATE) == before


def test_nothing_ticks_where_the_desk_is_switched_off(cloud: Cloud) -> None:
    on(cloud, off="reminders")
    booked(cloud, "ann")

    reminder(TICK, Context("reminder"))

    assert (appointments(), is_planned()) == ([], False)


@pytest.mark.spec("AR-05", "FD-02")
def test_the_sweep_has_a_missed_tick_made_up_by_its_function(cloud: Cloud) -> None:
    on(cloud)
    booked(cloud, "ann")
    reminder(TICK, Context("reminder"))
    cloud.clock.move_to(cloud.clock.now() + HOUR)
    before = len(cloud.lambda_.calls)

    fd_sweep({}, Context("fd-sweep"))

    called = [call for _, call in cloud.lambda_.calls[before:]]
    assert [
        json.loads(each["Payload"]) for each in called if each["FunctionName"] == ARN + "reminder"
    ] == [TICK]
    looked_at = deployment().back.engine.reads().engine.setting(TICK_STATE).done_at
    assert looked_at == cloud.clock.now() - HOUR


@pytest.mark.spec("AR-17")
def test_the_sweep_says_when_no_tick_came_for_hours(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    on(cloud)
    reminder(TICK, Context("reminder"))
    fd_sweep({}, Context("fd-sweep"))
    assert "tick.missed" not in capsys.readouterr().err

    cloud.clock.move_to(cloud.clock.now() + 6 * HOUR)
    fd_sweep({}, Context("fd-sweep"))

    assert '"event": "tick.missed"' in capsys.readouterr().err

    on(cloud, off="reminders")
    container._deployment = None
    fd_sweep({}, Context("fd-sweep"))

    assert "tick.missed" not in capsys.readouterr().err
