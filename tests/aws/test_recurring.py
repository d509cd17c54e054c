"""Schedules that come again and again: each rings for a timer, which says whether it is time."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from frontdesk.aws import calendar_sync, drive_sync, fd_sweep, housekeeping, summary
from frontdesk.aws.clients import client
from frontdesk.aws.home import home
from frontdesk.core.decision import Command, TimerName
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.house.commands import AddFirstOwner
from frontdesk.desks.waitlist.commands import FreeSlot, SetRules
from frontdesk.desks.waitlist.decide.timers import HOUSE_TIMER, SUMMARY_TIMER
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.engine.ports import Committed
from frontdesk.store.dynamodb.schema import WL_AUDIT
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, Recorder, by_scheduler, refusal
from tests.support.dynamodb import needs_dynamodb
from tests.support.waitlist import OPENING, RULES

pytestmark = needs_dynamodb

HOUSE = (HOUSE_TIMER, housekeeping.handler, "wl.house_kept")
MONTH = (SUMMARY_TIMER, summary.handler, "wl.month_summed_up")
both = pytest.mark.parametrize(("timer", "handler", "kind"), [HOUSE, MONTH])
Handler = Callable[[dict[str, Any], object], Any]


def open_the_desk(cloud: Cloud) -> None:
    """In Singapore, where both have their time."""
    home().back.engine.run(SetRules(RULES), by="test", now=cloud.clock.now())


def due_at(timer: TimerName) -> datetime:
    found: datetime | None = home().back.engine.reads().desk("fd").timer_at(timer)
    assert found is not None
    return found


def happened(cloud: Cloud, kind: str) -> int:
    return [row["kind"]["S"] for row in cloud.rows(WL_AUDIT)].count(kind)


@pytest.mark.spec("WL-24", "WL-25")
@both
def test_what_rings_too_early_does_nothing_and_twice_in_time_does_it_once(
    cloud: Cloud, timer: TimerName, handler: Handler, kind: str
) -> None:
    handler({"timer": timer}, Context())
    open_the_desk(cloud)
    first = due_at(timer)

    cloud.clock.move_to(first - timedelta(minutes=1))
    handler({"timer": timer}, Context())
    assert (due_at(timer), happened(cloud, kind)) == (first, 0)

    cloud.clock.move_to(first + timedelta(seconds=20))
    for _ in range(2):
        handler({"timer": timer}, Context())
    assert due_at(timer) > cloud.clock.now()
    assert happened(cloud, kind) == 1


@pytest.mark.spec("WL-25")
def test_months_that_were_missed_are_summed_up_one_by_one(cloud: Cloud) -> None:
    open_the_desk(cloud)
    cloud.clock.move_to(due_at(SUMMARY_TIMER) + timedelta(days=70))

    summary.handler({"timer": SUMMARY_TIMER}, Context())

    assert happened(cloud, "wl.month_summed_up") == 3
    assert due_at(SUMMARY_TIMER) > cloud.clock.now()


@pytest.mark.spec("WL-24")
@both
def test_where_the_schedules_know_another_zone_the_sweep_does_it_within_the_hour(
    cloud: Cloud, timer: TimerName, handler: Handler, kind: str
) -> None:
    fd_sweep.handler({}, Context("fd-sweep"))
    cloud.clock.move_to(due_at(timer) - timedelta(minutes=30))
    handler({"timer": timer}, Context())
    fd_sweep.handler({}, Context("fd-sweep"))
    group = f"{cloud.tables.prefix}group"
    made = cloud.clients["scheduler"].list_schedules(GroupName=group)["Schedules"]
    assert [each["Name"] for each in made if each["Name"].startswith(("house", "summ"))] == []

    cloud.clock.move_to(cloud.clock.now() + timedelta(hours=1))
    fd_sweep.handler({}, Context("fd-sweep"))

    assert happened(cloud, kind) == 1
    assert due_at(timer) > cloud.clock.now()


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    ("schedule", "handler"),
    [
        ("fd-sweep", fd_sweep.handler),
        ("wl-drive-sync", drive_sync.handler),
        ("wl-calendar-sync", calendar_sync.handler),
    ],
)
def test_what_scheduler_sends_by_default_is_taken_like_a_call_without_words(
    cloud: Cloud, schedule: str, handler: Handler
) -> None:
    cloud.desk.given(cap=1)

    told = handler(by_scheduler(schedule), Context(schedule))

    assert told == handler({}, Context(schedule))


@pytest.mark.spec("WL-25", "FD-30")
def test_a_denied_model_reaches_staff_once_and_the_month_is_summed_up_all_the_same(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FRONTDESK_MODEL", "global.anthropic.claude-haiku-4-5-20251001-v1:0")
    denied = Recorder("bedrock-runtime", [refusal("AccessDeniedException", "No access.", 403)])
    monkeypatch.setitem(client._made, "bedrock-runtime", denied)
    open_the_desk(cloud)
    run(cloud, AddFirstOwner(MemberId("m1"), PersonId("p1"), "Mia", "mia@example.org"))
    run(cloud, FreeSlot(SlotId("s1"), "test:1", OPENING))
    for _ in range(2):
        cloud.clock.move_to(due_at(SUMMARY_TIMER) + timedelta(seconds=1))
        summary.handler({"timer": SUMMARY_TIMER}, Context())
        cloud.settle()

    assert len(denied.calls) == 1
    assert happened(cloud, "wl.month_summed_up") == 2
    assert cloud.mails().count(("mia@example.org", "The language model cannot be used.")) == 1
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [each["task"] for each in lines if each["event"] == "model.failed"] == ["summary"]


def run(cloud: Cloud, command: Command) -> None:
    outcome = home().back.engine.run(command, by="test", now=cloud.clock.now())
    assert isinstance(outcome, Committed), outcome
