"""Documents of the reminders desk on AWS: drive-sync copies them, and the tick reads the copies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frontdesk.aws.container import deployment
from frontdesk.aws.delivery import dispatch
from frontdesk.aws.drive_sync import drive_sync
from frontdesk.aws.incoming_mail import ev_bounces
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import LookAtAppointment, RecordAppointment
from frontdesk.desks.reminders.documents import VOICE_NAME
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import AppointmentSource, appointment_id
from frontdesk.desks.reminders.rules import LeadTime
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.features.documents.files import file_name
from frontdesk.wiring.reminders.aws import documents_in_bucket
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.drive import drive_with_rules
from tests.aws.payloads import Context
from tests.aws.test_tick import on as switched_on
from tests.aws.test_tick import run
from tests.connect.test_sns_reports import FAILURE, packed
from tests.support.dynamodb import needs_dynamodb
from tests.support.google import RULES_FILE, VOICE_DOC, VOICE_FILE, Google, exported
from tests.support.reminders import DAY, HOUR, an_id

pytestmark = needs_dynamodb
SHEET = AppointmentSource.SHEET
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


def alert() -> LeadTime:
    return reminder_reads(deployment().back.engine.reads()).rules().usual.alert


@pytest.mark.spec("AR-01")
def test_drive_sync_copies_rules_that_have_changed_and_takes_them_over(
    cloud: Cloud, drive: Google
) -> None:
    drive.writes(RULES_FILE, exported(with_alert(5)))
    for _ in range(2):
        drive_sync({"desk": "ar"}, Context("drive-sync"))

    assert cloud.tables.bucket.get("reminders.yml") == with_alert(5).encode()
    assert alert() == LeadTime(minutes=300)
    assert drive.asked.count("drive.files.export") == 1
    drive.writes(RULES_FILE, exported(with_alert(6)))
    assert drive_sync(LOOK, Context("drive-sync")) == {"did": True}
    assert drive_sync(LOOK, Context("drive-sync")) == {"did": False}
    assert alert() == LeadTime(minutes=360)


@pytest.mark.spec("AR-01")
def test_rules_that_cannot_be_understood_leave_the_last_good_ones_in_force(
    cloud: Cloud, drive: Google
) -> None:
    drive.writes(RULES_FILE, exported(with_alert(5)))
    drive_sync({"desk": "ar"}, Context("drive-sync"))
    drive.writes(RULES_FILE, exported("reminders: often\n"))
    drive_sync({"desk": "ar"}, Context("drive-sync"))

    assert cloud.tables.bucket.get("reminders.yml") == b"reminders: often\n"
    assert alert() == LeadTime(minutes=300)


@pytest.mark.spec("AR-01")
def test_the_tick_takes_an_edit_of_the_copy_in_the_bucket(cloud: Cloud, drive: Google) -> None:
    cloud.tables.bucket.put("reminders.yml", with_alert(7).encode())

    assert documents_in_bucket(deployment().back, deployment().account).take_edits()

    assert alert() == LeadTime(minutes=420)


VOICE = """\
Mail: first reminder
Subject: {} {{{{ service }}}}

See you {{{{ how_soon }}}}: {{{{ service }}}} on {{{{ when }}}}.

Yes:
{{{{ confirm_link }}}}

Another time:
{{{{ move_link }}}}

No:
{{{{ cancel_link }}}}
"""


@pytest.mark.spec("AR-01", "AR-06")
def test_a_wording_that_staff_edit_in_a_google_doc_is_in_the_next_reminder(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched_on(cloud)
    bucket, setting = "FRONTDESK_REMINDERS_RULES_BUCKET", "reminders-voice-doc"
    with drive_with_rules(
        cloud, monkeypatch, bucket=bucket, setting=setting, document=VOICE_DOC
    ) as drive:
        for who, words in (("ann", "Nearly time for"), ("bob", "We look forward to")):
            drive.writes(VOICE_FILE, exported(VOICE.format(words)))
            drive_sync({"desk": "ar"}, Context("drive-sync"))
            assert words.encode() in (cloud.tables.bucket.get(file_name(VOICE_NAME)) or b"")
            remind(cloud, who)

    assert cloud.mails() == [
        ("ann@example.org", "Nearly time for cut"),
        ("bob@example.org", "We look forward to cut"),
    ]
    assert "See you in 3 days: cut on " in cloud.text()


def remind(cloud: Cloud, who: str) -> None:
    """Reminds the customer of a visit that has been known for a week."""
    starts_at = (cloud.clock.now() + 10 * DAY).replace(hour=10)
    contact = (PersonId(an_id(who)), who.title(), f"{who}@example.org", "")
    run(cloud, RecordAppointment(SHEET, who, *contact, "cut", starts_at, HOUR))
    cloud.clock.move_to(starts_at - 3 * DAY)
    run(cloud, LookAtAppointment(appointment_id(SHEET, who), cloud.clock.now()))
    for fact in cloud.facts():
        dispatch(fact, Context("dispatch"))


@pytest.mark.spec("AR-20")
def test_a_report_about_a_text_of_another_application_is_no_failure(cloud: Cloud) -> None:
    ev_bounces({"awslogs": packed(FAILURE)}, Context("ev-bounces"))

    assert deployment().back.engine.reads().engine.people_by_mobile("+14255550100") == []
