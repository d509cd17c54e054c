"""Journeys of appointments from a Google Sheet, Google Drive and mail, with alerts in Slack."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import RecordAppointment, RemindNow, SetRules
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.model import (
    AppointmentSource,
    AppointmentState,
    ReminderState,
    appointment_id,
)
from frontdesk.desks.reminders.rules import LeadTime, StaffHours
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.engine.ports import Committed
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.store.dynamodb.schema import FD_MESSAGES
from frontdesk.values import replace
from tests.aws.practice import MAIL, RULES, VERSIONS, Practice
from tests.aws.stack import Visitor, host
from tests.aws.studio import a_number
from tests.connect.test_sns_reports import FAILURE, packed
from tests.reading.files import docx, paragraph, text_pdf
from tests.support.google import RULES_FILE, exported
from tests.support.textract import a_scan

pytestmark = pytest.mark.needs("ministack")
AT_ANY_HOUR = StaffHours(time(0), time(23, 59), tuple(range(7)))


@pytest.fixture
def desk(practice: Practice) -> Iterator[Practice]:
    """Reminds a day before, without quiet hours. Checks at the end that no call was denied."""
    practice.stack.forget_visitors()
    practice.clinic.opens()
    yield practice
    practice.stack.settle()
    assert practice.stack.denied() == []


def missed(desk: Practice, who: str) -> str:
    """Returns the end of a slot's origin, which names the appointment."""
    one = desk.appointment(who)
    return f"{one.id}.{one.chain}"


def a_row(desk: Practice, who: str, at: datetime, notes: str = "", mobile: str = "") -> list[Any]:
    clinic = desk.clinic
    day, clock = f"{at:%Y-%m-%d}", f"{at:%H:%M}"
    return [f"{who.title()} Lee", mobile, clinic.email(who), clinic.service, day, clock, notes]


def is_reminded(desk: Practice, who: str) -> None:
    clinic, told = desk.clinic, len(desk.clinic.messages(who))
    clinic.run(RemindNow(desk.appointment(who).id, datetime.now(UTC)))
    clinic.wait_for_messages(who, told + 1)


@pytest.mark.spec("AR-01", "AR-16", "AR-18", "FD-18")
def test_appointments_of_a_sheet_are_reminded_of_and_answers_are_written_back(
    desk: Practice,
) -> None:
    clinic, before, after = desk.clinic, desk.clinic.time(6), desk.clinic.time(7)
    kept = len(desk.versions())
    desk.writes(a_row(desk, "ann", before, "Bring the card. #remind 3h"))
    one = desk.appointment("ann")
    assert (one.starts_at, one.tags) == (before, parse_tags("#remind 3h"))
    assert len(desk.versions()) == kept + 1
    desk.looks()
    assert len(desk.versions()) == kept + 1, "nothing has changed"

    is_reminded(desk, "ann")
    link = clinic.reply_link("ann", Purpose.CONFIRM)
    assert clinic.replies("ann", Purpose.CONFIRM).heading == "You're coming. See you then."
    desk.stack.until("it is in the sheet", lambda: "confirmed" in desk.row("Ann Lee"))

    desk.stack.settle()
    desk.row("Ann Lee")[4] = f"{after:%Y-%m-%d}"
    desk.google.edited()
    desk.looks()
    moved = desk.appointment("ann")
    assert (moved.id, moved.starts_at, moved.chain) == (one.id, after, 2)
    assert moved.state is AppointmentState.EXPECTED
    assert Visitor(desk.stack).get(link).heading == "Your appointment has a new time."
    bucket = desk.stack.s3.get_bucket_versioning(Bucket=VERSIONS)
    assert bucket["Status"] == "Enabled"


@pytest.mark.spec("AR-01", "AR-18", "FD-18")
def test_a_sheet_that_is_suddenly_empty_cancels_nothing_before_staff_say_so(
    desk: Practice,
) -> None:
    staff = desk.clinic.add_staff()
    people = ("eve", "fay", "gus", "hal")
    times = (desk.clinic.time(8, 10 + nth) for nth in range(len(people)))
    desk.writes(*(a_row(desk, who, at) for who, at in zip(people, times, strict=True)))
    desk.stack.settle()
    whole, desk.google.rows = desk.google.rows, desk.google.rows[:1]
    desk.google.edited()
    desk.looks()

    visitor = host(desk.stack)
    shown = visitor.get(f"{desk.console}/versions")
    assert "gone from the sheet, all at once" in shown.says
    assert all(desk.appointment(who).state is AppointmentState.EXPECTED for who in people)
    desk.stack.until("staff know", lambda: len(desk.clinic.subjects(staff)) > 1)

    desk.google.rows = whole
    desk.google.edited()
    read = visitor.post(f"{desk.console}/versions/sync", csrf=shown.fields["csrf"])
    assert "gone from the sheet" not in read.says
    assert "The list is kept in a Google Sheet" in read.says


