"""Deploys the whole application once to an emulated AWS, and lets tests use and watch it."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cached_property
from http.cookies import SimpleCookie
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlencode, urljoin, urlsplit

import urllib3

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.decision import Command
from frontdesk.core.ids import new_id
from frontdesk.core.jobs import JobId
from frontdesk.core.mail import MailFolder
from frontdesk.core.people import Person
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.core.sends import Via
from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings, State
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.keys import link_keys
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings as ServerSettings
from frontdesk.store.dynamodb.schema import (
    FD_JOBS,
    FD_OUTBOX,
    FD_RATELIMIT,
    FD_SENDS,
    Table,
)
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import ContentBucket
from frontdesk.values import replace
from frontdesk.wiring.application import Application, build_application
from frontdesk.wiring.aws import TABLES
from frontdesk.wiring.one_machine import Frontdesk
from script.aws_template import application
from tests.aws.record import Record
from tests.smtp_sink import SmtpSink
from tests.support.emulator import ACCOUNT, REGION, Emulator, emulator
from tests.support.guest_links import CANCEL, TAKE
from tests.support.mail import a_mail
from tests.support.rsvp import RsvpDesk
from tests.support.server import FORM, Page

RECORDER = Path(__file__).parent / "recorder"
DOMAIN = "frontdesk.example"
CODE = "frontdesk-code"
MAIL_BUCKET = f"ev-raw-mime-{ACCOUNT}"
WAITLIST_MAIL_BUCKET = f"wl-raw-mime-{ACCOUNT}"
SHEETS_BUCKET = f"wl-waitlist-source-{ACCOUNT}"
#: The functions that have a URL.
OPEN = (
    *("register", "link-handler", "fd-console"),
    *("web-form", "claim-handler", "slot-webhook", "slack-press", "bk-pages"),
    *("fn-config-sync", "reply-handler"),
)
#: Long enough for several cold starts on a busy machine.
PATIENCE_SECONDS = 90.0
#: These schedules would fire in the middle of any test, so tests call the functions themselves.
HOURLY = ("fd-sweep", "ar-hourly-tick")
FAR_AWAY = datetime.fromisoformat("2999-01-01T00:00:00+00:00")
MANY = 1_000_000
#: A setting that every function with access to tables needs.
NEEDED = "FRONTDESK_MAIL_BUCKET"

T = TypeVar("T")


@dataclass
class Stack:
    emulator: Emulator
    sink: SmtpSink
    record: Record
    addresses: dict[str, str]
    """The URLs of functions, by name."""
    numbers: Path
    """The answers of SNS, by number."""
    given_bytes: int = 0
    """The bytes that visitors received."""

    def client(self, service: str) -> Any:
        return self.emulator.client(service)

    @cached_property
    def dynamodb(self) -> Any:
        return self.client("dynamodb")

    @cached_property
    def s3(self) -> Any:
        return self.client("s3")

    @cached_property
    def functions(self) -> Any:
        return self.client("lambda")

    @cached_property
    def scheduler(self) -> Any:
        return self.client("scheduler")

    def schedule_names(self) -> list[str]:
        listed = self.scheduler.list_schedules(GroupName="frontdesk", MaxResults=100)
        return [each["Name"] for each in listed["Schedules"]]

    def invoke(self, name: str, payload: Any) -> Any:
        """Returns the answer; fails the test on an error."""
        got = self.functions.invoke(FunctionName=name, Payload=json.dumps(payload).encode())
        answer = json.loads(got["Payload"].read() or b"null")
        assert "FunctionError" not in got, (name, answer)
        return answer

    def rows(self, table: Table) -> list[dict[str, Any]]:
        pages = self.dynamodb.get_paginator("scan").paginate(
            TableName=table.name, ConsistentRead=True
        )
        return [item for page in pages for item in page["Items"]]

    def forget_visitors(self) -> None:
        """Resets the rate limits: all visitors of the tests have one address."""
        for row in self.rows(FD_RATELIMIT):
            key = {name: row[name] for name in FD_RATELIMIT.key.names}
            self.dynamodb.delete_item(TableName=FD_RATELIMIT.name, Key=key)

    # The recorder

    def recorded(self, start: int = 0) -> list[dict[str, Any]]:
        """Returns the lines from this number on."""
        return self.record.rows(start)

    def denied(self) -> list[str]:
        return sorted(
            {
                f"{each['by'].split('/')[1]}: {each['asked']} on {each['of']}"
                for each in self.recorded()
                if each.get("allowed") is False
            }
        )

    def failed(self, start: int = 0) -> list[str]:
        """Returns runs that ended with an error."""
        return [
            f"{each['ends']}: {each['result']}"
            for each in self.recorded(start)
            if each.get("result")
        ]

    @staticmethod
    def milliseconds() -> int:
        return int(time.time() * 1000)

    @property
    def lines(self) -> int:
        return len(self.record)

    def runs_since(self, start: int) -> Counter[str]:
        return Counter(each["ends"] for each in self.recorded(start) if "ends" in each)

    def asked_since(self, start: int) -> Counter[str]:
        """Counts the actions that the functions requested."""
        return Counter(each["asked"] for each in self.recorded(start) if "asked" in each)

    def put_since(self, start: int) -> list[dict[str, Any]]:
        """Returns the facts that the functions put on the bus."""
        return [one for each in self.recorded(start) for one in each.get("put", ())]

    def put(self, entry: dict[str, Any]) -> None:
        self.client("events").put_events(Entries=[entry])

    def publish(self, topic: str, notice: Any) -> None:
        arn = f"arn:aws:sns:{REGION}:{ACCOUNT}:{topic}"
        self.client("sns").publish(TopicArn=arn, Message=json.dumps(notice))

    @contextmanager
    def deaf(self, function: str) -> Iterator[None]:
        """Makes the streams of a function wait much too long."""
        mappings = self.functions.list_event_source_mappings(FunctionName=function)
        ids = [each["UUID"] for each in mappings["EventSourceMappings"]]
        for one in ids:
            self.functions.update_event_source_mapping(UUID=one, Enabled=False)
        yield
        for one in ids:
            self.functions.update_event_source_mapping(UUID=one, Enabled=True)

    @contextmanager
    def broken(self, function: str) -> Iterator[None]:
        """Makes every run of a function fail, as after a bad deployment."""
        kept = self.functions.get_function_configuration(FunctionName=function)["Environment"]
        lacking = {name: value for name, value in kept["Variables"].items() if name != NEEDED}
        self._reconfigure(function, {"Variables": lacking})
        try:
            yield
        finally:
            self._reconfigure(function, kept)

    def _reconfigure(self, function: str, environment: dict[str, Any]) -> None:
        self.functions.update_function_configuration(FunctionName=function, Environment=environment)
        self.functions.get_waiter("function_updated_v2").wait(FunctionName=function)

    def ring(self, name: str, payload: Any) -> None:
        """Calls a function asynchronously, as a rule does; failures are retried."""
        self.functions.invoke(
            FunctionName=name, InvocationType="Event", Payload=json.dumps(payload).encode()
        )

    def failures(self) -> int:
        """Returns the number of failed calls in the queue."""
        sqs = self.client("sqs")
        url = sqs.get_queue_url(QueueName="fd-failures")["QueueUrl"]
        name = "ApproximateNumberOfMessages"
        found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])["Attributes"]
        return int(found[name])

    # Texts

    def opt_out(self, number: str) -> None:
        """Makes SNS report that this number wants no texts."""
        self._answer_for(number, {"opted_out": True})

    def refuse_texts(self, number: str, error: str) -> None:
        """Makes SNS answer every text to this number with an error of its own description."""
        shapes = self.client("sns").meta.service_model.operation_model("Publish").error_shapes
        [said] = [shape.metadata["error"] for shape in shapes if shape.name == error]
        self._answer_for(number, {"code": said["code"], "status": said["httpStatusCode"]})

    def _answer_for(self, number: str, told: dict[str, Any]) -> None:
        before = json.loads(self.numbers.read_text()) if self.numbers.exists() else {}
        self.numbers.write_text(json.dumps({**before, number: told}))

    # Waiting

    def until(self, what: str, reader: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
        """Waits for an answer that is not empty, and returns it."""
        give_up_at = time.monotonic() + seconds
        while not (answer := reader()):
            assert time.monotonic() < give_up_at, f"{what}: not in time. {self.trouble()}"
            time.sleep(0.05)
        return answer

    def settle(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Waits until all work is done."""
        self.until("settled", self._is_calm, seconds)

    def _is_calm(self) -> bool:
        """Returns whether no work is left. Jobs cause facts, and facts cause sends, so they are
        read in this order. If work starts meanwhile, the rows that were read first are outdated."""
        before = self.emulator.work()
        if before["open"] or self._open_jobs() or self.rows(FD_OUTBOX) or self._due_sends():
            return False
        return self.emulator.work() == before

    def _due_sends(self) -> list[dict[str, Any]]:
        now = time.time()
        return [
            row
            for row in self.rows(FD_SENDS)
            if row["state"]["S"] == "sending"
            or (row["state"]["S"] == "queued" and float(row.get("due_at", {"N": "0"})["N"]) <= now)
        ]

    def _open_jobs(self) -> list[dict[str, Any]]:
        return [row for row in self.rows(FD_JOBS) if "open" in row]

    def trouble(self) -> str:
        """Describes possible causes."""
        return json.dumps(
            {
                "denied": self.denied(),
                "failed": self.failed()[-5:],
                "outbox": [row.get("kind", row["seq"]) for row in self.rows(FD_OUTBOX)][:10],
                "sends": [row for row in self.rows(FD_SENDS) if row["state"]["S"] != "sent"][:3],
                "dead letters": self.dynamodb.scan(TableName="fd-deadletters")["Items"][:3],
                "emulator": self.emulator.log[-2_000:],
            },
            indent=1,
        )

    # Mail

    def mails_to(self, email: str) -> list[EmailMessage]:
        return [mail.message for mail in list(self.sink.received) if email in mail.rcpt_to]

    def mail_comes_in(self, name: str, raw: bytes, bucket: str = MAIL_BUCKET) -> None:
        """Puts the mail into the bucket as SES does."""
        self.s3.put_object(Bucket=bucket, Key=f"inbound/{name}", Body=raw)


