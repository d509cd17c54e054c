"""Recurring schedules: each runs a timer, whose row decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from frontdesk.aws.booking.calendar import bk_calendar
from frontdesk.aws.booking.config_sync import fn_config_sync
from frontdesk.aws.calendar_sync import calendar_sync
from frontdesk.aws.clients import client
from frontdesk.aws.container import deployment
from frontdesk.aws.drive_sync import drive_sync
from frontdesk.aws.sweep import fd_sweep
from frontdesk.aws.timers import housekeeping, summary
from frontdesk.core.decision import Command, TimerName
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.waitlist.commands import ClaimOffer, FreeSlot, JoinList, SetRules
from frontdesk.desks.waitlist.decide.timers import EXPIRY_TIMER, SUMMARY_TIMER
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, SlotId, Wish
from frontdesk.engine.ports import Committed
from frontdesk.store.dynamodb.schema import WL_AUDIT
from frontdesk.values import replace
from frontdesk.wiring.waitlist.aws import slot_intake_of
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, Recorder, by_scheduler, refusal
from tests.support.dynamodb import needs_dynamodb
from tests.support.waitlist import OPENING, RULES

pytestmark = needs_dynamodb

HOUSEKEEPING = (EXPIRY_TIMER, housekeeping, "wl.house_kept")
MONTH = (SUMMARY_TIMER, summary, "wl.month_summed_up")
both = pytest.mark.parametrize(("timer", "handler", "kind"), [HOUSEKEEPING, MONTH])
Handler = Callable[[dict[str, Any], object], Any]


def open_the_desk(cloud: Cloud) -> None:
    """Sets rules in the time of Singapore, which both timers use."""
    deployment().back.engine.run(SetRules(RULES), by="test", now=cloud.clock.now())


def due_at(timer: TimerName) -> datetime:
    found: datetime | None = deployment().back.engine.reads().desk("fd").timer_at(timer)
    assert found is not None
    return found


def happened(cloud: Cloud, kind: str) -> int:
    return [row["kind"]["S"] for row in cloud.rows(WL_AUDIT)].count(kind)


@both
def test_a_schedule_that_fires_early_does_nothing_and_twice_in_time_acts_once(
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


def test_months_that_were_missed_are_summed_up_one_by_one(cloud: Cloud) -> None:
    open_the_desk(cloud)
    cloud.clock.move_to(due_at(SUMMARY_TIMER) + timedelta(days=70))

    summary({"timer": SUMMARY_TIMER}, Context())

    assert happened(cloud, "wl.month_summed_up") == 3
    assert due_at(SUMMARY_TIMER) > cloud.clock.now()


@both
def test_where_the_schedules_know_another_zone_the_sweep_does_it_within_the_hour(
    cloud: Cloud, timer: TimerName, handler: Handler, kind: str
) -> None:
    fd_sweep({}, Context("fd-sweep"))
    cloud.clock.move_to(due_at(timer) - timedelta(minutes=30))
    handler({"timer": timer}, Context())
    fd_sweep({}, Context("fd-sweep"))
    group = f"{cloud.tables.prefix}group"
    made = cloud.clients["scheduler"].list_schedules(GroupName=group)["Schedules"]
    assert [each["Name"] for each in made if each["Name"].startswith(("house", "summ"))] == []

    cloud.clock.move_to(cloud.clock.now() + timedelta(hours=1))
    fd_sweep({}, Context("fd-sweep"))

    assert happened(cloud, kind) == 1
    assert due_at(timer) > cloud.clock.now()


@pytest.mark.spec("WL-24")
def test_at_three_at_night_entries_whose_dates_passed_expire(cloud: Cloud) -> None:
    open_the_desk(cloud)
    today = cloud.clock.now().date()
    entries = {
        join(cloud, "ann", until=today): EntryStatus.EXPIRED,
        join(cloud, "bob", until=today + timedelta(days=30)): EntryStatus.WAITING,
    }
    due = due_at(EXPIRY_TIMER)
    assert due.astimezone(ZoneInfo("Asia/Singapore")).hour == 3
    cloud.clock.move_to(due)

    housekeeping({"timer": EXPIRY_TIMER}, Context())
    cloud.settle()

    reads = waitlist(deployment().back.engine.reads())
    found = [reads.entry(entry_id) for entry_id in entries]
    assert {entry.id: entry.status for entry in found if entry} == entries


@pytest.mark.spec("WL-25")
def test_on_the_first_monday_at_nine_the_owner_gets_the_month_by_mail(cloud: Cloud) -> None:
    open_the_desk(cloud)
    engine, now = deployment().back.engine, cloud.clock.now()
    owner = MemberId(engine.new_id()), PersonId(engine.new_id())
    engine.run(AddFirstOwner(*owner, "Mia", "mia@example.org"), by="test", now=now)
    join(cloud, "ann", until=now.date() + timedelta(days=30))
    opening = replace(OPENING, starts_at=now + timedelta(hours=6))
    slot_intake_of(deployment().back, deployment().account).free("test:1", opening, by="test")
    cloud.settle()
    slot = waitlist(engine.reads()).slot_by_origin("test:1")
    assert slot is not None
    cloud.clock.move_to(now + timedelta(minutes=4))
    claimed = engine.run(ClaimOffer(slot.id, 1), by="test", now=cloud.clock.now())
    assert isinstance(claimed, Committed), claimed
    cloud.settle()
    due = due_at(SUMMARY_TIMER)
    local = due.astimezone(ZoneInfo("Asia/Singapore"))
    assert (local.weekday(), local.day <= 7, local.hour) == (0, True, 9)
    cloud.clock.move_to(due)

    for _ in range(2):
        summary({"timer": SUMMARY_TIMER}, Context())
    cloud.settle()

    told = [subject for to, subject in cloud.mails() if to == "mia@example.org"]
    assert told.count("November 2026 on the waitlist") == 1
    text = cloud.text()
    assert "In November 2026 the list filled 1 of 1 slot" in text
    assert "Time to fill, on average: 4 minutes" in text
    assert "45.00" in text


def join(cloud: Cloud, who: str, *, until: date) -> EntryId:
    engine, now = deployment().back.engine, cloud.clock.now()
    entry_id = EntryId(engine.new_id())
    person = (PersonId(engine.new_id()), who.title(), f"{who}@example.org")
    command = JoinList(entry_id, *person, Wish("cut", 1, now.date(), until), Lane.STAFF)
    outcome = engine.run(command, by="test", now=now)
    assert isinstance(outcome, Committed), outcome
    return entry_id


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    ("schedule", "handler"),
    [
        ("fd-sweep", fd_sweep),
        ("wl-drive-sync", drive_sync),
        ("wl-calendar-sync", calendar_sync),
        ("bk-calendar", bk_calendar),
        ("bk-config-sync", fn_config_sync),
    ],
)
def test_the_default_payload_of_scheduler_counts_as_an_empty_call(
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
        summary({"timer": SUMMARY_TIMER}, Context())
        cloud.settle()

    assert len(denied.calls) == 1
    assert happened(cloud, "wl.month_summed_up") == 2
    assert cloud.mails().count(("mia@example.org", "The language model cannot be used.")) == 1
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [each["task"] for each in lines if each["event"] == "model.failed"] == ["summary"]


def run(cloud: Cloud, command: Command) -> None:
    outcome = deployment().back.engine.run(command, by="test", now=cloud.clock.now())
    assert isinstance(outcome, Committed), outcome