@pytest.mark.spec("AR-01", "FD-18")
def test_staff_go_back_to_an_earlier_version_of_the_appointments(desk: Practice) -> None:
    at = desk.clinic.time(9, 8)
    desk.writes(a_row(desk, "kim", at))
    last = desk.clinic.ar.sheet.last()
    assert last is not None
    desk.stack.settle()
    desk.row("Kim Lee")[5] = "09:00"
    desk.google.edited()
    desk.looks()
    assert desk.appointment("kim").starts_at == at + timedelta(hours=1)
    desk.stack.settle()

    told = desk.posts(f"versions/{last.head.number}", confirmed="yes")

    assert f"The list is as it was in version {last.head.number}." in told.says
    assert desk.appointment("kim").starts_at == at
    assert desk.row("Kim Lee")[5] != "09:00"


@pytest.mark.spec("FD-20", "FD-18")
def test_an_erased_customer_is_gone_from_every_version_of_the_sheet(desk: Practice) -> None:
    desk.writes(a_row(desk, "ida", desk.clinic.time(9, 11)))
    desk.stack.settle()
    person, email = desk.clinic.person("ida"), desk.clinic.email("ida")
    desk.google.rows.remove(desk.row("Ida Lee"))
    visitor = host(desk.stack)
    page = f"{desk.stack.addresses['fd-console']}console/people/{person.id}"
    csrf = visitor.get(f"{page}/erase").fields["csrf"]

    visitor.post(f"{page}/erase", csrf=csrf, name="Ida Lee")

    desk.stack.settle()
    listed = desk.stack.s3.list_object_versions(Bucket=VERSIONS)["Versions"]
    bodies = [
        desk.stack.s3.get_object(Bucket=VERSIONS, Key=each["Key"], VersionId=each["VersionId"])
        for each in listed
    ]
    assert bodies
    assert [each for each in bodies if email in _unpacked(each["Body"].read())] == []


def _unpacked(body: bytes) -> str:
    return zlib.decompress(body).decode()


@pytest.mark.spec("AR-01", "FD-18")
def test_rules_in_google_drive_are_copied_to_the_bucket_and_in_force(desk: Practice) -> None:
    text = EXAMPLE.replace("alert staff: 4h ", "alert staff: 5h ")
    desk.google.writes(RULES_FILE, exported(text))
    visitor = host(desk.stack)
    page = f"{desk.console}/rules"
    shown = visitor.get(page)
    assert "Open it in Google Docs" in shown.says

    def is_taken() -> bool:
        """Presses again: on a busy machine Google may not answer within our few seconds."""
        return "What is new counts" in visitor.post(f"{page}/look", **shown.fields).says

    desk.stack.until("it is taken", is_taken)

    copy = desk.stack.s3.get_object(Bucket=RULES, Key="reminders.yml")["Body"].read().decode()
    assert "alert staff: 5h " in copy
    assert desk.clinic.ar.rules().usual.alert == LeadTime(minutes=300)
    desk.google.writes(RULES_FILE, exported("reminders: often\n"))
    desk.looks()
    assert desk.clinic.ar.rules().usual.alert == LeadTime(minutes=300), "the last good ones stay"
    desk.google.writes(RULES_FILE, exported(text))
    desk.looks()
    desk.clinic.ticks()
    assert desk.clinic.ar.rules().usual.alert == LeadTime(minutes=300), "the tick reads the copy"


def as_text(desk: Practice, words: str) -> str:
    return desk.forwards(words)


def as_scan(desk: Practice, words: str) -> str:
    desk.recognition.lines = words.splitlines()
    return desk.forwards("See the scan.\n", a_scan(), "image/png", "confirmation.png")


