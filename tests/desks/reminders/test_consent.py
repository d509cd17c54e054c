"""Consent to texts: given in sheets, texts and forms or recorded by staff, and its effect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.consents import (
    TEXT_CONSENT,
    Consent,
    ConsentRecord,
    ConsentRule,
    ConsentSource,
    Statement,
    TextConsent,
    statement_in_cell,
    words_version,
)
from frontdesk.core.members import Role
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendState, Via
from frontdesk.desks.admin.commands import Erase, RecordConsent, SetTextConsent
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.reminders.commands import RecordAppointment
from frontdesk.desks.reminders.model import AppointmentSource
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.intake.sms import TextIn
from frontdesk.store.sqlite.engine_reads import SqliteEngineReads
from tests.desks.reminders.test_connections import BASE, Shop, owner
from tests.desks.reminders.test_sheet_sources import shop_with, turn
from tests.desks.rsvp.console_desk import Host
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk, an_id
from tests.support.sheets import save_file

ANN = PersonId(an_id("ann"))
MOBILE = "+6591234567"
YES = statement_in_cell("yes")
FORM = Statement(ConsentSource.BOOKING_FORM, words="You agree to texts.")


def record_of(desk: RemindersDesk, person_id: PersonId = ANN) -> ConsentRecord:
    return desk.engine.reads().engine.consent(person_id)


# --- on both stores -----------------------------------------------------------------------------


@pytest.mark.spec("AR-24")
def test_the_sheet_states_consent_and_stop_and_start_withdraw_and_give_it(
    desk: RemindersDesk,
) -> None:
    desk.given().add("ann", mobile=MOBILE, consent=YES)
    desk.wait(hours=1).text("Stop", MOBILE, 1)
    desk.wait(hours=1)
    again = desk.record("ann", FRIDAY + HOUR, mobile=MOBILE, consent=YES)
    desk.do(again)
    desk.text("START", MOBILE, 2)

    assert record_of(desk).statements == (
        Consent(MOBILE, MONDAY, ConsentSource.SHEET, True, "yes"),
        Consent(MOBILE, MONDAY + HOUR, ConsentSource.REPLY, False, "Stop"),
        Consent(MOBILE, MONDAY + 2 * HOUR, ConsentSource.REPLY, True, "START"),
    )
    assert desk.of("ann").consent == "yes"


@pytest.mark.spec("AR-24")
def test_a_new_number_needs_consent_of_its_own(desk: RemindersDesk) -> None:
    desk.given().add("ann", mobile=MOBILE, consent=YES)
    desk.do(desk.record("ann", mobile="+6598765432", corrects=True))

    assert record_of(desk).allows(MOBILE)
    assert not record_of(desk).allows("+6598765432")


@pytest.mark.spec("AR-24")
def test_everybody_with_the_number_withdraws(desk: RemindersDesk) -> None:
    desk.given().add("ann", mobile=MOBILE, consent=YES)
    desk.add("bob", mobile=MOBILE, consent=YES)
    desk.text("STOP", MOBILE)

    for who in ("ann", "bob"):
        assert not record_of(desk, PersonId(an_id(who))).allows(MOBILE)


# --- on one machine, with all pages -------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path, more={"texts": "mailbox", "country": "SG"})) as shop:
        yield shop.opens()


def record_in(shop: Shop, person_id: PersonId) -> ConsentRecord:
    return shop.product.engine.reads().engine.consent(person_id)


def book_by_form(shop: Shop, contact: str) -> PersonId:
    """Fills in the form for Friday at ten; returns the person who booked."""
    at = f"{FRIDAY:%Y-%m-%dT%H:%M}Z"
    answer = Host(shop.app, BASE).press(f"/book/cut?at={at}", "/book", name="Ann", contact=contact)
    assert answer.status == 303, answer.says
    shop.settle()
    (booking,) = booking_reads(shop.product.engine.reads()).bookings()
    return booking.person_id


@pytest.mark.spec("AR-24")
def test_a_form_with_a_number_shows_the_sentence_and_keeps_it(shop: Shop) -> None:
    page = Host(shop.app, BASE).get(f"/book/cut?at={FRIDAY:%Y-%m-%dT%H:%M}Z")
    sentence = TextConsent().shown("Frontdesk")
    assert sentence in page.says

    ann = book_by_form(shop, "9123 4567")

    assert record_in(shop, ann).statements == (
        Consent(MOBILE, MONDAY, ConsentSource.BOOKING_FORM, True, sentence),
    )


@pytest.mark.spec("AR-24")
def test_a_form_with_an_address_records_no_consent(shop: Shop) -> None:
    ann = book_by_form(shop, "ann@example.org")

    assert record_in(shop, ann).statements == ()


@pytest.mark.spec("AR-24")
def test_the_waitlist_form_keeps_the_sentence_as_well(shop: Shop) -> None:
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ())))
    answer = Host(shop.app, BASE).press("/waitlist", name="Ann", mobile="9123 4567")
    assert answer.status == 200, answer.says

    (ann,) = shop.product.engine.reads().engine.people_by_mobile(MOBILE)
    (said,) = record_in(shop, ann.id).statements
    assert (said.source, said.words) == (
        ConsentSource.WAITLIST_FORM,
        TextConsent().shown("Frontdesk"),
    )


@pytest.mark.spec("AR-24")
def test_a_form_without_our_words_gives_no_consent(shop: Shop) -> None:
    at = f"{FRIDAY:%Y-%m-%dT%H:%M}Z"
    fields = {"service": "cut", "at": at, "name": "Ann", "contact": "9123 4567"}
    assert Host(shop.app, BASE).post("/book", **fields, consent="0123456789ab").status == 303
    shop.settle()

    (ann,) = shop.product.engine.reads().engine.people_by_mobile(MOBILE)
    assert record_in(shop, ann.id).statements == ()


def texts_to_ann(shop: Shop) -> list[str]:
    return [
        each.kind
        for each in shop.product.store.sends_in(SendState.SENT, 99)
        if each.via is Via.TEXT
    ]


@pytest.mark.spec("AR-24")
def test_texts_without_recorded_consent_go_out_unless_the_business_requires_it(shop: Shop) -> None:
    shop.do(shop.booked_with("ann", MOBILE))
    assert len(texts_to_ann(shop)) == 1

    shop.do(SetTextConsent(ConsentRule.REQUIRED, "Texts from {business}."))
    shop.do(shop.booked_with("bob", "+6598765432", FRIDAY + HOUR))
    assert len(texts_to_ann(shop)) == 1
    dropped = shop.product.store.sends_in(SendState.DROPPED, 99)
    assert [each.why for each in dropped] == ["there is no consent to texts to this number"]

    bob = PersonId(an_id("bob"))
    shop.do(RecordConsent(bob, given=True, note="by phone", role=Role.STAFF))
    shop.wait_until(FRIDAY - 2 * DAY)
    assert len(texts_to_ann(shop)) == 2


@pytest.mark.spec("AR-24")
def test_a_withdrawal_that_staff_record_ends_texts_whatever_the_rule_is(shop: Shop) -> None:
    shop.do(shop.booked_with("ann", MOBILE))
    before = len(texts_to_ann(shop))
    shop.do(RecordConsent(ANN, given=False, note="", role=Role.STAFF))
    shop.wait_until(FRIDAY)

    assert len(texts_to_ann(shop)) == before


@pytest.mark.spec("AR-24")
def test_staff_record_consent_with_one_press_and_see_it_with_its_words(shop: Shop) -> None:
    shop.do(shop.booked_with("ann", MOBILE))
    page, host = f"/console/people/{ANN}", owner(shop)
    assert "Consent to texts Not recorded" in host.get(page).says

    after = host.send(page, f"{page}/consent")
    assert "Recorded: they agreed to texts." in after.says
    assert "Consent to texts Agreed" in after.says
    assert "Staff: agreed" in after.says
    assert "They told us." in after.says

    TextIn(shop.product).take(IncomingText(from_mobile=MOBILE, words="STOP", id="1", at=MONDAY))
    stopped = host.get(page)
    assert "Consent to texts Withdrawn" in stopped.says
    assert f"{page}/consent" not in stopped.text


@pytest.mark.spec("AR-24", "FD-15")
def test_the_export_has_consent_and_erasing_removes_it(shop: Shop) -> None:
    shop.do(shop.booked_with("ann", MOBILE, consent=FORM))
    host = owner(shop)
    exported = json.loads(host.get(f"/console/people/{ANN}/export.json").text)

    assert exported["person"]["consent_to_texts"] == [
        {
            "number": MOBILE,
            "at": MONDAY.isoformat(),
            "given": True,
            "source": "booking_form",
            "words": "You agree to texts.",
            "words_version": words_version("You agree to texts."),
            "note": "",
        }
    ]
    shop.do(Erase(ANN))
    assert record_in(shop, ANN).statements == ()


@pytest.mark.spec("AR-24")
def test_owners_change_the_sentence_and_the_rule(shop: Shop) -> None:
    path, host = "/console/settings/texts", owner(shop)
    wrong = host.send(path, sentence=" ")
    assert "Please write what people agree to." in wrong.says
    assert "Saved." in host.send(path, sentence="Texts of {business}.", rule="required").says

    saved = shop.product.engine.reads().engine.setting(TEXT_CONSENT)
    assert (saved.rule, saved.sentence) == (ConsentRule.REQUIRED, "Texts of {business}.")
    assert saved.earlier == (TextConsent().sentence,)
    form = Host(shop.app, BASE).get(f"/book/cut?at={FRIDAY:%Y-%m-%dT%H:%M}Z")
    assert "Texts of Frontdesk." in form.says


@pytest.mark.spec("AR-24")
def test_a_column_of_a_sheet_states_consent(tmp_path: Path) -> None:
    file = tmp_path / "appointments.csv"
    head = "Name,Mobile,E-mail,Service,Date,Time,Text consent\n"
    row = "Ann,+65 9123 4567,ann@example.org,cut,2026-11-20,10:00,{}\n"
    save_file(file, head + row.format('"yes, on paper"'))
    with shop_with(tmp_path, reminders_sheet=str(file)) as shop:
        turn(shop)
        (ann,) = shop.product.engine.reads().engine.people_by_mobile(MOBILE)
        (said,) = record_in(shop, ann.id).statements
        assert (said.source, said.given, said.words) == (ConsentSource.SHEET, True, "yes, on paper")

        turn(shop)
        assert len(record_in(shop, ann.id).statements) == 1
        save_file(file, file.read_text().replace('"yes, on paper"', "no"))
        turn(shop)
        assert [each.given for each in record_in(shop, ann.id).statements] == [True, False]


@pytest.mark.spec("AR-24")
@pytest.mark.parametrize(
    ("email", "mobile", "reads"),
    [("ann@example.org", MOBILE, 1), ("", MOBILE, 1), ("ann@example.org", "", 0)],
)
def test_the_record_is_read_once_for_a_text_and_never_for_a_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, email: str, mobile: str, reads: int
) -> None:
    with closing(Shop(tmp_path)) as shop:
        sheet, person = AppointmentSource.SHEET, PersonId(an_id("ann"))
        shop.do(RecordAppointment(sheet, "7", person, "Ann", email, mobile, "Cut", FRIDAY, HOUR))
        asked: list[str] = []
        known = SqliteEngineReads.consent

        def counted(self: SqliteEngineReads, person_id: PersonId) -> ConsentRecord:
            asked.append(person_id)
            return known(self, person_id)

        monkeypatch.setattr(SqliteEngineReads, "consent", counted)
        shop.wait_until(FRIDAY - 3 * DAY)

        assert len(shop.sent("")) == 1
        assert asked == [person] * reads
