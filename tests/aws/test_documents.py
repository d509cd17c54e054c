"""Rules and words in Google Docs on AWS: drive-sync copies them, and other functions read the
copy."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from frontdesk.aws.container import deployment
from frontdesk.aws.drive_sync import drive_sync
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.wiring.waitlist.aws import slot_intake_of
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.drive import drive_with_rules
from tests.aws.payloads import Context
from tests.support.dynamodb import needs_dynamodb
from tests.support.google import RULES_FILE, Google

pytestmark = needs_dynamodb

WHAT = "The rules of the waitlist cannot be read."


def text_of(minutes: int) -> bytes:
    return f"\ufeffClaim window: {minutes} minutes.\r\n".encode()


@pytest.fixture
def stand_in(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    with drive_with_rules(
        cloud, monkeypatch, bucket="FRONTDESK_RULES_BUCKET", setting="rules-doc"
    ) as found:
        yield found


def copies(cloud: Cloud) -> list[bytes]:
    body = cloud.tables.bucket.get("rules.md")
    return [] if body is None else [body]


def window() -> timedelta:
    return waitlist(deployment().back.engine.reads()).rules().claim_window


@pytest.mark.spec("WL-23")
def test_drive_sync_copies_a_document_that_has_changed_and_takes_it_over(
    cloud: Cloud, stand_in: Google
) -> None:
    stand_in.writes(RULES_FILE, text_of(5))
    for _ in range(2):
        drive_sync({}, Context("drive-sync"))

    assert copies(cloud) == [b"Claim window: 5 minutes.\n"]
    assert window() == timedelta(minutes=5)
    assert stand_in.asked.count("drive.files.export") == 1

    stand_in.writes(RULES_FILE, text_of(7))
    assert drive_sync({"ask": "documents"}, Context("drive-sync")) == {"did": True}
    assert drive_sync({"ask": "documents"}, Context("drive-sync")) == {"did": False}
    assert copies(cloud) == [b"Claim window: 7 minutes.\n"]
    assert window() == timedelta(minutes=7)


@pytest.mark.spec("WL-23", "FD-30")
def test_a_document_that_is_not_shared_reaches_staff_once_and_the_copy_stays(
    cloud: Cloud, stand_in: Google
) -> None:
    owner = AddFirstOwner(MemberId("m1"), PersonId("p1"), "Mia", "mia@example.org")
    deployment().back.engine.run(owner, by="test", now=cloud.clock.now())
    stand_in.writes(RULES_FILE, text_of(5))
    drive_sync({}, Context("drive-sync"))
    stand_in.status = 403

    for _ in range(2):
        drive_sync({}, Context("drive-sync"))
        slot_intake_of(deployment().back, deployment().account).documents.take_edits()
        cloud.settle()

    assert cloud.mails().count(("mia@example.org", WHAT)) == 1
    assert deployment().back.health().alarms == (WHAT,)
    assert (copies(cloud), window()) == ([b"Claim window: 5 minutes.\n"], timedelta(minutes=5))
    stand_in.status = 0
    drive_sync({}, Context("drive-sync"))
    assert deployment().back.health().alarms == ()
