"""Failures of outside systems reach staff: in one mail, and on Today, Problems and Health."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, Refused
from frontdesk.core.members import Role
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.commands import EndTrouble, ReportTrouble
from frontdesk.desks.admin.decide.housekeeping import AGAIN_AFTER, TOLD_AFTER, end, report
from frontdesk.desks.admin.facts import TroubleBegan, TroubleEnded
from frontdesk.desks.admin.model import SAVED_TROUBLES, Part, Trouble
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build
from frontdesk.wiring.waitlist.one_machine import DOCUMENT_FOLDER
from tests.support.admin import AdminDesk, open_admin_desk

NINE = datetime(2026, 11, 16, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DENIED = ReportTrouble(Part.MODEL, "403", at_once=True)
SLOW = ReportTrouble(Part.MODEL, "slow", at_once=False)
KNOWN = Trouble(Part.MODEL, NINE, "403", staff_know=True, told_at=NINE)


def test_a_trouble_that_somebody_must_fix_is_told_at_once_and_once() -> None:
    assert report((), DENIED, NINE) == Accepted(
        (WriteSetting(SAVED_TROUBLES, (), (KNOWN,)),),
        (TroubleBegan(Part.MODEL, NINE, "403", by_mail=True),),
    )
    assert report((KNOWN,), DENIED, NINE + 9 * MINUTE) == Refused(Reason.UNCHANGED)
    assert report((KNOWN,), SLOW, NINE + timedelta(days=9)) == Refused(Reason.UNCHANGED)


def test_a_trouble_that_may_pass_is_told_only_after_a_while() -> None:
    first = Trouble(Part.MODEL, NINE, "slow")

    assert report((), SLOW, NINE) == Accepted((WriteSetting(SAVED_TROUBLES, (), (first,)),))
    assert report((first,), SLOW, NINE + TOLD_AFTER - MINUTE) == Refused(Reason.UNCHANGED)
    later = NINE + TOLD_AFTER
    told = replace(first, staff_know=True, told_at=later)
    assert report((first,), SLOW, later) == Accepted(
        (WriteSetting(SAVED_TROUBLES, (first,), (told,)),),
        (TroubleBegan(Part.MODEL, NINE, "slow", by_mail=True),),
    )


def test_a_recurring_trouble_is_shown_again_and_mailed_once_a_day() -> None:
    ended = replace(KNOWN, ended_at=NINE + MINUTE)
    assert end((KNOWN,), EndTrouble(Part.MODEL), NINE + MINUTE) == Accepted(
        (WriteSetting(SAVED_TROUBLES, (KNOWN,), (ended,)),), (TroubleEnded(Part.MODEL, NINE),)
    )
    assert end((ended,), EndTrouble(Part.MODEL), NINE) == Refused(Reason.UNCHANGED)
    assert end((), EndTrouble(Part.MODEL), NINE) == Refused(Reason.UNCHANGED)

    for after, by_mail in ((AGAIN_AFTER - MINUTE, False), (AGAIN_AFTER, True)):
        now = NINE + after
        again = report((ended,), DENIED, now)
        assert isinstance(again, Accepted)
        assert again.facts == (TroubleBegan(Part.MODEL, now, "403", by_mail),)


def test_troubles_of_different_parts_are_separate() -> None:
    rules = Trouble(Part.RULES, NINE, "?", staff_know=True, told_at=NINE)
    found = report((rules,), DENIED, NINE)

    assert isinstance(found, Accepted)
    assert found.changes == (WriteSetting(SAVED_TROUBLES, (rules,), (KNOWN, rules)),)


@pytest.mark.spec("FD-07", "FD-30")
def test_staff_get_one_mail_and_see_it_until_it_works_again(desk: AdminDesk) -> None:
    browser = desk.owner()
    desk.member("Sam", Role.STAFF)
    desk.member("Hal", Role.HOST, "party")
    troubles = desk.product.troubles

    for _ in range(3):
        troubles.failed(Part.MODEL, "No access to the model.", at_once=True)
        desk.wait(hours=1)

    [mail] = [each for each in desk.mails("sam@example.org") if "model" in each.subject]
    assert mail.subject == "The language model cannot be used."
    assert "What we were told: No access to the model." in mail.text
    assert f"{desk.product.settings.base_url}/console/problems\n" in mail.text
    assert not [each for each in desk.mails("hal@example.org") if "model" in each.subject]
    assert "1 problem to look at" in browser.get("/console").says
    page = browser.get("/console/problems")
    assert "The language model cannot be used." in page.says
    assert "No problems" not in page.says
    assert "The language model cannot be used." in browser.get("/console/health").says
    assert json.loads(browser.get("/health").text) == {"status": "alarm"}
    assert "frontdesk_troubles 1\n" in browser.get("/metrics").text

    troubles.worked(Part.RULES)
    assert "The language model cannot be used." in browser.get("/console/problems").says
    troubles.worked(Part.MODEL)
    assert "No problems" in browser.get("/console/problems").says
    assert json.loads(browser.get("/health").text) == {"status": "ok"}
    assert desk.kinds()[-1] == "fd.trouble_ended"


def test_no_mail_is_sent_about_a_trouble_that_is_over(desk: AdminDesk) -> None:
    desk.owner()
    desk.member("Sam", Role.STAFF)
    desk.product.troubles.failed(Part.MODEL, "403", at_once=True)
    desk.product.troubles.worked(Part.MODEL)
    desk.settle()

    assert not [each for each in desk.mails("sam@example.org") if "model" in each.subject]


@pytest.mark.spec("WL-23", "FD-30")
def test_rules_that_cannot_be_read_reach_staff_and_the_error_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_admin_desk(tmp_path) as desk:
        desk.owner()
        desk.member("Sam", Role.STAFF)
        intake = slot_intake_in(desk.product.site)
        intake.documents.open()
        path = desk.product.settings.data_dir / DOCUMENT_FOLDER / f"{DocumentName.RULES}.md"
        text = path.read_text()
        path.unlink()
        path.mkdir()

        for _ in range(2):
            intake.documents.take_edits()
            desk.settle()

        subject = "The rules of the waitlist cannot be read."
        [mail] = [each for each in desk.mails("sam@example.org") if "rules" in each.subject]
        assert mail.subject == subject
        assert "rules.md cannot be read: Is a directory." in mail.text
        assert subject in desk.product.health().alarms
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [each["event"] for each in lines if each["event"].endswith("failed")] == [
            "documents.failed",
            "documents.failed",
        ]

        path.rmdir()
        path.write_text(text)
        intake.documents.take_edits()
        assert desk.product.health().is_well


@pytest.mark.spec("WL-23", "FD-30")
def test_rules_that_cannot_be_understood_count_as_an_error_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    product = build(Settings(data_dir=tmp_path), clock=VirtualClock(NINE))
    slot_intake_in(product.site).documents.open()
    (tmp_path / DOCUMENT_FOLDER / "rules.md").write_text("Claim window: a while.\n")

    for _ in range(2):
        slot_intake_in(product.site).documents.take_edits()
    product.close()

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [failed] = [each for each in lines if each["event"].endswith("failed")]
    assert (failed["event"], failed["name"], failed["problems"]) == ("document.failed", "rules", 1)
