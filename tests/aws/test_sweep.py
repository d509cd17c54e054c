"""The sweep recovers within the hour work that a stream, a rule or a schedule has lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.aws.container import deployment
from frontdesk.aws.facts import act_on, tells
from frontdesk.aws.failures import Failed, Failures, read_failed
from frontdesk.aws.incoming_sms import texts_in
from frontdesk.aws.jobs import host_import
from frontdesk.aws.outbox import fd_relay
from frontdesk.aws.streams import NotFinished
from frontdesk.aws.sweep import NotSwept, Sweep, fd_sweep
from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import JobId
from frontdesk.core.sends import SendState, StartSend
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.engine.follow import CannotFollow, Follower
from frontdesk.store.dynamodb.schema import FD_JOBS, FD_OUTBOX, FD_SENDS, FD_TIMERS
from frontdesk.store.dynamodb.values import row_of
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import ARN, Context, refusal
from tests.aws.test_functions import sign_up
from tests.support.dynamodb import needs_dynamodb


def sweep() -> dict[str, Any]:
    return fd_sweep({}, Context("fd-sweep"))


@needs_dynamodb
@pytest.mark.spec("FD-02")
def test_facts_that_no_stream_delivered_are_followed_and_sent_by_the_sweep(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    assert sweep()["facts"] == 0, "young facts are on their way"
    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=10))

    done = sweep()

    assert (done["facts"], done["sends"]) == (2, 0), "one fact, two who follow it; one ships, too"
    assert [to for to, _ in cloud.mails()] == ["ann@example.org"]
    assert cloud.rows(FD_OUTBOX) == []
    again = sweep()
    assert (again["facts"], again["sends"], len(cloud.mails())) == (0, 0, 1)


@needs_dynamodb
def test_a_timer_that_did_not_ring_is_fired_and_those_of_the_next_hours_get_schedules(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=1)
    due = sorted(int(row["due_at"]["N"]) for row in cloud.rows(FD_TIMERS))
    first = cloud.clock.now().fromtimestamp(due[0], cloud.clock.now().tzinfo)
    cloud.clock.move_to(first - timedelta(hours=1))
    assert sweep()["timers"] == 0

    group = f"{cloud.tables.prefix}group"
    names = cloud.clients["scheduler"].list_schedules(GroupName=group)["Schedules"]
    assert [each["Name"].rpartition("-")[0] for each in names] == ["host-summary"]
    cloud.clock.move_to(first + timedelta(hours=1))
    assert sweep()["timers"] >= 1
    assert all(int(row["due_at"]["N"]) > due[0] for row in cloud.rows(FD_TIMERS))


@needs_dynamodb
def test_a_fact_that_fails_again_becomes_a_dead_letter_after_two_hours(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud.desk.given(cap=1)
    sign_up()

    def fails(_self: Follower, recorded: Any, _now: Any) -> None:
        raise CannotFollow(recorded.seq) from RuntimeError("broken")

    monkeypatch.setattr(Follower, "act_on", fails)
    start = cloud.clock.now()
    cloud.clock.move_to(start + timedelta(hours=1))
    sweep()
    assert deployment().back.engine.reads().engine.dead_letters(10) == []

    cloud.clock.move_to(start + timedelta(hours=3))
    sweep()

    letters = deployment().back.engine.reads().engine.dead_letters(10)
    assert {(each.what, each.why) for each in letters} == {("fact", "RuntimeError: broken")}
    waiting = {row["kind"]["S"] for row in cloud.rows(FD_OUTBOX)}
    assert waiting <= {"wl.house_kept"}, "but for what this very sweep has done"


@needs_dynamodb
@pytest.mark.spec("FD-04")
def test_a_send_whose_sender_died_is_sent_again_and_one_in_progress_is_not(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=2)
    sign_up("ann")
    sign_up("bob")
    back = deployment().back
    for fact in cloud.facts():
        act_on(back, fact["detail"], tells)
    ids = [row["send_id"]["S"] for row in cloud.rows(FD_SENDS)]
    for each in ids:
        begun = Accepted((StartSend(each, SendState.QUEUED, 0),))
        back.store.commit(begun, by="test", at=cloud.clock.now())
    lives = ids[0]
    waited: list[float] = []

    def meanwhile(seconds: float) -> None:
        waited.append(seconds)
        send = back.engine.reads().engine.send(lives)
        assert send is not None
        back.runtime.sender.lost([send], cloud.clock.now())

    assert Sweep(back, lambda: True, lambda *_call: None, meanwhile).lost_sends() == 1
    assert waited == [45.0]
    states = {row_of(wire)["state"] for wire in cloud.rows(FD_SENDS)}
    assert states == {"queued"}


@needs_dynamodb
def test_a_job_is_handed_on_and_worked_off_once_nobody_has_worked_on_it_for_a_while(
    cloud: Cloud,
) -> None:
    job = begin_import(cloud)

    assert sweep()["jobs"] == 0, "its function works on it"
    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=4))
    deployment().back.runtime.jobs.work(job, cloud.clock.now())
    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=4))
    assert sweep()["jobs"] == 0, "it did a step four minutes ago"
    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=2))
    assert sweep()["jobs"] == 1

    [(function, payload)] = cloud.handed_on()
    assert function == "host-import"
    host_import(payload, Context("host-import"))
    assert [row_of(wire)["finished"] for wire in cloud.rows(FD_JOBS)] == [True]
    assert sweep()["jobs"] == 0


@needs_dynamodb
def test_a_job_that_was_begun_by_the_version_before_is_handed_on(cloud: Cloud) -> None:
    job = begin_import(cloud)
    cloud.tables.client.update_item(
        TableName=cloud.tables.prefix + FD_JOBS.name,
        Key={"job_id": {"S": job}},
        UpdateExpression="REMOVE stepped_at",
    )

    assert sweep()["jobs"] == 1


@needs_dynamodb
def test_a_job_that_does_not_end_in_time_is_continued_by_a_retry(cloud: Cloud) -> None:
    job = begin_import(cloud)

    with pytest.raises(NotFinished):
        host_import({"job": job}, Context("host-import", left_ms=0))


@needs_dynamodb
@pytest.mark.spec("FD-02")
def test_a_part_of_the_sweep_that_fails_holds_up_no_other_and_is_retried(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """AWS refuses to call functions: the account already runs as many as it may."""
    begin_import(cloud)
    sign_up()
    queued_at = cloud.clock.now()
    for fact in cloud.facts():
        act_on(deployment().back, fact["detail"], tells)
    cloud.clock.move_to(queued_at + timedelta(minutes=10))
    monkeypatch.setattr(cloud.lambda_, "answers", [refusal("TooManyRequestsException", status=429)])

    with pytest.raises(NotSwept, match="jobs"):
        sweep()

    assert [to for to, _ in cloud.mails()] == ["ann@example.org"]
    failed = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [said] = [each for each in failed if each["event"] == "sweep.failed"]
    assert (said["part"], "TooManyRequests" in said["why"]) == ("jobs", True)


def begin_import(cloud: Cloud) -> JobId:
    job = JobId("0" * 25 + "2")
    cloud.desk.given(cap=9)
    rows = (ImportRow(2, "Ann", "ann@example.org", 1), ImportRow(3, "Bob", "bob@example.org", 1))
    cloud.desk.run(BeginImport(cloud.desk.event_id, job, rows, invite=False))
    return job


@needs_dynamodb
def test_the_first_owner_gets_a_link_that_lets_them_in(cloud: Cloud) -> None:
    answer = fd_sweep({"ask": "first-link"}, Context("fd-sweep"))

    assert answer["url"].startswith("https://desk.example/sign-in/")


# --- failed calls -----------------------------------------------------------------------------

FACT = {"detail-type": "ev.confirmed", "source": "frontdesk", "detail": {"seq": "1"}}


def left(body: Any, **attributes: str) -> dict[str, Any]:
    return {
        "MessageId": "1",
        "Body": body if isinstance(body, str) else json.dumps(body),
        "MessageAttributes": {
            name: {"StringValue": value, "DataType": "String"} for name, value in attributes.items()
        },
    }


BY_A_FUNCTION = {
    "version": "1.0",
    "timestamp": "2026-11-16T01:00:00.000Z",
    "requestContext": {
        "requestId": "1",
        "functionArn": ARN + "keeper:$LATEST",
        "condition": "RetriesExhausted",
        "approximateInvokeCount": 3,
    },
    "requestPayload": FACT,
    "responseContext": {"statusCode": 200, "executedVersion": "$LATEST"},
    "responsePayload": {"errorMessage": "broken"},
}
BY_A_STREAM = {
    "requestContext": {"functionArn": ARN + "fd-relay", "condition": "RetryAttemptsExhausted"},
    "DDBStreamBatchInfo": {"shardId": "1", "batchSize": 1, "streamArn": "arn:aws:dynamodb:x"},
}


def notification(topic: str, message: str = "{}") -> dict[str, Any]:
    """Builds a message that SNS moved to the dead-letter queue of a subscription."""
    return {
        "Type": "Notification",
        "MessageId": "1",
        "TopicArn": f"arn:aws:sns:ap-southeast-1:000000000000:{topic}",
        "Message": message,
        "Timestamp": "2026-11-16T01:00:00.000Z",
    }


def by_sns(body: dict[str, Any]) -> dict[str, Any]:
    return {"Records": [{"EventSource": "aws:sns", "Sns": body}]}


BOUNCE = notification("ev-mail-feedback")
TEXT = notification("wl-texts-in")
RING = {"timer": "ev/over/1", "due_at": "2026-11-16T01:00:00+00:00"}


@pytest.mark.parametrize(
    ("message", "found"),
    [
        (left(BY_A_FUNCTION), Failed("keeper", FACT)),
        (left(FACT, TARGET_ARN=ARN + "messenger", RULE_ARN="x"), Failed("messenger", FACT)),
        (left(RING, TARGET_ARN=ARN + "host-summary"), Failed("host-summary", RING)),
        (left(BOUNCE), Failed("ev-bounces", by_sns(BOUNCE))),
        (left(TEXT), Failed("texts-in", by_sns(TEXT))),
        (left(notification("somebody-elses")), None),
        (left({"Type": "Notification", "Message": "{}"}), None),
        (left(BY_A_STREAM), Failed("", {})),
        (left("no json"), None),
        (left([1]), None),
        (left({"who": "knows"}), None),
    ],
)
def test_each_kind_of_failure_is_understood(message: dict[str, Any], found: Failed | None) -> None:
    assert read_failed(message) == found


@needs_dynamodb
@pytest.mark.spec("FD-07")
def test_a_failed_call_is_repeated_once(cloud: Cloud) -> None:
    sqs = cloud.clients["sqs"]
    for message in (left(BY_A_FUNCTION), left(BY_A_STREAM), left("no json")):
        sqs.send_message(QueueUrl=cloud.queue, MessageBody=message["Body"])

    answer = fd_sweep({"ask": "replay"}, Context("fd-sweep"))

    assert answer == {"replayed": 1}
    assert cloud.handed_on() == [("keeper", FACT)]
    assert fd_sweep({"ask": "replay"}, Context("fd-sweep")) == {"replayed": 0}


@needs_dynamodb
@pytest.mark.spec("FD-07")
def test_every_sweep_has_failed_calls_repeated_and_goes_on_if_they_cannot_be(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud.clients["sqs"].send_message(QueueUrl=cloud.queue, MessageBody=json.dumps(BY_A_FUNCTION))

    assert sweep()["replayed"] == 1
    assert cloud.handed_on() == [("keeper", FACT)]

    monkeypatch.setattr(cloud.lambda_, "answers", [refusal("TooManyRequestsException")])
    assert sweep()["replayed"] == 0


def test_the_relay_stops_before_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = _Queue(BY_A_FUNCTION)
    monkeypatch.setattr("frontdesk.aws.failures.client", lambda _service: queue)
    monkeypatch.setenv("FRONTDESK_FAILURES_QUEUE", "url")

    assert fd_relay({"ask": "replay"}, Context("fd-relay", left_ms=4_000)) == {"replayed": 0}
    assert queue.deleted == []


@needs_dynamodb
@pytest.mark.spec("FD-07", "FD-15")
def test_a_stop_that_failed_once_is_replayed_and_sticks(cloud: Cloud) -> None:
    said = {"originationNumber": "+6591234567", "messageBody": "STOP", "inboundMessageId": "7"}
    stop = notification("wl-texts-in", json.dumps(said))
    cloud.clients["sqs"].send_message(QueueUrl=cloud.queue, MessageBody=json.dumps(stop))

    assert fd_sweep({"ask": "replay"}, Context("fd-sweep")) == {"replayed": 1}

    [(function, payload)] = cloud.handed_on()
    assert function == "texts-in"
    texts_in(payload, Context("texts-in"))
    assert deployment().back.engine.reads().engine.number_stopped("+6591234567")


@needs_dynamodb
@pytest.mark.spec("FD-07")
def test_the_operator_replays_dead_letters_and_sees_each_outcome(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    back = deployment().back
    [fact] = back.store.unfollowed("ev.tell", frozenset({"ev.confirmed"}), 10)
    for _ in range(2):
        back.store.add_dead_letter(
            "fact", f"ev.tell/{fact.seq}", "no", at=back.clock.now(), cause=None
        )
    letters = sorted(each.id for each in back.engine.reads().engine.dead_letters(10))

    one = fd_sweep({"ask": "replay", "letters": letters[:1]}, Context("fd-sweep"))
    rest = fd_sweep({"ask": "replay", "letters": "all"}, Context("fd-sweep"))

    worked = "It was tried again, and it worked."
    assert one == {"replayed": 0, "letters": {str(letters[0]): worked}}
    assert rest == {"replayed": 0, "letters": {str(letters[1]): worked}}
    assert len(cloud.rows(FD_SENDS)) == 1


class _Queue:
    """Gives its messages once."""

    def __init__(self, *bodies: Any) -> None:
        self.left = [
            {**left(body), "MessageId": str(n), "ReceiptHandle": str(n)}
            for n, body in enumerate(bodies)
        ]
        self.deleted: list[str] = []

    def receive_message(self, **_how: object) -> dict[str, Any]:
        found, self.left = self.left, []
        return {"Messages": found}

    def delete_message(self, *, QueueUrl: str, ReceiptHandle: str) -> None:  # noqa: N803
        assert QueueUrl == "url"
        self.deleted.append(ReceiptHandle)


@pytest.mark.spec("FD-07")
def test_a_call_that_fails_again_delays_no_other_and_a_sweep_is_not_repeated() -> None:
    swept = {**BY_A_FUNCTION, "requestContext": {"functionArn": f"{ARN}fd-sweep:$LATEST"}}
    gone = {**BY_A_FUNCTION, "requestContext": {"functionArn": f"{ARN}gone:$LATEST"}}
    queue = _Queue(gone, swept, BY_A_FUNCTION)
    rung = []

    def ring(function: str, _payload: Mapping[str, Any]) -> None:
        if function == "gone":
            raise LookupError(function)
        rung.append(function)

    assert Failures(queue, "url", ring).replay(lambda: True) == 1
    assert rung == ["keeper"]
    assert queue.deleted == ["1", "2"]
