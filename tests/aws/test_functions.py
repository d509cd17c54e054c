"""Each function by its payloads: they have their effect once; early, late or repeated ones do no
harm."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.aws.console import fd_console
from frontdesk.aws.container import container, deployment
from frontdesk.aws.delivery import messenger
from frontdesk.aws.facts import act_on, keeper, tells
from frontdesk.aws.incoming_mail import ev_bounces, intake_ses_parser
from frontdesk.aws.jobs import host_import
from frontdesk.aws.outbox import fd_relay
from frontdesk.aws.rsvp.pages import link_handler, register
from frontdesk.aws.sweep import fd_sweep
from frontdesk.aws.timers import NotFired, TooEarly, host_summary, offer_timeout, reminder_fire
from frontdesk.core.jobs import JobId
from frontdesk.core.sends import SendId
from frontdesk.desks.admin.commands import SendAgain
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, Cancel, SetCap
from frontdesk.desks.rsvp.model import State
from frontdesk.store.dynamodb.schema import (
    FD_AUDIT,
    FD_JOBS,
    FD_MAIL,
    FD_OUTBOX,
    FD_SENDS,
    FD_TIMERS,
)
from frontdesk.store.dynamodb.values import row_of
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import ARN, Context, refusal, request, s3_put, sns, stream
from tests.aws.test_ses import BOUNCE, raw, report
from tests.support.dynamodb import needs_dynamodb

pytestmark = needs_dynamodb
JSON = {"content-type": "application/json"}


def sign_up(who: str = "ann", party: int = 1) -> dict[str, Any]:
    body = {"name": who.title(), "email": f"{who}@example.org", "party": party}
    return register(
        request("POST", "/api/events/pottery/guests", headers=JSON, body=json.dumps(body)),
        Context("register"),
    )


# --- from a form to a mail, and back by its link ----------------------------------------------


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize("times", [1, 2])
def test_a_sign_up_leads_to_a_mail_whose_link_cancels_it(cloud: Cloud, times: int) -> None:
    cloud.desk.given(cap=1)

    answer = sign_up()
    cloud.settle(times)

    assert answer["statusCode"] in (200, 201), answer
    assert [to for to, _ in cloud.mails()] == ["ann@example.org"]
    path = cloud.link()
    page = link_handler(request("GET", path), Context())
    assert page["statusCode"] == 200, page
    form = {"content-type": "application/x-www-form-urlencoded"}
    pressed = link_handler(request("POST", path, headers=form, body="do=cancel"), Context())
    assert pressed["statusCode"] == 303, pressed
    cloud.settle(times)
    guest = cloud.desk.reads.guest(cloud.guest("ann"))
    assert guest is not None
    assert guest.state is State.CANCELLED
    assert [to for to, _ in cloud.mails()] == ["ann@example.org", "ann@example.org"]


@pytest.mark.spec("FD-28")
def test_a_forged_link_is_refused_and_counted_for_the_alarm(
    cloud: Cloud, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = link_handler(request("GET", "/l/" + "A" * 40), Context())

    assert answer["statusCode"] == 404, answer
    assert '"event": "link.bad_signature"' in capfd.readouterr().err


def test_static_files_come_from_each_function_and_live_numbers_end_after_one_look(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=3)
    link = fd_sweep({"ask": "first-link"}, Context())["url"]
    assert link.startswith("https://desk.example/sign-in/")
    path = link.removeprefix("https://desk.example")
    entered = fd_console(request("POST", path), Context())
    assert entered["statusCode"] == 303, entered
    cookies = [each.partition(";")[0] for each in entered["cookies"]]

    live = fd_console(request("GET", "/console/live", cookies=cookies), Context())

    assert live["headers"]["content-type"].startswith("text/event-stream")
    assert live["body"].startswith("retry: 10000\nevent: count\ndata: {")
    event = fd_console(
        request("GET", f"/console/events/{cloud.desk.event_id}", cookies=cookies), Context()
    )
    assert "Pottery workshop" in event["body"]


# --- facts to the bus -------------------------------------------------------------------------


def test_a_fact_goes_on_the_bus_under_its_name(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    cloud.events.calls.clear()
    sign_up()

    [fact] = cloud.facts()

    [row] = [row_of(wire) for wire in cloud.rows(FD_OUTBOX)]
    assert (fact["source"], fact["detail-type"]) == ("frontdesk", "ev.confirmed")
    detail = fact["detail"]
    assert (detail["seq"], detail["kind"], detail["subject"], detail["at"]) == (
        str(row["seq"]),
        "ev.confirmed",
        cloud.desk.event_id,
        "2026-11-16T01:00:00+00:00",
    )
    assert detail["fact"]["party"] == 1
    assert "ann@example.org" not in json.dumps(fact)


def test_an_event_that_the_bus_rejects_is_retried(cloud: Cloud) -> None:
    cloud.desk.given(cap=2)
    sign_up("ann")
    sign_up("bob")
    rows = cloud.rows(FD_OUTBOX)
    payload = stream(FD_OUTBOX, *((None, row) for row in rows))
    refused = {"ErrorCode": "ThrottlingException", "ErrorMessage": "slower"}
    cloud.events.answers = [{"FailedEntryCount": 1, "Entries": [{"EventId": "1"}, refused]}]

    answer = fd_relay(payload, Context())

    second = payload["Records"][1]["dynamodb"]["SequenceNumber"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": second}]}


def test_an_unknown_fact_or_payload_does_no_harm(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    detail = {
        "seq": "1", "kind": "ev.unheard_of", "at": "2026-11-16T01:00:00+00:00",
        "by": "x", "subject": "x", "about": "", "fact": {},
    }  # fmt: skip

    assert messenger({"detail": detail}, Context()) is None
    assert messenger({"send": "unknown", "due_at": "2026-11-16T01:00:00+00:00"}, None) is None
    assert messenger({}, Context()) is None
    assert cloud.mails() == []


# --- timers -----------------------------------------------------------------------------------


def timers(cloud: Cloud, kind: str) -> list[dict[str, str]]:
    """Returns the payloads of the schedules."""
    found = [(name, at) for name, at in _timers(cloud) if name.startswith(f"ev/{kind}/")]
    return [{"timer": name, "due_at": at.isoformat()} for name, at in found]


def _timers(cloud: Cloud) -> list[Any]:
    return list(deployment().back.store.due_timers(cloud.clock.now() + timedelta(days=400), 100))


@pytest.mark.spec("EV-16")
def test_a_reminder_goes_out_once_when_its_schedule_rings_twice(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    cloud.settle()
    first = min(timers(cloud, "reminder"), key=lambda each: each["due_at"])
    with pytest.raises(TooEarly):
        reminder_fire(first, Context())
    cloud.clock.move_to(min(at for name, at in _timers(cloud) if name == first["timer"]))

    reminder_fire(first, Context())
    reminder_fire(first, Context())
    cloud.settle()

    assert len(cloud.mails()) == 2, cloud.mails()


@pytest.mark.spec("EV-15", "EV-16")
def test_reminders_of_a_whole_event_are_fired_together_and_told_of_together(cloud: Cloud) -> None:
    cloud.desk.given(cap=3)
    for who in ("ann", "bob"):
        sign_up(who)
    cloud.settle()
    due_at = min(at for name, at in _timers(cloud) if name.startswith("ev/reminder/"))
    left = [each for each in _timers(cloud) if not each[0].startswith("ev/reminder/")]
    left += [each for each in _timers(cloud) if each[0].startswith("ev/reminder/")][2:]
    cloud.clock.move_to(due_at)
    together = {"kind": "ev/reminder", "due_at": due_at.isoformat()}

    for _ in range(2):
        reminder_fire(together, Context("reminder-fire"))
    brought = stream(FD_OUTBOX, *((None, row) for row in cloud.rows(FD_OUTBOX)))
    for _ in range(2):
        assert messenger(brought, Context()) == {"batchItemFailures": []}

    assert sorted(cloud.mails()[2:]) == [
        ("ann@example.org", "Pottery workshop is in a week"),
        ("bob@example.org", "Pottery workshop is in a week"),
    ]
    assert (sorted(_timers(cloud)), cloud.rows(FD_OUTBOX)) == (sorted(left), [])


@pytest.mark.spec("EV-16")
def test_of_many_reminders_each_run_fires_some_and_hands_the_others_on(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontdesk.aws.timers.TIMERS_PER_RUN", 2)
    cloud.desk.given(cap=5, confirmed=["ann", "bob", "cat", "dan", "eve"])
    due_at = min(at for name, at in _timers(cloud) if name.startswith("ev/reminder/"))
    cloud.clock.move_to(due_at)

    together = {"kind": "ev/reminder", "due_at": due_at.isoformat()}
    reminder_fire(together, Context("reminder-fire"))
    handed = [json.loads(call["Payload"]) for _, call in cloud.lambda_.calls]
    for each in handed:
        reminder_fire(each, Context("reminder-fire"))

    assert [len(each["all"]) for each in handed] == [2, 1]
    assert {call["FunctionName"] for _, call in cloud.lambda_.calls} == {ARN + "reminder-fire"}
    reminded = [row["kind"]["S"] for row in cloud.rows(FD_OUTBOX)].count("ev.reminder_due")
    left = [each for each in timers(cloud, "reminder") if each["due_at"] == due_at.isoformat()]
    assert (reminded, left) == (5, [])


@pytest.mark.spec("EV-16")
def test_one_fact_that_cannot_be_told_holds_up_no_other(cloud: Cloud) -> None:
    cloud.desk.given(cap=2)
    for who in ("ann", "bob"):
        sign_up(who)
    first, second = cloud.rows(FD_OUTBOX)
    broken = {**first, "body": {"S": '{"not": "a fact"}'}}
    payload = stream(FD_OUTBOX, (None, broken), (None, second))

    answer = messenger(payload, Context())

    [failed] = answer["batchItemFailures"] if answer else []
    assert failed["itemIdentifier"] == payload["Records"][0]["dynamodb"]["SequenceNumber"]
    assert len(cloud.mails()) == 1


def test_a_lapsed_offer_rolls_on(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    for who in ("ann", "bob", "cat"):
        sign_up(who)
    cloud.settle()
    cloud.desk.run(Cancel(cloud.guest("ann")))
    cloud.settle()
    [offer] = timers(cloud, "offer")
    cloud.clock.move_to(cloud.clock.now() + timedelta(days=1))

    offer_timeout(offer, Context())
    offer_timeout(offer, Context())
    cloud.settle()

    states = {who: cloud.desk.reads.guest(cloud.guest(who)) for who in ("ann", "bob", "cat")}
    assert {who: guest.state for who, guest in states.items() if guest} == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.OFFERED,
    }


def test_an_unknown_timer_is_retried_and_changes_nothing(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    unknown = {"timer": "ev/unheard/of", "due_at": "2026-11-16T01:00:00+00:00"}

    with pytest.raises(NotFired):
        host_summary(unknown, Context())

    moved = {**timers(cloud, "headcount")[0], "due_at": "2026-11-16T00:00:00+00:00"}
    before = cloud.rows(FD_TIMERS)
    host_summary(moved, Context())
    assert cloud.rows(FD_TIMERS) == before


# --- sends ------------------------------------------------------------------------------------


@pytest.mark.spec("FD-02", "FD-03")
def test_the_function_that_queues_sends_also_delivers_them_and_wakes_no_other(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    [fact] = cloud.facts()

    messenger(fact, Context())

    [row] = [row_of(wire) for wire in cloud.rows(FD_SENDS)]
    assert (row["state"], "wakes" in row) == ("sent", False)


def test_a_guest_who_gets_an_offer_before_the_waiting_mail_gets_only_the_offer(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=0)
    sign_up()
    cloud.desk.run(SetCap(cloud.desk.event_id, 1))
    facts = cloud.facts()
    for fact in facts:
        keeper(fact, Context())

    for fact in facts:
        messenger(fact, Context())
    cloud.settle()

    assert cloud.mails() == [("ann@example.org", "A seat for you: Pottery workshop")]


@pytest.mark.spec("FD-02", "FD-03")
def test_a_run_that_died_before_delivery_is_completed_when_its_fact_is_redelivered(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    [fact] = cloud.facts()
    act_on(deployment().back, fact["detail"], tells)
    assert cloud.mails() == []

    messenger(fact, Context())
    messenger(fact, Context())

    assert [to for to, _about in cloud.mails()] == ["ann@example.org"]


@pytest.mark.spec("FD-02")
def test_a_message_that_staff_send_again_wakes_the_messenger(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    cloud.settle()
    [first] = cloud.rows(FD_SENDS)

    cloud.desk.run(SendAgain(SendId(first["send_id"]["S"]), "1"))

    [again] = [row for row in cloud.rows(FD_SENDS) if row != first]
    assert again["wakes"] == {"S": "messenger"}
    cloud.settle()
    assert [to for to, _about in cloud.mails()] == ["ann@example.org"] * 2


def test_a_send_that_is_due_later_waits_for_its_schedule(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    cloud.ses.answers = [refusal("Throttling"), {"MessageId": "0100-1"}]
    for fact in cloud.facts():
        messenger(fact, Context())
    [row] = [row_of(wire) for wire in cloud.rows(FD_SENDS)]
    assert (row["state"], row["due_at"] > cloud.clock.now().timestamp()) == ("queued", True)
    before = len(cloud.ses.calls)

    assert cloud.sends() == []
    assert len(cloud.ses.calls) == before

    cloud.clock.move_to(cloud.clock.now() + timedelta(minutes=1))
    ring = {"send": row["send_id"], "due_at": "2026-11-16T01:00:59+00:00"}
    messenger(ring, Context())
    messenger(ring, Context())
    assert len(cloud.ses.calls) == before + 1
    assert [row_of(wire)["state"] for wire in cloud.rows(FD_SENDS)] == ["sent"]


# --- jobs -------------------------------------------------------------------------------------


def begin_import(cloud: Cloud, people: int) -> dict[str, Any]:
    rows = tuple(
        ImportRow(nth + 2, f"Guest {nth}", f"guest{nth}@example.org", 1) for nth in range(people)
    )
    cloud.desk.run(BeginImport(cloud.desk.event_id, JobId("0" * 25 + "2"), rows, invite=False))
    return stream(FD_JOBS, *((None, row) for row in cloud.rows(FD_JOBS)))


def test_an_import_is_completed_and_a_repeat_does_no_harm(cloud: Cloud) -> None:
    cloud.desk.given(cap=9)
    payload = begin_import(cloud, 3)

    assert host_import(payload, Context()) == {"batchItemFailures": []}
    assert host_import(payload, Context()) == {"batchItemFailures": []}

    [job] = [row_of(wire) for wire in cloud.rows(FD_JOBS)]
    assert (job["finished"], job["done"]) == (True, 3)


def test_an_import_that_runs_out_of_time_is_continued_by_the_stream_without_an_alarm(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    cloud.desk.given(cap=9)
    payload = begin_import(cloud, 3)

    answer = host_import(payload, Context(left_ms=5_000))

    sequence = payload["Records"][0]["dynamodb"]["SequenceNumber"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence}]}
    assert '"event": "record.unfinished"' in (told := capsys.readouterr().err)
    assert "failed" not in told


# --- mail that comes in, and mail that comes back ------------------------------------------------


@pytest.mark.spec("EV-04")
def test_a_mail_to_the_event_signs_its_sender_up_once_and_leaves_the_inbound_folder(
    cloud: Cloud,
) -> None:
    cloud.desk.given(cap=1)
    for _ in range(2):
        cloud.tables.bucket.put("inbound/a b+c", raw())
        intake_ses_parser(s3_put(cloud.tables.bucket.name, "inbound/a+b%2Bc"), Context())
    intake_ses_parser(s3_put(cloud.tables.bucket.name, "inbound/gone"), Context())
    cloud.settle()

    guest = cloud.desk.reads.guest(cloud.guest("ann"))
    assert guest is not None
    assert guest.state is State.CONFIRMED
    assert [to for to, _ in cloud.mails()] == ["ann@example.org"]
    assert cloud.tables.bucket.get("inbound/a b+c") is None


def test_spam_is_kept_and_not_answered(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    cloud.tables.bucket.put("inbound/one", raw(spam="FAIL"))

    intake_ses_parser(s3_put(cloud.tables.bucket.name, "inbound/one"), Context())
    cloud.settle()

    [mail] = [row_of(wire) for wire in cloud.rows(FD_MAIL)]
    assert (mail["outcome"], cloud.mails()) == ("not answered: spam", [])


def test_a_record_that_cannot_be_read_stays_in_its_queue(cloud: Cloud) -> None:
    cloud.tables.bucket.put("inbound/odd", b"\x00\x01")

    intake_ses_parser(s3_put(cloud.tables.bucket.name, "inbound/odd"), Context())

    assert cloud.tables.bucket.get("inbound/odd") == b"\x00\x01"


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize("kind", ["Bounce", "Complaint"])
def test_mail_that_came_back_is_marked_at_the_person_once(cloud: Cloud, kind: str) -> None:
    cloud.desk.given(cap=1)
    sign_up()
    cloud.settle()
    [row] = [row_of(wire) for wire in cloud.rows(FD_SENDS)]
    said = report(kind, bounce=BOUNCE, complaint={})
    said["mail"]["tags"]["send"] = [row["send_id"]]
    payload = sns(json.dumps(said))

    ev_bounces(payload, Context())
    ev_bounces(payload, Context())
    said["mail"]["tags"]["send"] = ["nobody"]
    ev_bounces(sns(json.dumps(said)), Context())

    person = deployment().back.engine.reads().engine.person_by_email("ann@example.org")
    assert person is not None
    wanted = "550 no such user" if kind == "Bounce" else "was reported as unwanted"
    assert person.bounced == wanted
    assert [row_of(wire)["kind"] for wire in cloud.rows(FD_AUDIT)].count("fd.address_marked") == 1


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.spec("FD-19")
def test_settings_come_from_parameter_store_and_are_read_again_after_five_minutes(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(container, "_clock", lambda: seconds[0])
    first = deployment()
    assert first.settings.links_at == "https://links.example"
    assert first.settings.trusted_authserv == "amazonses.com"
    assert first.settings.channel == "ses", "the console says that mail goes out"
    path = f"/{cloud.tables.prefix}config/business-name"
    cloud.clients["ssm"].put_parameter(Name=path, Value="Kiln & Co", Type="String", Overwrite=True)

    assert deployment() is first
    seconds[0] = 301.0
    assert deployment().settings.business_name == "Kiln & Co"

    wrong = f"/{cloud.tables.prefix}config/base-url"
    cloud.clients["ssm"].put_parameter(Name=wrong, Value="nowhere", Type="String", Overwrite=True)
    seconds[0] = 700.0
    assert deployment().settings.base_url == "https://events.example"
    cloud.clients["ssm"].delete_parameter(Name=path)
