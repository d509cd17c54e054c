"""rules.yml in Google Drive on AWS: fn-config-sync copies it when Google calls, or regularly."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.aws.booking.config_sync import fn_config_sync
from frontdesk.aws.clients import client
from frontdesk.aws.container import deployment
from frontdesk.aws.jobs import host_import
from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.model import RequestStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.engine.push_channels import AHEAD, RETRY_AFTER
from frontdesk.features.catalogue.name_index import AGAIN_AFTER
from frontdesk.features.documents.drive_watch import channel_setting
from frontdesk.intake.mail import MailIn
from frontdesk.store.dynamodb.schema import FD_JOBS
from frontdesk.wiring.booking.aws import documents_in_bucket
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context
from tests.support.dynamodb import needs_dynamodb
from tests.support.embeddings import BUCKET, Titan, Vectors, s3_vectors, titan
from tests.support.google import BOOKING_DOC, BOOKING_FILE, Google, exported, google
from tests.support.mail import a_mail

pytestmark = needs_dynamodb

OWNER = "mia@example.org"
BOOK = "book@frontdesk.example"
HOOK = "https://hook.example"
TEXT = "hours: {mon-fri: 9:00-17:00}\nstaff: {mia: {name: Mia}}\nservices: {Cut: {minutes: 60}}\n"
WRONG = TEXT.replace("9:00-17:00", "9.30-17")


@pytest.fixture
def drive(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    prefix, ssm = cloud.tables.prefix, cloud.clients["ssm"]
    secrets = cloud.clients["secretsmanager"]
    monkeypatch.setenv("FRONTDESK_RULES_BUCKET", cloud.tables.bucket.name)
    monkeypatch.setenv("FRONTDESK_DRIVE_SECRET", f"{prefix}drive")
    with google() as found:
        found.now = lambda: cloud.clock.now().timestamp()
        settings = {
            "booking-rules-doc": BOOKING_DOC,
            "drive-hook-url": HOOK,
            "google-api": found.address,
        }
        names = [f"/{prefix}config/{name}" for name in settings]
        for name, value in zip(names, settings.values(), strict=True):
            ssm.put_parameter(Name=name, Value=value, Type="String", Overwrite=True)
        secrets.create_secret(Name=f"{prefix}drive", SecretString=found.key)
        found.writes(BOOKING_FILE, exported(TEXT))
        yield found
        ssm.delete_parameters(Names=names)
        secrets.delete_secret(SecretId=f"{prefix}drive", ForceDeleteWithoutRecovery=True)


def rings(payload: dict[str, Any] | None = None) -> Any:
    return fn_config_sync(payload or {}, Context("fn-config-sync"))


def calls(headers: dict[str, str], method: str = "POST") -> int:
    """Calls the URL of the function."""
    http = {"method": method, "path": "/", "sourceIp": "203.0.113.9"}
    payload = {"requestContext": {"http": http}, "rawPath": "/", "headers": headers, "body": "x"}
    return int(rings(payload)["statusCode"])


def services() -> list[str]:
    reads: BookingReads = deployment().back.engine.reads().desk("bk")
    return [each.name for each in reads.rules().services]


def copy(cloud: Cloud) -> str:
    return (cloud.tables.bucket.get("rules.yml") or b"").decode()


@pytest.mark.spec("BK-08")
def test_the_schedule_copies_the_rules_takes_them_and_opens_one_channel(
    cloud: Cloud, drive: Google
) -> None:
    assert (rings(), rings()) == ({"did": True}, {"did": False})

    assert (services(), copy(cloud)) == (["Cut"], TEXT)
    assert drive.asked.count("drive.files.export") == 1
    [channel] = drive.channels.values()
    assert channel["address"] == HOOK
    known = deployment().back.engine.reads().engine.setting(channel_setting("bk"))
    assert known.id == channel["id"]
    assert channel["token"] not in str(known)


@pytest.mark.spec("BK-08", "FD-28")
def test_a_notification_of_google_takes_an_edit_at_once_and_nobody_elses_does(
    cloud: Cloud, drive: Google
) -> None:
    rings()
    [channel] = drive.channels.values()
    drive.writes(BOOKING_FILE, exported(TEXT.replace("Cut", "Trim")))
    real = drive.notice(channel)
    looked = len(drive.asked)

    assert calls({}) == 403
    assert calls({**real, "x-goog-channel-token": "guessed"}) == 403
    assert calls({**real, "x-goog-channel-token": ""}) == 403
    assert calls({**real, "x-goog-channel-token": "x" * 10_000}) == 403
    assert calls({**real, "x-goog-channel-id": "another"}) == 403
    assert calls(real, method="GET") == 404
    assert calls(drive.notice(channel, "sync")) == 204
    assert (len(drive.asked), services()) == (looked, ["Cut"])

    assert calls({name.title(): value for name, value in real.items()}) == 204
    assert (services(), copy(cloud)) == (["Trim"], TEXT.replace("Cut", "Trim"))
    assert calls(real) == 204, "again: nothing is new"
    assert drive.asked.count("drive.files.export") == 2


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize("seconds", [7 * 86_400, 3_600])
def test_a_channel_is_replaced_before_it_ends(cloud: Cloud, drive: Google, seconds: int) -> None:
    drive.channel_seconds = seconds
    rings()
    [first] = drive.channels.values()
    ahead = min(AHEAD, timedelta(seconds=seconds) / 2)

    cloud.clock.move_to(cloud.clock.now() + timedelta(seconds=seconds - 60) - ahead)
    rings()
    assert list(drive.channels.values()) == [first]
    cloud.clock.move_to(cloud.clock.now() + timedelta(seconds=60))
    rings()
    [second] = drive.channels.values()
    assert second["id"] != first["id"]
    assert calls(drive.notice(first)) == 403
    assert calls(drive.notice(second)) == 204


@pytest.mark.spec("BK-08", "FD-30")
def test_without_a_channel_edits_are_found_by_looking_and_google_is_asked_again_later(
    cloud: Cloud, drive: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    drive.refuses_channels = True
    for _ in range(3):
        rings()

    assert services() == ["Cut"]
    assert drive.asked.count("drive.changes.watch") == 1
    assert '"event": "channel.failed"' in capsys.readouterr().err
    drive.refuses_channels = False
    cloud.clock.move_to(cloud.clock.now() + RETRY_AFTER)
    rings()
    assert len(drive.channels) == 1


@pytest.mark.spec("BK-08", "FD-30")
def test_broken_rules_and_a_document_that_is_not_shared_reach_staff_once(
    cloud: Cloud, drive: Google, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = AddFirstOwner(MemberId("m1"), PersonId("p1"), "Mia", OWNER)
    deployment().back.engine.run(owner, by="test", now=cloud.clock.now())
    rings()
    drive.writes(BOOKING_FILE, exported(WRONG))
    for _ in range(2):
        rings()
        documents_in_bucket(deployment().back, deployment().account).take_edits()
        cloud.settle()

    assert cloud.mails().count((OWNER, "Your booking rules need a look")) == 1
    assert 'Line 1, column 18: "9.30-17"' in " ".join(cloud.text().split())
    assert '"event": "document.failed"' in capsys.readouterr().err
    assert (services(), copy(cloud)) == (["Cut"], WRONG)

    drive.status = 403
    for _ in range(2):
        rings()
        documents_in_bucket(deployment().back, deployment().account).take_edits()
        cloud.settle()
    what = "The rules of bookings cannot be read."
    assert cloud.mails().count((OWNER, what)) == 1
    assert deployment().back.health().alarms == (what,)
    drive.status = 0
    rings()
    assert deployment().back.health().alarms == ()


@pytest.mark.spec("BK-08")
def test_the_console_has_the_rules_read_at_once(cloud: Cloud, drive: Google) -> None:
    assert rings({"ask": "documents"}) == {"did": True}
    assert rings({"ask": "documents"}) == {"did": False}
    assert drive.channels == {}
    assert services() == ["Cut"]


# --- embeddings -------------------------------------------------------------------------------


@pytest.fixture
def embedded(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Titan, Vectors]]:
    monkeypatch.setenv("FRONTDESK_EMBEDDING_REGION", "us-east-1")
    monkeypatch.setenv("FRONTDESK_VECTOR_BUCKET", BUCKET)
    with titan() as bedrock, s3_vectors() as vectors:
        monkeypatch.setitem(client._made, "bedrock-runtime/embed@us-east-1", bedrock.client())
        monkeypatch.setitem(client._made, "s3vectors", vectors.client())
        yield bedrock, vectors


def sets_rules(cloud: Cloud, text: str) -> None:
    parsed = parse_rules(text).rules
    assert parsed is not None
    deployment().back.engine.run(SetRules(parsed), by="test", now=cloud.clock.now())


TWO = "{Haircut: {minutes: 60, aliases: [trim]}, Massage: {minutes: 60}}"


@pytest.mark.spec("BK-04")
def test_the_index_follows_the_services_and_unchanged_ones_cost_nothing(
    cloud: Cloud, embedded: tuple[Titan, Vectors]
) -> None:
    bedrock, vectors = embedded
    sets_rules(cloud, TEXT.replace("{Cut: {minutes: 60}}", TWO))
    rings()
    assert vectors.names == ["Haircut", "Haircut", "Massage"]
    before = (len(bedrock.texts), len(vectors.asked))
    rings()
    assert (len(bedrock.texts), len(vectors.asked)) == before

    sets_rules(cloud, TEXT)
    rings()
    assert vectors.names == ["Cut"]
    vectors.kept.clear()
    cloud.clock.move_to(cloud.clock.now() + AGAIN_AFTER)
    rings()
    assert vectors.names == ["Cut"], "an index that was lost is made again within a day"


@pytest.mark.spec("BK-04", "BK-08")
def test_rules_from_google_drive_are_embedded_in_the_same_run(
    cloud: Cloud, drive: Google, embedded: tuple[Titan, Vectors]
) -> None:
    _, vectors = embedded
    rings()
    [channel] = drive.channels.values()
    drive.writes(BOOKING_FILE, exported(TEXT.replace("Cut", "Trim")))

    assert calls(drive.notice(channel)) == 204
    assert vectors.names == ["Trim"]


@pytest.mark.spec("BK-04", "FD-30")
@pytest.mark.parametrize("which", ["titan", "vectors"])
def test_an_outage_of_embeddings_is_counted_and_tried_again(
    cloud: Cloud,
    embedded: tuple[Titan, Vectors],
    which: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bedrock, vectors = embedded
    down = bedrock if which == "titan" else vectors
    down.denies = "AccessDeniedException"
    sets_rules(cloud, TEXT)
    rings()
    assert vectors.names == []
    assert '"event": "embedding.failed"' in capsys.readouterr().err
    down.denies = ""
    rings()
    assert vectors.names == ["Cut"]


@pytest.mark.spec("BK-04", "BK-05")
def test_a_mail_that_names_no_service_is_a_draft_with_the_nearest_one(
    cloud: Cloud, embedded: tuple[Titan, Vectors]
) -> None:
    _, vectors = embedded
    sets_rules(cloud, TEXT.replace("{Cut: {minutes: 60}}", TWO))
    rings()
    raw = a_mail("My fringe is in my eyes. Tomorrow at 10:00?\n\nAnn", to=BOOK)
    MailIn(deployment().back).take(Envelope("ann@example.org", (BOOK,), raw, "127.0.0.1"))
    cloud.settle()
    [row] = cloud.rows(FD_JOBS)
    host_import({"job": row["job_id"]["S"]}, Context("host-import"))

    reads: BookingReads = deployment().back.engine.reads().desk("bk")
    [draft] = reads.requests(RequestStatus.DRAFT, 9)
    assert (value_of(draft.fields, "service"), draft.reader) == ("Haircut", "embeddings")
    assert "service" in value_of(draft.fields, "check")
    assert vectors.operations()[-1] == "QueryVectors"


def test_without_a_document_in_google_drive_nothing_is_asked(cloud: Cloud) -> None:
    assert (rings(), rings({"ask": "documents"})) == ({"did": False}, {"did": False})
    assert calls({"x-goog-channel-token": "t"}) == 404
