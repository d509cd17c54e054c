"""Documents of the reminders desk on AWS: drive-sync copies them, and the tick reads the copy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frontdesk.aws.container import deployment
from frontdesk.aws.drive_sync import drive_sync
from frontdesk.aws.incoming_mail import ev_bounces
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.rules import Before
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.wiring.reminders_aws import documents_in_bucket
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.drive import drive_with_rules
from tests.aws.payloads import Context
from tests.connect.test_sns_reports import FAILURE, packed
from tests.support.dynamodb import needs_dynamodb
from tests.support.google import RULES_FILE, Google, exported

pytestmark = needs_dynamodb
LOOK = {"ask": "documents", "desk": "ar"}


@pytest.fixture
def drive(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    bucket = "FRONTDESK_REMINDERS_RULES_BUCKET"
    with drive_with_rules(
        cloud, monkeypatch, bucket=bucket, setting="reminders-rules-doc"
    ) as found:
        yield found


def with_alert(hours: int) -> str:
    return EXAMPLE.replace("alert staff: 4h ", f"alert staff: {hours}h ")


def alert() -> Before:
    return reminder_reads(deployment().back.engine.reads()).rules().usual.alert


@pytest.mark.spec("AR-01")
def test_drive_sync_copies_rules_that_have_changed_and_takes_them_over(
    cloud: Cloud, drive: Google
) -> None:
    drive.writes(RULES_FILE, exported(with_alert(5)))
    for _ in range(2):
        drive_sync({"desk": "ar"}, Context("drive-sync"))

    assert cloud.tables.bucket.get("reminders.yml") == with_alert(5).encode()
    assert alert() == Before(minutes=300)
    assert drive.asked.count("drive.files.export") == 1
    drive.writes(RULES_FILE, exported(with_alert(6)))
    assert drive_sync(LOOK, Context("drive-sync")) == {"did": True}
    assert drive_sync(LOOK, Context("drive-sync")) == {"did": False}
    assert alert() == Before(minutes=360)


@pytest.mark.spec("AR-01")
def test_rules_that_cannot_be_understood_leave_the_last_good_ones_in_force(
    cloud: Cloud, drive: Google
) -> None:
    drive.writes(RULES_FILE, exported(with_alert(5)))
    drive_sync({"desk": "ar"}, Context("drive-sync"))
    drive.writes(RULES_FILE, exported("reminders: often\n"))
    drive_sync({"desk": "ar"}, Context("drive-sync"))

    assert cloud.tables.bucket.get("reminders.yml") == b"reminders: often\n"
    assert alert() == Before(minutes=300)


@pytest.mark.spec("AR-01")
def test_the_tick_takes_an_edit_of_the_copy_in_the_bucket(cloud: Cloud, drive: Google) -> None:
    cloud.tables.bucket.put("reminders.yml", with_alert(7).encode())

    assert documents_in_bucket(deployment().back, deployment().account).take_edits()

    assert alert() == Before(minutes=420)


@pytest.mark.spec("AR-20")
def test_a_report_about_a_text_of_another_application_is_no_failure(cloud: Cloud) -> None:
    ev_bounces({"awslogs": packed(FAILURE)}, Context("ev-bounces"))

    assert deployment().back.engine.reads().engine.people_by_mobile("+14255550100") == []
