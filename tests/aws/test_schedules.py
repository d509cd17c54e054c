"""One-off schedules: each timer and each later send has one, in whatever order records arrive."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from frontdesk.aws.schedules import (
    CallNow,
    Create,
    Delete,
    Request,
    ScheduledCall,
    Schedules,
    fd_timer_sync,
    requests,
)
from frontdesk.aws.streams import records
from frontdesk.store.dynamodb.schema import FD_SENDS, FD_TIMERS
from frontdesk.store.dynamodb.values import attributes
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import ARN, Context, stream
from tests.support.dynamodb import needs_dynamodb

AT = 1794790800
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def timer(name: str = "ev/offer/1/2", due_at: datetime = NOON) -> dict[str, Any]:
    return attributes({"name": name, "desk": "ev", "due_at": int(due_at.timestamp())})


def send(state: str, due_in: int, desk: str = "ev") -> dict[str, Any]:
    return attributes({"send_id": "s1", "desk": desk, "state": state, "due_at": AT + due_in})


def asked(payload: dict[str, Any]) -> list[Request]:
    return [each for record in records(payload) for each in requests(record)]


OFFER = ScheduledCall("offer-timeout", "ev/offer/1/2", NOON)
LATER = ScheduledCall("offer-timeout", "ev/offer/1/2", NOON + timedelta(hours=1))
REMINDERS = ScheduledCall("reminder-fire", "ev/reminder", NOON)


def reminder(guest: int = 1, due_at: datetime = NOON) -> dict[str, Any]:
    return timer(f"ev/reminder/{guest}/7d", due_at)


@pytest.mark.spec("EV-15")
@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (None, timer(), [Create(OFFER)]),
        (timer(), timer(due_at=LATER.due_at), [Delete(OFFER), Create(LATER)]),
        (timer(), timer(), []),
        (timer(), None, [Delete(OFFER)]),
    ],
)
def test_a_timer_has_a_schedule_while_it_is_set(
    before: dict[str, Any] | None, after: dict[str, Any] | None, wanted: list[Request]
) -> None:
    assert asked(stream(FD_TIMERS, (before, after))) == wanted


@pytest.mark.spec("EV-15", "EV-17")
def test_reminders_that_are_due_at_the_same_instant_share_a_schedule() -> None:
    hour = timedelta(hours=1)
    payload = stream(
        FD_TIMERS,
        (None, reminder(1)),
        (None, reminder(2)),
        (reminder(1), None),
        (reminder(2), reminder(2, NOON + hour)),
    )

    found = asked(payload)

    moved = ScheduledCall("reminder-fire", "ev/reminder", NOON + hour)
    assert found == [Create(REMINDERS), Create(REMINDERS), Create(moved)]
    assert REMINDERS.payload == {"kind": "ev/reminder", "due_at": NOON.isoformat()}


def test_a_reminder_that_is_set_at_the_last_moment_has_a_schedule_of_its_own() -> None:
    """The function of the shared schedule may not see the reminder yet."""
    soon = datetime.fromtimestamp(AT, UTC) + timedelta(seconds=10)

    [late] = asked(stream(FD_TIMERS, (None, reminder(1, soon)), at=AT))
    [early] = asked(stream(FD_TIMERS, (None, reminder(1, soon)), at=AT - 1))

    assert late.scheduled == ScheduledCall("reminder-fire", "ev/reminder/1/7d", soon)
    assert early.scheduled == ScheduledCall("reminder-fire", "ev/reminder", soon)
    assert late.scheduled.payload == {"timer": "ev/reminder/1/7d", "due_at": soon.isoformat()}


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("ev/offer/1/2", "offer-timeout"),
        ("ev/headcount/1", "host-summary"),
        ("ev/over/1", "host-summary"),
        ("fd/tidy", "host-summary"),
        ("wl/offer/1/2", "roll-on-timer"),
        ("wl/slot/1", "roll-on-timer"),
    ],
)
def test_each_kind_of_timer_rings_its_function(name: str, function: str) -> None:
    assert asked(stream(FD_TIMERS, (None, timer(name)))) == [
        Create(ScheduledCall(function, name, NOON))
    ]


@pytest.mark.parametrize("name", ["wl/house/daily", "wl/summary/monthly"])
def test_a_recurring_timer_needs_no_schedule_of_its_own(name: str) -> None:
    first, next_one = timer(name), timer(name, NOON + timedelta(days=1))

    assert asked(stream(FD_TIMERS, (None, first), (first, next_one), (next_one, None))) == []


@pytest.mark.parametrize(
    ("state", "due_in", "wanted"),
    [
        ("queued", 0, [CallNow]),
        ("queued", 2, [CallNow]),
        ("queued", 3, [Create]),
        ("held", 1, [Create]),
        ("held", 3600, [Create]),
        ("sent", 3600, []),
        ("sending", 3600, []),
    ],
)
def test_a_send_is_shipped_at_once_if_it_is_for_now_and_has_a_schedule_otherwise(
    state: str, due_in: int, wanted: list[type[Create | CallNow]]
) -> None:
    found = asked(stream(FD_SENDS, (send("sending", 0), send(state, due_in)), at=AT))

    ring = ScheduledCall("messenger", "s1", datetime.fromtimestamp(AT + due_in, UTC))
    assert found == [each(ring) for each in wanted]


@pytest.mark.parametrize(
    ("desk", "function"), [("ev", "messenger"), ("fd", "messenger"), ("wl", "sender")]
)
def test_each_desk_has_its_messages_sent_by_its_function(desk: str, function: str) -> None:
    held = (send("sending", 0, desk), send("held", 3600, desk))

    [request] = asked(stream(FD_SENDS, held, at=AT))

    ring = request.scheduled
    assert (ring.function, list(ring.payload)) == (function, ["send", "due_at"])


def test_names_fit_and_differ_by_timer_and_time() -> None:
    rings = [OFFER, LATER, ScheduledCall("offer-timeout", "ev/offer/" + "x" * 500, NOON)]

    names = {ring.name for ring in rings}

    assert len(names) == 3
    assert all(len(name) <= 64 and name.replace("-", "").isalnum() for name in names)
    assert OFFER.name == ScheduledCall("offer-timeout", "ev/offer/1/2", NOON).name


def test_a_schedule_is_in_utc_rings_once_and_never_in_the_past() -> None:
    schedules = Schedules(None, "frontdesk", "role", ARN, "queue")

    request = schedules.request(OFFER, NOON - timedelta(days=1))

    assert request == {
        "Name": OFFER.name,
        "GroupName": "frontdesk",
        "ScheduleExpression": "at(2026-11-27T12:00:00)",
        "ScheduleExpressionTimezone": "UTC",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "ActionAfterCompletion": "DELETE",
        "Target": {
            "Arn": ARN + "offer-timeout",
            "RoleArn": "role",
            "Input": '{"timer": "ev/offer/1/2", "due_at": "2026-11-27T12:00:00+00:00"}',
            "RetryPolicy": {"MaximumRetryAttempts": 5, "MaximumEventAgeInSeconds": 3600},
            "DeadLetterConfig": {"Arn": "queue"},
        },
    }
    late = schedules.request(OFFER, NOON + timedelta(days=1))
    assert late["ScheduleExpression"] == "at(2026-11-28T12:00:05)"


@needs_dynamodb
def test_records_that_come_twice_leave_the_schedules_that_are_wanted(cloud: Cloud) -> None:
    gone = "ev/offer/3/4"
    future = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    payload = stream(
        FD_TIMERS,
        (None, timer(due_at=future)),
        (timer(due_at=future), timer(due_at=future + timedelta(hours=1))),
        (None, timer(gone, future)),
        (timer(gone, future), None),
    )

    for _ in range(2):
        answer = fd_timer_sync(payload, Context("fd-timer-sync"))
        assert answer == {"batchItemFailures": []}

    group = f"{cloud.tables.prefix}group"
    found = cloud.clients["scheduler"].list_schedules(GroupName=group)["Schedules"]
    wanted = ScheduledCall("offer-timeout", "ev/offer/1/2", future + timedelta(hours=1))
    assert [each["Name"] for each in found] == [wanted.name]


@needs_dynamodb
def test_a_batch_is_retried_from_its_first_failed_record(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_SCHEDULE_GROUP", "there-is-no-such-group")
    payload = stream(FD_TIMERS, (None, timer()), (None, timer("ev/over/1")))

    answer = fd_timer_sync(payload, Context("fd-timer-sync"))

    first = payload["Records"][0]["dynamodb"]["SequenceNumber"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": first}]}


@needs_dynamodb
def test_a_send_that_is_due_is_handed_to_the_function_of_its_desk(cloud: Cloud) -> None:
    payload = stream(FD_SENDS, (None, send("queued", 0, "wl")), (None, send("queued", 0)), at=AT)

    answer = fd_timer_sync(payload, Context("fd-timer-sync"))

    assert answer == {"batchItemFailures": []}
    due_at = datetime.fromtimestamp(AT, UTC).isoformat()
    assert [
        (call["FunctionName"], call["InvocationType"], json.loads(call["Payload"]))
        for _, call in cloud.lambda_.calls
    ] == [
        (ARN + function, "Event", {"send": "s1", "due_at": due_at})
        for function in ("sender", "messenger")
    ]