@dataclass
class Visitor:
    """A browser that visits the functions by their URLs and keeps cookies."""

    stack: Stack
    cookies: dict[str, str] = field(default_factory=dict)
    http: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(maxsize=16))
    patience: float = PATIENCE_SECONDS

    def get(self, url: str) -> Page:
        return self._follow(self.send("GET", url))

    def post(self, url: str, **fields: object) -> Page:
        body = urlencode(fields, doseq=True).encode()
        return self._follow(self.send("POST", url, body, {"content-type": FORM}))

    def _follow(self, page: Page) -> Page:
        for _hop in range(5):
            if page.status not in (303, 307, 302):
                return page
            page = self.send("GET", urljoin(page.url, page.headers["location"]))
        raise AssertionError(f"{page.url} leads nowhere")

    def send(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Page:
        there = urlsplit(url)
        path = there.path + (f"?{there.query}" if there.query else "")
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {
            "host": there.netloc,
            "origin": f"{there.scheme}://{there.netloc}",
            **({"cookie": kept} if kept else {}),
            **(headers or {}),
        }
        answer = self.http.request(
            method,
            f"{self.stack.emulator.url}{path}",
            body=body,
            headers=sent,
            redirect=False,
            retries=False,
            timeout=self.patience,
        )
        self.stack.given_bytes += len(answer.data)
        for line in answer.headers.getlist("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        names = {name.lower(): value for name, value in answer.headers.items()}
        return Page(answer.status, names, answer.data.decode("utf-8", "replace"), url)


@dataclass
class AwsDesk(RsvpDesk):
    """Uses its own event in the tables; the deployed functions do the work after a command."""

    stack: Stack
    slug: str

    def given(
        self, *, cap: int, starts_in: timedelta = timedelta(days=30), **settings: Any
    ) -> AwsDesk:
        starts_at = self.clock.now() + starts_in
        details = Details(
            "Pottery workshop", starts_at, starts_at + timedelta(hours=2), "UTC", "12 Kiln Lane"
        )
        settings = {"reminders": (), "daily_mail": False, "quiet": NO_QUIET_HOURS, **settings}
        self.run(
            CreateEvent(
                self.event_id, self.slug, details, replace(EventSettings(), **settings), cap
            )
        )
        self.stack.until("on schedule", lambda: self.schedules() == self.own_timers())
        return self

    def settle(self) -> AwsDesk:
        self.stack.settle()
        return self

    def timers(self) -> dict[str, datetime]:
        return dict(sorted(self.product.store.due_timers(FAR_AWAY, MANY)))

    def own_timers(self) -> set[tuple[str, datetime]]:
        """Returns the timers of this event and its guests."""
        return {
            (name, due_at)
            for name, due_at in self.timers().items()
            if self.event_id in name or any(each in name for each in self.ids.values())
        }

    def schedules(self) -> set[tuple[str, datetime]]:
        """Returns the schedules of the same timers."""
        return {timer for timers in self._schedules().values() for timer in timers}

    def forget_schedules(self) -> None:
        """Deletes them, as if AWS had lost them."""
        for name in self._schedules():
            self.stack.scheduler.delete_schedule(GroupName="frontdesk", Name=name)

    def _schedules(self) -> dict[str, set[tuple[str, datetime]]]:
        """Returns the schedules by name: one for each timer, or one for all timers of a kind that
        are due at the same time."""
        mine, own = (self.event_id, *self.ids.values()), self.own_timers()
        found = {}
        for name in self.stack.schedule_names():
            kept = self.stack.scheduler.get_schedule(GroupName="frontdesk", Name=name)
            ring = json.loads(kept["Target"].get("Input", "{}"))
            due_at = datetime.fromisoformat(ring.get("due_at", FAR_AWAY.isoformat()))
            if any(each in ring.get("timer", "") for each in mine):
                found[name] = {(ring["timer"], due_at)}
            elif kind := ring.get("kind"):
                found[name] = {
                    each for each in own if each[0].startswith(kind) and each[1] == due_at
                }
        return {name: timers for name, timers in found.items() if timers}

    def guest_states(self) -> dict[str, State]:
        rows = self.reads.guest_rows(self.event_id)
        return {row.person.email: row.guest.state for row in rows}

    def offer_timers(self) -> list[tuple[str, datetime]]:
        return [timer for timer in self.own_timers() if timer[0].startswith("ev/offer/")]

    def ring(self, beginning: str, then: Callable[[], object]) -> None:
        """Makes a timer of this event due now, waits until its schedule fires, and calls `then`."""
        [name] = [name for name, _ in self.own_timers() if name.startswith(beginning)]
        self.stack.dynamodb.update_item(
            TableName="fd-timers",
            Key={"name": {"S": name}},
            UpdateExpression="SET due_at = :now",
            ExpressionAttributeValues={":now": {"N": str(int(time.time()))}},
        )
        start = self.stack.lines
        self.stack.until(
            f"{name} rings", lambda: any("fired" in row for row in self.stack.recorded(start))
        )
        then()

    def is_over(self) -> None:
        """Moves its end to an hour ago."""
        ago = int(time.time()) - 3_600
        self.stack.dynamodb.update_item(
            TableName="ev-event",
            Key={"event_id": {"S": self.event_id}},
            UpdateExpression="SET starts_at = :ago, ends_at = :ago",
            ExpressionAttributeValues={":ago": {"N": str(ago)}},
        )

    def joined_long_ago(self) -> None:
        """Moves all joining times back by a day."""
        ago = int(time.time()) - 86_400
        for row in self.reads.guest_rows(self.event_id, limit=MANY):
            self.stack.dynamodb.update_item(
                TableName="ev-guests",
                Key={"event_id": {"S": self.event_id}, "guest_id": {"S": row.guest.id}},
                UpdateExpression="SET joined_at = :ago",
                ExpressionAttributeValues={":ago": {"N": str(ago)}},
            )

    def new_job(self) -> JobId:
        return JobId(self.product.engine.new_id())

    def run_long_ago(self, command: Command) -> None:
        """Runs a command with an earlier time, so that no follower is still about to act on it."""
        at = self.clock.now() - timedelta(minutes=10)
        outcome = self.product.engine.run(command, by="test", now=at)
        assert isinstance(outcome, Committed), outcome

    def person(self, who: str) -> Person:
        person = self.reads.person_by_email(self.email(who))
        assert person is not None
        return person

    @property
    def page(self) -> str:
        """Returns the address of the sign-up page."""
        return f"{self.stack.addresses['register']}e/{self.slug}"

    def signs_up(self, who: str, **fields: object) -> Page:
        """Sends the form as a browser does, and waits for the mail that answers it.

        A guest with an offer before that mail goes out gets no mail about waiting.
        """
        visitor, read = Visitor(self.stack), len(self.mails(who))
        shown = visitor.get(self.page)
        assert shown.status == 200, shown.body
        filled = {**shown.fields, "name": who.title(), "email": self.email(who), **fields}
        page = visitor.post(self.page, **filled)
        self._know(who)
        self.wait_for_mails(who, read + 1)
        return page

    def _know(self, who: str) -> None:
        for row in self.reads.guest_rows(self.event_id):
            if row.person.email == self.email(who):
                self.ids[who] = row.guest.id

    def email(self, who: str) -> str:
        return f"{who}-{self.slug}@example.org"

    def subjects(self, who: str) -> list[str]:
        return [str(mail["subject"]) for mail in self.mails(who)]

    def wait_for_mails(self, who: str, how_often: int) -> list[str]:
        """Waits until they have this many mails; returns the subjects."""
        self.stack.until(f"{how_often} mails to {who}", lambda: len(self.mails(who)) >= how_often)
        return self.subjects(who)

    def link(self, who: str, label: str) -> str:
        for mail in reversed(self.mails(who)):
            part = mail.get_body(("plain",))
            assert part is not None
            for line, address in pairwise(part.get_content().splitlines()):
                if label.lower() in line.lower() and address.startswith("http"):
                    return str(address)
        raise AssertionError(f"no mail to {who} has a link {label!r}: {self.subjects(who)}")

    def presses(self, who: str, label: str, do: str) -> Page:
        """Opens the link in their mail and presses the button on its page."""
        visitor = Visitor(self.stack)
        address = self.link(who, label).partition("#")[0]
        shown = visitor.get(address)
        assert shown.status == 200, shown.body
        return visitor.post(address, do=do)

    def gives_up(self, who: str) -> Page:
        return self.presses(who, CANCEL, "cancel")

    def takes(self, who: str) -> Page:
        return self.presses(who, TAKE, "take")

    def mails(self, who: str) -> list[EmailMessage]:
        return self.stack.mails_to(self.email(who))

    def writes(self, who: str, body: str, number: int, **headers: str) -> None:
        """Sends a mail to the event, with the headers that SES adds."""
        message_id, to = f"<{number}-{self.slug}@example.org>", f"{self.slug}@{DOMAIN}"
        sender = (f"{who.title()} Lee", self.email(who))
        raw = ses_mail(body, *sender, to=to, message_id=message_id, **headers)
        self.stack.mail_comes_in(f"{self.slug}-{number}", raw)


def ses_mail(body: str, name: str, email: str, *, message_id: str = "", **headers: str) -> bytes:
    """Builds an authenticated mail with the headers that SES adds."""
    return a_mail(
        body,
        sender=f"{name} <{email}>",
        message_id=message_id or f"<{os.urandom(6).hex()}@example.org>",
        Return_Path=f"<{email}>",
        X_SES_Spam_Verdict="PASS",
        X_SES_Virus_Verdict="PASS",
        Authentication_Results="amazonses.com; dmarc=pass header.from=example.org",
        **headers,
    )


def bounce(email: str, send: str) -> dict[str, Any]:
    """A notification of SES about a permanent bounce."""
    return {
        "eventType": "Bounce",
        "bounce": {
            "bounceType": "Permanent",
            "bounceSubType": "General",
            "bouncedRecipients": [{"emailAddress": email, "diagnosticCode": "550 no"}],
        },
        "mail": {"tags": {"send": [send]}},
    }


def host(stack: Stack) -> Visitor:
    """Signs in with the link that the operator gets."""
    visitor, link = Visitor(stack), stack.invoke("fd-sweep", {"ask": "first-link"})["url"]
    shown = visitor.get(link)
    today = visitor.post(link, **shown.fields)
    assert today.heading == "Today", today.body
    return visitor


#: The desk that is off where the booking desk sends its reminders itself.
OFF = "reminders"


def desk_on(stack: Stack, folder: Path, *, desks_off: str = OFF) -> AwsDesk:
    """Returns a desk without pages that reads and writes the tables; the deployed functions do the
    rest."""
    store = DynamoStore(
        stack.dynamodb,
        ContentBucket(stack.s3, MAIL_BUCKET),
        TABLES,
        sheet_buckets={
            "wl": ContentBucket(stack.s3, SHEETS_BUCKET),
            "ar": ContentBucket(stack.s3, f"ar-appointments-source-{ACCOUNT}"),
        },
        mail_buckets={
            MailFolder.WAITLIST: ContentBucket(stack.s3, WAITLIST_MAIL_BUCKET),
            MailFolder.REMINDERS: ContentBucket(stack.s3, f"ar-raw-mime-{ACCOUNT}"),
        },
    )
    keys = link_keys(folder)
    product: Application = build_application(
        ServerSettings(
            data_dir=folder,
            from_email=f"events@{DOMAIN}",
            mail_domain=DOMAIN,
            desks_off=desks_off,
        ),
        store,
        {Via.MAIL: MailboxChannel()},
        lambda: keys,
        SystemClock(),
    )
    slug = f"e{os.urandom(4).hex()}"
    return AwsDesk(
        cast(Frontdesk, product),
        cast(Any, SystemClock()),
        EventId(new_id(os.urandom(16))),
        {},
        stack,
        slug,
    )


@dataclass(frozen=True)
class SetUp:
    """Options of a deployment: template parameters, settings and secrets by name, and instructions
    for the emulator."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    """Encrypted parameters."""
    environment: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def deployed(folder: Path, code: Path, set_up: SetUp | None = None) -> Iterator[Stack]:
    """Deploys the application as the guide says, on an emulator that enforces IAM."""
    set_up = set_up or SetUp()
    record = folder / "record"
    record.touch()
    with SmtpSink() as sink:
        environment = {
            "PYTHONPATH": str(RECORDER),
            "FRONTDESK_RECORD": str(record),
            "FRONTDESK_NUMBERS": str(folder / "numbers"),
            "SMTP_HOST": f"{sink.host}:{sink.port}",
            "LAMBDA_ASYNC_RETRY_BASE_SECONDS": "0.1",
            **set_up.environment,
        }
        with emulator(auth=True, environment=environment) as started:
            _deploy(started, code, set_up)
            _disable(started.client("scheduler"), HOURLY)
            addresses = {
                name: started.client("lambda").get_function_url_config(FunctionName=name)[
                    "FunctionUrl"
                ]
                for name in OPEN
            }
            yield Stack(started, sink, Record(record), addresses, folder / "numbers")


def _deploy(started: Emulator, code: Path, set_up: SetUp) -> None:
    s3, cloudformation = started.client("s3"), started.client("cloudformation")
    for name, value in set_up.settings.items():
        started.client("ssm").put_parameter(Name=name, Value=value, Type="String")
    for name, value in set_up.hidden.items():
        started.client("ssm").put_parameter(Name=name, Value=value, Type="SecureString")
    for name, value in set_up.secrets.items():
        started.client("secretsmanager").create_secret(Name=name, SecretString=value)
    started.client("ses").verify_email_identity(EmailAddress=f"events@{DOMAIN}")
    s3.create_bucket(Bucket=CODE, CreateBucketConfiguration={"LocationConstraint": REGION})
    s3.put_object(Bucket=CODE, Key=code.name, Body=code.read_bytes())
    template = application()
    template["Globals"]["Function"]["CodeUri"] = f"s3://{CODE}/{code.name}"
    s3.put_object(Bucket=CODE, Key="template.json", Body=json.dumps(template).encode())
    given = {
        "FromEmail": f"events@{DOMAIN}",
        "MailDomain": DOMAIN,
        "Runtime": "python3.11",
        "Emulated": "yes",
        "Reminders": "no",
        **set_up.parameters,
    }
    cloudformation.create_stack(
        StackName="frontdesk",
        TemplateURL=f"{started.url}/{CODE}/template.json",
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()],
    )
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while (status := _status(cloudformation)) == "CREATE_IN_PROGRESS":
        assert time.monotonic() < give_up_at, "the stack is not there in time"
        time.sleep(0.1)
    assert status == "CREATE_COMPLETE", [
        (each["LogicalResourceId"], each.get("ResourceStatusReason"))
        for each in cloudformation.describe_stack_events(StackName="frontdesk")["StackEvents"]
        if "FAILED" in each["ResourceStatus"]
    ]


def _disable(scheduler: Any, names: Iterable[str]) -> None:
    for name in names:
        kept = scheduler.get_schedule(GroupName="frontdesk", Name=name)
        fields = ("Name", "GroupName", "ScheduleExpression", "ScheduleExpressionTimezone")
        same = {each: kept[each] for each in (*fields, "FlexibleTimeWindow", "Target")}
        scheduler.update_schedule(**same, State="DISABLED")


def _status(cloudformation: Any) -> str:
    [found] = cloudformation.describe_stacks(StackName="frontdesk")["Stacks"]
    return str(found["StackStatus"])
