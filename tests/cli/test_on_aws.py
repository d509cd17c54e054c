"""Commands with --aws: the same answers, from the tables of a deployment."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse, HeadersDict
from botocore.exceptions import ClientError
from urllib3 import HTTPResponse

from frontdesk.cli import main
from frontdesk.cli.aws import AwsAccount, Functions, instant_of, replace_rows
from frontdesk.cli.command import CannotRun
from frontdesk.cli.terminal import Terminal
from frontdesk.core.decision import Accepted
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import MarkBounced, PersonId
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.booking.rules import Period
from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.model import Details, State
from frontdesk.desks.waitlist.commands import ClaimOffer
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.engine.clock import SystemClock, VirtualClock
from frontdesk.store.dynamodb.booking.bookings import BOOKINGS, bookings_between
from frontdesk.store.dynamodb.items import put, update
from frontdesk.store.dynamodb.schema import (
    EV_EVENT,
    FD_TIMERS,
    TABLES,
    TBL_BOOKINGS,
    WL_ENTRIES,
    create_request,
)
from frontdesk.store.dynamodb.table_reader import ContentBucket, TableReader
from frontdesk.store.dynamodb.table_restore import RESTORED, TableRestore
from frontdesk.store.dynamodb.waitlist.entries import ENTRIES
from frontdesk.values import replace
from tests.support.booking import BookingDesk, rules
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.emulator import ACCOUNT, REGION, ROOT, Emulator, emulator
from tests.support.rsvp_dynamodb import DynamoRsvpDesk, dynamo_rsvp_desk
from tests.support.waitlist import OPENING, WISH
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk

pytestmark = needs_dynamodb


class Shell:
    """Runs commands in this process on the tables."""

    def __init__(self, tables: Tables, capture: pytest.CaptureFixture[str]) -> None:
        self._tables = tables
        self._capture = capture

    def run(self, command: str, *arguments: str) -> tuple[int, str, str]:
        given = [command, *arguments, "--aws", "--table-prefix", self._tables.prefix]
        self._capture.readouterr()
        status = main(given)
        out, err = self._capture.readouterr()
        return status, out, err

    def says(self, command: str, *arguments: str) -> str:
        status, out, err = self.run(command, *arguments)
        assert status == 0, err or out
        return out

    def data(self, command: str, *arguments: str) -> Any:
        return json.loads(self.says(command, *arguments, "--json"))


@pytest.fixture
def shell(
    dynamodb: Tables, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    for name, value in {
        "AWS_ENDPOINT_URL": dynamodb.client.meta.endpoint_url,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": REGION,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("frontdesk.cli.maintenance.time.sleep", lambda _seconds: None)
    return Shell(dynamodb, capsys)


@pytest.fixture
def desk(dynamodb: Tables, tmp_path: Path) -> DynamoRsvpDesk:
    """Has an event with two seats, both taken, and one guest in line, in real time."""
    desk = dynamo_rsvp_desk(dynamodb, tmp_path)
    desk.clock.move_to(SystemClock().now())
    starts_at = desk.clock.now() + timedelta(days=10)
    details = Details("Pottery", starts_at, starts_at + timedelta(hours=2), "UTC")
    who = {"confirmed": ["ann", "bob"], "line": ["cat"]}
    desk.given(cap=2, details=details, quiet=NO_QUIET_HOURS, **who)
    return desk


@pytest.mark.spec("FD-07")
def test_the_doctor_finds_that_all_is_well_and_how_much_there_is(
    desk: DynamoRsvpDesk, shell: Shell
) -> None:
    found = shell.data("doctor")

    assert found["well"], found["problems"]
    assert (found["events"], found["guests"]) == (1, 3)
    assert found["facts"] == 4


def test_the_doctor_finds_a_counter_that_is_wrong_and_a_timer_that_is_lost(
    desk: DynamoRsvpDesk, shell: Shell, dynamodb: Tables
) -> None:
    reader = TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)
    wrong = update(
        EV_EVENT.name,
        {"event_id": desk.event_id},
        "SET taken = :taken",
        when="attribute_exists(event_id)",
        taken=1,
    )
    reader.write(wrong)
    timer = desk.guest("ann").reminders[0]
    dynamodb.client.delete_item(
        TableName=dynamodb.prefix + FD_TIMERS.name, Key={"name": {"S": timer}}
    )

    status, out, err = shell.run("doctor")

    assert status == 1
    assert "checking again" in err
    assert "taken says 1, the guests add up to 2" in out
    assert f"guest {desk.id('ann')} has lost the timers {timer}" in out


@pytest.mark.spec("WL-19", "FD-06")
def test_the_doctor_finds_a_slot_whose_customer_waits_again(shell: Shell, dynamodb: Tables) -> None:
    desk = dynamo_waitlist_desk(dynamodb)
    desk.clock.move_to(now := SystemClock().now())
    on = (now + timedelta(days=2)).date()
    desk.given(quiet=NO_QUIET_HOURS)
    desk.join("ann", replace(WISH, earliest_on=on - timedelta(days=1), latest_on=on))
    desk.free(replace(OPENING, starts_at=now + timedelta(days=1)))
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    assert shell.data("doctor")["problems"] == []
    nearby = (on + timedelta(days=each) for each in (-1, 0))  # in the zone of the business
    [slot] = [each for day in nearby for each in shell.data("slots", "--on", f"{day}")]
    assert (slot["slot"], slot["state"]) == ("s1", "booked by Ann")
    assert "Ann" in shell.says("slots", "s1")

    reader = TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)
    row = reader.get(WL_ENTRIES, ENTRIES.shelf, "ann")
    assert row is not None
    reader.write(put(WL_ENTRIES.name, WL_ENTRIES.key.names, row | {"status": "waiting"}))

    assert "slot s1: it is booked by ann, whose entry is waiting" in shell.run("doctor")[1]


def test_a_problem_that_is_gone_at_the_second_check_does_not_count(
    desk: DynamoRsvpDesk, shell: Shell, dynamodb: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = dynamodb.prefix + FD_TIMERS.name
    key = {"name": {"S": desk.guest("ann").reminders[0]}}
    timer = dynamodb.client.get_item(TableName=name, Key=key)["Item"]
    dynamodb.client.delete_item(TableName=name, Key=key)

    def meanwhile(_seconds: float) -> None:
        dynamodb.client.put_item(TableName=name, Item=timer)

    monkeypatch.setattr("frontdesk.cli.maintenance.time.sleep", meanwhile)

    assert shell.data("doctor")["problems"] == []


@pytest.mark.spec("BK-07", "BK-18")
def test_bookings_their_story_and_why_a_day_is_full_answer_from_the_tables(
    shell: Shell, dynamodb: Tables, tmp_path: Path
) -> None:
    now = SystemClock().now()
    desk = BookingDesk(tmp_path, dynamodb, clock=VirtualClock(now))
    on = (now + timedelta(days=3)).date()
    start = datetime(on.year, on.month, on.day, 10, tzinfo=UTC)
    hours = ((Period(10 * 60, 11 * 60, line=1),),) * 7
    desk.given(rules(hours=hours)).book("ann", start)

    [row] = shell.data("bookings", "--on", f"{on}")
    assert (row["customer"], row["with"], row["state"]) == ("Ann", "Mira", "confirmed")
    assert "Booked on the booking page" in shell.says("bookings", row["booking"])
    assert shell.data("why", "cut", f"{on}")[:3] == [
        f"{on:%A} {on.day} {on:%B} has no times for cut.",
        "Mira works 10:00–11:00 (line 1).",
        "Mira's time is taken 10:00–11:00.",
    ]
    desk.close()


@pytest.mark.spec("BK-18", "FD-06")
def test_doctor_and_rebuild_find_a_booking_that_differs_from_its_facts(
    shell: Shell, dynamodb: Tables, tmp_path: Path
) -> None:
    now = SystemClock().now()
    desk = BookingDesk(tmp_path, dynamodb, clock=VirtualClock(now))
    start = (now + timedelta(days=3)).replace(hour=10, minute=0, second=0, microsecond=0)
    desk.given(rules(hours=((Period(10 * 60, 11 * 60, line=1),),) * 7)).book("ann", start)
    desk.close()
    assert (shell.data("doctor")["problems"], shell.data("rebuild")["booking"]) == ([], [])

    reader = TableReader(dynamodb.client, dynamodb.bucket, dynamodb.prefix)
    [booking] = bookings_between(reader, start, start + timedelta(hours=1))
    row = reader.get(TBL_BOOKINGS, BOOKINGS.shelf, booking.id)
    assert row is not None
    reader.write(put(TBL_BOOKINGS.name, TBL_BOOKINGS.key.names, row | {"party": 2}))

    assert booking.id in shell.run("doctor")[1]
    assert booking.id in shell.run("rebuild")[1]


@pytest.mark.spec("FD-15")
def test_the_doctor_says_that_an_owner_gets_no_mail(desk: DynamoRsvpDesk, shell: Shell) -> None:
    mira = PersonId("mira")
    invited = (MemberId("m1"), mira, "Mira", "mira@example.org", Role.OWNER)
    desk.run(InviteMember(*invited, event_id="", nonce=1))
    person = desk.product.engine.reads().engine.person(mira)
    assert person is not None
    marked = MarkBounced(mira, person.contact_version, "no such mailbox")
    desk.product.store.commit(Accepted((marked,)), by="test", at=desk.clock.now())

    status, out, _ = shell.run("doctor")

    assert status == 1
    assert "Mira of the team gets no mail. It came back: no such mailbox." in out


def test_rebuild_story_why_events_and_export_answer_from_the_tables(
    desk: DynamoRsvpDesk, shell: Shell, tmp_path: Path
) -> None:
    desk.do(Cancel(desk.id("ann")))

    assert shell.data("rebuild") == {
        "same": True,
        "events": [{"event": "pottery", "guests": 3, "differences": []}],
        "waitlist": [],
        "booking": [],
        "reminders": [],
    }
    assert "Ann" in shell.says("story", "pottery")
    assert "Cat" in shell.says("story", "pottery", "--guest", "cat@example.org")
    assert shell.data("why", "pottery") == []
    assert [each["event"] for each in shell.data("events")] == ["pottery"]
    listed = json.loads(shell.says("export", "pottery", "--format", "json"))
    assert {row["name"]: row["state"] for row in listed} == {
        "Ann": "cancelled",
        "Bob": "confirmed",
        "Cat": "offered",
    }


def test_missing_tables_are_reported_in_one_line(
    dynamodb: Tables, shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["doctor", "--aws", "--table-prefix", "elsewhere-"])

    assert status == 1
    said = capsys.readouterr().err
    assert said.startswith("frontdesk: Not found in this account and region")
    assert said.count("\n") == 1


# --- restore --------------------------------------------------------------------------------


def test_a_restore_puts_rows_back_as_they_were_and_deletes_later_ones(
    desk: DynamoRsvpDesk, shell: Shell, dynamodb: Tables
) -> None:
    recoverable(dynamodb)
    restoring = TableRestore(dynamodb.client, datetime.now(UTC), dynamodb.prefix, pause=no_pause)
    restoring.begin()
    restoring.wait(lambda _done, _total: None)
    try:
        desk.do(Cancel(desk.id("ann")))
        desk.sign_up("dan")
        assert desk.states()["ann"] is State.CANCELLED
        restoring.begin()

        with functions(dynamodb) as stopped:
            replace_rows(restoring, stopped.functions, Terminal(), pause=stopped.reader)
            assert stopped.while_copying == {"ours": 0, "bounded": 0}
            assert stopped.reserved() == {"ours": None, "bounded": 3}

        assert [row.person.name for row in desk.reads.guest_rows(desk.event_id, limit=9)] == [
            "Ann",
            "Bob",
            "Cat",
        ]
        assert desk.state("ann") is State.CONFIRMED
        assert shell.data("doctor")["problems"] == []
        tables = dynamodb.client.list_tables()["TableNames"]
        assert [name for name in tables if name.startswith("restored-")] == []
    finally:
        restoring.tidy_up()


def test_a_restore_without_replace_leaves_the_present_tables_alone(
    desk: DynamoRsvpDesk, shell: Shell, dynamodb: Tables
) -> None:
    recoverable(dynamodb)
    at = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=6)
    before = {table.name: dynamodb.rows(table) for table in RESTORED}

    out = shell.says("restore", "--at", at.isoformat())

    try:
        prefix = out.partition("--table-prefix ")[2].split()[0]
        tables = dynamodb.client.list_tables(ExclusiveStartTableName="restored-")["TableNames"]
        assert {f"{prefix}{table.name}" for table in RESTORED} <= set(tables)
        assert {table.name: dynamodb.rows(table) for table in RESTORED} == before
    finally:
        TableRestore(dynamodb.client, at, dynamodb.prefix).tidy_up()


def test_functions_work_again_when_a_restore_fails(dynamodb: Tables) -> None:
    class Fails(TableRestore):
        def copy(self, progress: Any) -> Any:
            raise CannotRun("the line is cut")

    with functions(dynamodb) as stopped:
        restoring = Fails(dynamodb.client, datetime.now(UTC), dynamodb.prefix)
        with pytest.raises(CannotRun, match="the line is cut"):
            replace_rows(restoring, stopped.functions, Terminal(), pause=stopped.reader)

        assert stopped.while_copying == {"ours": 0, "bounded": 0}
        assert stopped.reserved() == {"ours": None, "bounded": 3}


def test_a_function_that_cannot_be_started_keeps_no_other_from_it(dynamodb: Tables) -> None:
    with functions(dynamodb) as stopped:
        every = stopped.functions
        stuck = Functions(every._cloudformation, StartsNot(every._lambda, "fd-sweep"), every._stack)
        with (
            pytest.raises(CannotRun, match="throttled"),
            stuck.stopped(Terminal(), stopped.reader),
        ):
            pass

        assert stopped.while_copying == {"ours": 0, "bounded": 0}
        assert stopped.reserved() == {"ours": None, "bounded": 3}


class StartsNot:
    """Stands for Lambda; one function cannot be started again."""

    def __init__(self, lambda_: Any, name: str) -> None:
        self._lambda = lambda_
        self._name = name

    def __getattr__(self, call: str) -> Any:
        return getattr(self._lambda, call)

    def delete_function_concurrency(self, FunctionName: str) -> None:  # noqa: N803 - as boto3 has it
        if FunctionName.endswith(self._name):
            raise CannotRun("throttled")
        self._lambda.delete_function_concurrency(FunctionName=FunctionName)


def test_calls_that_aws_throttles_are_repeated_but_a_question_is_asked_once(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AWS accepts 15 requests a second that configure functions."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _seconds: None)
    account = AwsAccount(profile=None, region=REGION)
    asked: list[str] = []

    def throttled(request: Any, **_more: Any) -> AWSResponse:
        asked.append(request.url)
        headers = HeadersDict({"x-amzn-errortype": "TooManyRequestsException"})
        return AWSResponse(
            request.url, 429, headers, HTTPResponse(BytesIO(b"{}"), preload_content=False)
        )

    account._session.register("before-send.lambda", throttled)
    with pytest.raises(ClientError, match="TooManyRequests"):
        account.client("lambda").put_function_concurrency(
            FunctionName="keeper", ReservedConcurrentExecutions=0
        )
    assert len(asked) > 3
    asked.clear()
    with pytest.raises(ClientError, match="TooManyRequests"):
        account.ask({"ask": "replay"})
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "Give an instant"),
        ("yesterday", "not an instant"),
        ("2026-11-16T08:00", "no time zone"),
        ("2026-11-16T11:59Z", "five minutes ago"),
        ("2026-10-01T00:00Z", "35 days"),
    ],
)
def test_an_instant_that_cannot_be_restored_is_refused(text: str | None, why: str) -> None:
    now = datetime(2026, 11, 16, 12, tzinfo=UTC)

    with pytest.raises(CannotRun, match=why):
        instant_of(text, now)
    assert instant_of("2026-11-16T09:00+01:00", now) == datetime(2026, 11, 16, 8, tzinfo=UTC)


def no_pause(_seconds: float) -> None:
    return


def recoverable(tables: Tables) -> None:
    """Switches point-in-time recovery on, as the template does."""
    for table in RESTORED:
        tables.client.update_continuous_backups(
            TableName=tables.prefix + table.name,
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )


DOES_NOTHING = "def handler(event, context): return {}"


class Stopped:
    """Two functions in their own stack, one with a limit on concurrency."""

    def __init__(self, cloudformation: Any, lambda_: Any, stack: str, prefix: str) -> None:
        self._lambda = lambda_
        self._prefix = prefix
        self.functions = Functions(cloudformation, lambda_, stack)
        self.while_copying: dict[str, int | None] = {}

    def reader(self, _seconds: float) -> None:
        self.while_copying = self.reserved()

    def reserved(self) -> dict[str, int | None]:
        return {
            name: self._lambda.get_function_concurrency(FunctionName=self._prefix + name).get(
                "ReservedConcurrentExecutions"
            )
            for name in ("ours", "bounded")
        }


@contextmanager
def functions(tables: Tables, fd_sweep: str = DOES_NOTHING) -> Iterator[Stopped]:
    where = {
        "endpoint_url": tables.client.meta.endpoint_url,
        "region_name": REGION,
        "aws_access_key_id": "test",
        "aws_secret_access_key": "test",
    }
    cloudformation, lambda_ = (boto3.client(each, **where) for each in ("cloudformation", "lambda"))
    stack = f"{tables.prefix}stack"
    role = "arn:aws:iam::000000000000:role/any"
    template = {
        "Resources": {
            name.replace("-", ""): {
                "Type": "AWS::Lambda::Function",
                "Properties": {
                    "FunctionName": tables.prefix + name,
                    "Runtime": "python3.13",
                    "Handler": "index.handler",
                    "Role": role,
                    "Code": {"ZipFile": code},
                },
            }
            for name, code in (
                ("ours", DOES_NOTHING),
                ("bounded", DOES_NOTHING),
                ("fd-sweep", fd_sweep),
            )
        }
    }
    cloudformation.create_stack(StackName=stack, TemplateBody=json.dumps(template))
    cloudformation.get_waiter("stack_create_complete").wait(
        StackName=stack, WaiterConfig={"Delay": 1}
    )
    lambda_.put_function_concurrency(
        FunctionName=f"{tables.prefix}bounded", ReservedConcurrentExecutions=3
    )
    try:
        yield Stopped(cloudformation, lambda_, stack, tables.prefix)
    finally:
        cloudformation.delete_stack(StackName=stack)


# --- rights ---------------------------------------------------------------------------------

POLICY = ROOT / "deploy" / "aws" / "look-policy.json"
LOOKING = (
    ("events",),
    ("doctor",),
    ("rebuild",),
    ("story", "pottery"),
    ("why", "pottery"),
    ("export", "pottery"),
    ("slots",),
    ("bookings",),
    ("why", "cut", f"{SystemClock().now():%Y-%m-%d}"),
)


def test_commands_that_look_need_no_more_than_the_policy_in_the_documentation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with emulator(auth=True) as local:
        client = local.client("dynamodb")
        for table in TABLES:
            client.create_table(**create_request(table))
        tables = Tables(client, ContentBucket(None, ""), ContentBucket(None, ""), "")
        desk = dynamo_rsvp_desk(tables, tmp_path)
        desk.clock.move_to(SystemClock().now())
        starts_at = desk.clock.now() + timedelta(days=10)
        details = Details("Pottery", starts_at, starts_at + timedelta(hours=2), "UTC")
        desk.given(cap=1, details=details, confirmed=["ann"], line=["bob"])
        salon = BookingDesk(tmp_path, tables, clock=VirtualClock(SystemClock().now()))
        salon.given().close()
        for name, value in role_keys(local).items():
            monkeypatch.setenv(name, value)

        with pytest.raises(ClientError, match="AccessDenied"):
            boto3.client("dynamodb").delete_item(
                TableName="ev-event", Key={"event_id": {"S": desk.event_id}}
            )
        with pytest.raises(ClientError, match="AccessDenied"):
            boto3.client("dynamodb").scan(TableName="fd-sessions")
        for command in LOOKING:
            status = main([*command, "--aws"])
            out, err = capsys.readouterr()
            assert status == 0, (command, out, err)


def role_keys(local: Emulator) -> dict[str, str]:
    """Returns an environment whose keys have only this policy."""
    iam, sts = local.client("iam"), local.client("sts")
    owner = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
    may = {"Effect": "Allow", "Principal": owner, "Action": "sts:AssumeRole"}
    trust = {"Version": "2012-10-17", "Statement": [may]}
    role = iam.create_role(RoleName="looks", AssumeRolePolicyDocument=json.dumps(trust))["Role"]
    iam.put_role_policy(RoleName="looks", PolicyName="look", PolicyDocument=POLICY.read_text())
    keys = sts.assume_role(RoleArn=role["Arn"], RoleSessionName="test")["Credentials"]
    return {
        "AWS_ENDPOINT_URL": local.url,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
    }


# --- replay ---------------------------------------------------------------------------------


def test_replay_asks_the_function_that_does_it_and_says_what_became_of_each(
    shell: Shell, dynamodb: Tables
) -> None:
    code = """
def handler(question, context):
    letters = question["letters"]
    outcome = "It was tried again, and failed again."
    return {"replayed": 2, "letters": {"7": outcome} if letters == [7] else {}}
"""
    with functions(dynamodb, fd_sweep=code):
        status, out, err = shell.run("replay", "7")
        assert (status, out) == (1, "7: It was tried again, and failed again.\n")
        assert "2 failed calls repeated." in err
        assert shell.says("replay") == "There are no dead letters.\n"