def as_pdf(desk: Practice, words: str) -> str:
    file = text_pdf(*words.splitlines())
    return desk.forwards("See the file.\n", file, "application/pdf", "confirmation.pdf")


def as_docx(desk: Practice, words: str) -> str:
    file = docx("".join(map(paragraph, words.splitlines())))
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    return desk.forwards("See the file.\n", file, kind, "confirmation.docx")


def as_xlsx(desk: Practice, words: str) -> str:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for line in words.splitlines():
        book.worksheets[0].append([line])
    book.save(file)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return desk.forwards("See the file.\n", file.getvalue(), kind, "confirmation.xlsx")


@pytest.mark.spec("AR-03", "FD-18")
@pytest.mark.parametrize(
    ("nth", "form"), list(enumerate([as_text, as_scan, as_pdf, as_docx, as_xlsx]))
)
def test_a_forwarded_confirmation_is_proposed_approved_and_in_the_sheet(
    desk: Practice, nth: int, form: Any
) -> None:
    clinic, at = desk.clinic, desk.clinic.time(10, 10 + nth)
    who = ("pam", "paul", "peg", "pia", "pip")[nth]
    sender = form(
        desk,
        f"Confirmed: {clinic.service} for {who.title()} Lee, {clinic.email(who)},\n"
        f"on {at:%-d %B %Y} at {at:%H:%M}.\n",
    )
    found = desk.proposal(sender)
    assert desk.stack.s3.get_object(Bucket=MAIL, Key=f"mail/{found.mail_id}")["Body"].read()

    visitor, page = host(desk.stack), f"{desk.console}/proposed/{found.id}"
    approved = visitor.post(page, **visitor.get(page).fields)

    assert "Approved. Its reminders go out in time." in approved.says
    settled = clinic.ar.proposal(found.id)
    assert settled is not None
    assert settled.status is ProposalStatus.APPROVED
    one = clinic.ar.appointment(appointment_id(AppointmentSource.MAIL, found.id))
    assert one is not None
    assert one.starts_at == at
    desk.stack.until("it is in the sheet", lambda: desk.row(clinic.email(who)))


@pytest.mark.spec("AR-03", "FD-18")
def test_a_discarded_confirmation_stays_in_the_bucket_of_the_desk(desk: Practice) -> None:
    at = desk.clinic.time(11)
    words = f"Confirmed: {desk.clinic.service} for Zoe Lee on {at:%-d %B %Y} at 10:00.\n"
    found = desk.proposal(desk.forwards(words))
    visitor, page = host(desk.stack), f"{desk.console}/proposed/{found.id}"

    visitor.post(f"{page}/discard", csrf=visitor.get(page).fields["csrf"], confirmed="yes")

    settled = desk.clinic.ar.proposal(found.id)
    assert settled is not None
    assert settled.status is ProposalStatus.DISCARDED
    assert desk.stack.s3.get_object(Bucket=MAIL, Key=f"mail/{found.mail_id}")["Body"].read()


@pytest.mark.spec("AR-14", "FD-16", "FD-18")
def test_the_week_before_is_summed_up_in_slack_and_by_mail(desk: Practice) -> None:
    staff = desk.clinic.add_staff()

    desk.clinic.sums_up_week()

    said = desk.said("Came free in time: ")
    assert "Ann Lee" not in said["text"], "the week names no customer"
    desk.stack.until(
        "staff know",
        lambda: [
            each for each in desk.clinic.subjects(staff) if each.startswith("Your appointments")
        ],
    )


@pytest.mark.spec("AR-06", "AR-11", "AR-13", "FD-18")
def test_a_cancelled_visit_reaches_staff_in_slack_and_by_mail(desk: Practice) -> None:
    clinic, staff = desk.clinic, desk.clinic.add_staff()
    clinic.run(SetRules(replace(clinic.ar.rules(), staff_hours=AT_ANY_HOUR)))
    desk.writes(a_row(desk, "gil", clinic.time(6, 16)))
    is_reminded(desk, "gil")

    clinic.replies("gil", Purpose.CANCEL)

    said = desk.said("*Gil Lee* cancelled: ")
    assert clinic.email("gil") in said["text"]
    desk.stack.until(
        "staff know", lambda: [each for each in clinic.subjects(staff) if "Gil" in each]
    )


