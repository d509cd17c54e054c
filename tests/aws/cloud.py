"""Runs the functions in this process, with payloads as AWS sends them.

Tables, settings, secrets, queues and schedules are those of the emulator.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from typing import Any

import boto3
import pytest

from frontdesk.aws.clients import client
from frontdesk.aws.container import container, deployment
from frontdesk.aws.delivery import messenger
from frontdesk.aws.facts import bk_engine, keeper, offer_engine
from frontdesk.aws.outbox import fd_relay
from frontdesk.aws.schedules import fd_timer_sync
from frontdesk.desks.rsvp.model import EventId, GuestId
from frontdesk.engine.clock import VirtualClock
from frontdesk.store.dynamodb.schema import FD_OUTBOX, FD_SENDS, Table
from frontdesk.wiring.one_machine import Frontdesk
from tests.aws.payloads import ARN, Context, Recorder, from_the_bus, stream
from tests.support.dynamodb import Tables
from tests.support.emulator import REGION
from tests.support.rsvp import NINE, RsvpDesk

SETTINGS = {
    "base-url": "https://events.example",
    "links-url": "https://links.example",
    "console-url": "https://desk.example",
    "claims-url": "https://claims.example",
    "from-email": "events@frontdesk.example",
    "mail-domain": "frontdesk.example",
    "desks-off": "reminders",
}
SECRETS = {"key": "0123456789abcdef" * 4, "claim-key": "fedcba9876543210" * 4}
EMULATED = ("ssm", "secretsmanager", "sqs", "scheduler")
MOST_ROUNDS = 20


@dataclass
class Cloud:
    tables: Tables
    clock: VirtualClock
    ses: Recorder
    events: Recorder
    lambda_: Recorder
    clients: Mapping[str, Any]
    queue: str

    @property
    def desk(self) -> RsvpDesk:
        product: Any = deployment().back
        desk: Frontdesk = product
        return RsvpDesk(desk, self.clock, EventId("0" * 25 + "1"), {})

    def rows(self, table: Table) -> list[dict[str, Any]]:
        return self.tables.rows(table)

    def facts(self) -> list[dict[str, Any]]:
        """Returns the facts that the relay puts on the bus from the outbox."""
        before = len(self.events.calls)
        rows = sorted(self.rows(FD_OUTBOX), key=lambda row: int(row["seq"]["N"]))
        fd_relay(stream(FD_OUTBOX, *((None, row) for row in rows)), Context("fd-relay"))
        entries = [each for _, call in self.events.calls[before:] for each in call["Entries"]]
        return [from_the_bus(entry) for entry in entries]

    def handed_on(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the functions that others called without waiting, and their payloads."""
        return [
            (call["FunctionName"].removeprefix(ARN), json.loads(call["Payload"]))
            for _, call in self.lambda_.calls
            if call.get("InvocationType") == "Event"
        ]

    def sends(self) -> list[dict[str, Any]]:
        """Returns what fd-timer-sync passes to the messenger from the stream of the ledger."""
        before = len(self.lambda_.calls)
        fd_timer_sync(self._queued(), Context("fd-timer-sync"))
        called = [call for _, call in self.lambda_.calls[before:]]
        return [
            json.loads(call["Payload"])
            for call in called
            if call["FunctionName"] == ARN + "messenger"
        ]

    def _queued(self) -> dict[str, Any]:
        queued = [row for row in self.rows(FD_SENDS) if row["state"]["S"] == "queued"]
        at = int(self.clock.now().timestamp())
        tried = {row["send_id"]["S"] for row in queued if row["attempts"]["N"] != "0"}
        changes = [(row if row["send_id"]["S"] in tried else None, row) for row in queued]
        return stream(FD_SENDS, *changes, at=at)

    def settle(self, times: int = 1) -> None:
        """Sends each payload this many times, until no work is left."""
        for _ in range(MOST_ROUNDS):
            facts, sends = self.facts(), self.sends()
            for _ in range(times):
                for fact in facts:
                    keeper(fact, Context("keeper"))
                    offer_engine(fact, Context("offer-engine"))
                    bk_engine(fact, Context("bk-engine"))
                    messenger(fact, Context("messenger"))
                for send in sends:
                    messenger(send, Context("messenger"))
            if not facts and not sends:
                return
        raise AssertionError("it does not settle")

    def mails(self) -> list[tuple[str, str]]:
        """Returns the recipient and subject of each mail."""
        return [
            (call["Destinations"][0], str(_read(call["RawMessage"]["Data"])["subject"]))
            for _, call in self.ses.calls
        ]

    def text(self, nth: int = -1) -> str:
        """Returns the text of a mail: by default the last one."""
        mail = _read(self.ses.calls[nth][1]["RawMessage"]["Data"])
        return str(mail.get_body(("plain",)).get_content())

    def link(self, nth: int = -1) -> str:
        """Returns the path of the first link in a mail."""
        mail = _read(self.ses.calls[nth][1]["RawMessage"]["Data"])
        text: str = mail.get_body(("plain",)).get_content()
        found = re.search(r"https://(?:links|claims)\.example(/l/\S+)", text)
        assert found, text
        return found[1]

    def guest(self, who: str) -> GuestId:
        person = deployment().back.engine.reads().engine.person_by_email(f"{who}@example.org")
        assert person is not None
        [guest] = self.desk.reads.places_of(person.id)
        return guest.id


def _read(raw: bytes) -> Any:
    return message_from_bytes(raw, policy=default)


@pytest.fixture
def cloud(dynamodb: Tables, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    url = dynamodb.client.meta.endpoint_url
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    emulated = {
        name: boto3.client(name, endpoint_url=url, region_name=REGION, **keys) for name in EMULATED
    }
    ses = Recorder("ses", [{"MessageId": "0100-1"}])
    events = Recorder("events", [_all_taken])
    rings = Recorder("lambda", [_called])
    made = {"dynamodb": dynamodb.client, "s3": dynamodb.bucket.s3, **emulated}
    made |= {"ses": ses, "events": events, "lambda": rings}
    prefix, clock = dynamodb.prefix, VirtualClock(NINE)
    with _settings(emulated, prefix), _queue(emulated, prefix) as queue:
        monkeypatch.setattr(client, "_made", made)
        monkeypatch.setattr(container, "_deployment", None)
        monkeypatch.setattr("frontdesk.wiring.aws.SystemClock", lambda: clock)
        for name, value in {
            "FRONTDESK_MAIL_BUCKET": dynamodb.bucket.name,
            "FRONTDESK_TABLE_PREFIX": prefix,
            "FRONTDESK_CONFIG_PATH": f"/{prefix}config/",
            "FRONTDESK_LINKS_SECRET": f"{prefix}key",
            "FRONTDESK_CLAIMS_SECRET": f"{prefix}claim-key",
            "FRONTDESK_CONFIGURATION_SET": "frontdesk",
            "FRONTDESK_SCHEDULE_GROUP": f"{prefix}group",
            "FRONTDESK_SCHEDULE_ROLE": "arn:aws:iam::000000000000:role/schedules",
            "FRONTDESK_FAILURES_QUEUE": queue,
        }.items():
            monkeypatch.setenv(name, value)
        yield Cloud(dynamodb, clock, ses, events, rings, made, queue)


def _called(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answers the sweep, which waits for the relay; no caller waits for other functions."""
    if request["FunctionName"] != ARN + "fd-relay":
        return {"StatusCode": 202}
    said = fd_relay(json.loads(request["Payload"]), Context("fd-relay"))
    return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(said).encode())}


def _all_taken(request: Mapping[str, Any]) -> dict[str, Any]:
    taken = [{"EventId": str(nth)} for nth, _ in enumerate(request["Entries"])]
    return {"FailedEntryCount": 0, "Entries": taken}


@contextmanager
def _settings(clients: Mapping[str, Any], prefix: str) -> Iterator[None]:
    ssm, secrets, scheduler = (clients[name] for name in ("ssm", "secretsmanager", "scheduler"))
    for name, value in SETTINGS.items():
        path = f"/{prefix}config/{name}"
        ssm.put_parameter(Name=path, Value=value, Type="String", Overwrite=True)
    for name, text in SECRETS.items():
        secrets.create_secret(Name=prefix + name, SecretString=text)
    scheduler.create_schedule_group(Name=f"{prefix}group")
    yield
    for name in SECRETS:
        secrets.delete_secret(SecretId=prefix + name, ForceDeleteWithoutRecovery=True)
    scheduler.delete_schedule_group(Name=f"{prefix}group")


@contextmanager
def _queue(clients: Mapping[str, Any], prefix: str) -> Iterator[str]:
    url: str = clients["sqs"].create_queue(QueueName=f"{prefix}failures")["QueueUrl"]
    yield url
    clients["sqs"].delete_queue(QueueUrl=url)