@pytest.mark.spec("AR-15", "FD-18")
def test_a_no_show_is_noted_in_the_console_and_the_rest_of_the_time_goes_to_the_waitlist(
    desk: Practice,
) -> None:
    clinic, visitor = desk.clinic, host(desk.stack)
    began_at = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=5)
    record = RecordAppointment(
        AppointmentSource.SHEET,
        f"{clinic.name}-missed",
        PersonId(clinic.back.engine.new_id()),
        *("Nia Lee", clinic.email("nia"), ""),
        *(clinic.service, began_at, timedelta(hours=2)),
    )
    earlier = began_at - timedelta(days=1)
    outcome = clinic.back.engine.run(record, by="test", now=earlier)
    assert isinstance(outcome, Committed), outcome
    page = f"{desk.console}/one/{desk.appointment('nia').id}"

    visitor.post(f"{page}/no-show", csrf=visitor.get(page).fields["csrf"], confirmed="yes")

    assert desk.appointment("nia").state is AppointmentState.NO_SHOW
    freed = desk.stack.until(
        "the rest of the time",
        lambda: [each for each in clinic.wl.slots(50) if each.origin.endswith(missed(desk, "nia"))],
    )
    assert [each.opening.ends_at for each in freed] == [began_at + timedelta(hours=2)]
    assert "No-shows 1" in visitor.get(page).says


@pytest.mark.spec("AR-20", "FD-18")
def test_a_text_that_the_network_does_not_deliver_becomes_a_mail_and_the_number_is_marked(
    desk: Practice,
) -> None:
    clinic, staff = desk.clinic, desk.clinic.add_staff()
    number = a_number()
    desk.writes(a_row(desk, "uma", clinic.time(6, 12), mobile=number))
    clinic.phones["uma"] = number
    is_reminded(desk, "uma")
    [kept] = desk.stack.until(
        "the text is stored",
        lambda: [
            row
            for row in desk.stack.rows(FD_MESSAGES)
            if row.get("to_mobile", {}).get("S") == number
        ],
    )
    report = FAILURE.replace("1077257a-92f3-5ca3-bc97-6a915b310625", kept["provider_id"]["S"])
    report = report.replace("+14255550100", number)

    for _ in range(2):
        desk.stack.invoke("ev-bounces", {"awslogs": packed(report)})
    del clinic.phones["uma"]
    clinic.wait_for_messages("uma", 1)

    assert clinic.person("uma").mobile_fails
    desk.stack.until(
        "it is sent again",
        lambda: clinic.ar.reminders_of(desk.appointment("uma").id)[0].state is ReminderState.SENT,
    )
    desk.stack.until(
        "staff know",
        lambda: [each for each in clinic.subjects(staff) if "text" in each.lower()],
    )
    desk.stack.settle()
    assert len(clinic.mails("uma")) == 1


@pytest.mark.spec("AR-22", "AR-23", "FD-18")
def test_staff_preview_pause_and_release_in_the_console(desk: Practice) -> None:
    """A visit that nobody confirmed in time goes to the waitlist."""
    clinic, visitor = desk.clinic, host(desk.stack)
    desk.writes(a_row(desk, "ned", clinic.time(6, 14)))
    rules = clinic.ar.rules()
    usual = replace(rules.usual, confirm_by=LeadTime(days=9))
    clinic.run(SetRules(replace(rules, usual=usual)))
    ned = desk.appointment("ned")

    listed = visitor.get(f"{desk.console}/next")
    assert "Ned Lee" in listed.says
    assert "Ned" in visitor.get(f"{desk.console}/next/{ned.id}/second").says
    csrf = listed.fields["csrf"]
    visitor.post(f"{desk.console}/next/pause", csrf=csrf)
    assert "paused" in visitor.get(f"{desk.console}/next").says.lower()
    visitor.post(f"{desk.console}/next/resume", csrf=csrf)
    visitor.post(f"{desk.console}/one/{ned.id}/remind", csrf=csrf)

    visitor.post(f"{desk.console}/one/{ned.id}/release", csrf=csrf, confirmed="yes")

    assert desk.appointment("ned").state is AppointmentState.CANCELLED
    freed = desk.stack.until(
        "a slot of the waitlist",
        lambda: [each for each in clinic.wl.slots(50) if each.opening.starts_at == ned.starts_at],
    )
    assert len(freed) == 1
