"""Reminders by text in the whole product: their content, and the effect of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.core.members import MemberId
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import MarkBounced, PersonId
from frontdesk.core.sms import fits_one
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import MailFilter
from frontdesk.desks.reminders.commands import RecordAppointment, TakeRules
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    appointment_id,
)
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.desks.waitlist.commands import FreeSlot, JoinList, SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Opening, SlotId, Wish
from frontdesk.engine.ledger import Ledger
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.intake.sms import TextIn
from frontdesk.values import replace
from frontdesk.wiring.one_machine import web_app
from tests.desks.reminders.test_connections import BASE, Shop, owner
from tests.support.browser import Browser
from tests.support.reminders import DAY, FRIDAY, HOUR, an_id

ANN = "+6591234567"
TUESDAY = FRIDAY - 3 * DAY
STATE = AppointmentState
Opened = Callable[..., Shop]
TEXTS = count(1)


@pytest.fixture
def open_shop(tmp_path: Path) -> Iterator[Opened]:
    opened: list[Shop] = []

    def open_(**options: object) -> Shop:
        opened.append(Shop(tmp_path, more=options))
        return opened[-1]

    yield open_
    for shop in opened:
        assert shop.settle().problems() == ()
        shop.close()


@pytest.fixture
def shop(open_shop: Opened) -> Shop:
    return open_shop()


def visit(
    shop: Shop,
    who: str = "ann",
    mobile: str = ANN,
    at: datetime = FRIDAY,
    email: str | None = None,
    tags: str = "",
    ref: str = "",
) -> None:
    person = PersonId(an_id(who))
    contact = (who.title(), f"{who}@example.org" if email is None else email, mobile)
    sheet = AppointmentSource.SHEET
    row = RecordAppointment(sheet, ref or who, person, *contact, "cut", at, HOUR, "Mira")
    shop.do(replace(row, tags=parse_tags(tags)))


def appointment(shop: Shop, who: str = "ann") -> Appointment:
    found = reminder_reads(shop.product.engine.reads()).appointment(
        appointment_id(AppointmentSource.SHEET, who)
    )
    assert found is not None
    return found


def text(shop: Shop, words: str, mobile: str = ANN) -> str:
    now = shop.clock.now()
    outcome = TextIn(shop.product).take(
        IncomingText(from_mobile=mobile, words=words, id=str(next(TEXTS)), at=now)
    )
    shop.settle()
    return outcome


def texts(shop: Shop) -> list[str]:
    return [each.text for each in shop.sent("") if each.to_mobile == ANN]


@pytest.mark.spec("AR-16")
@pytest.mark.parametrize(
    ("tags", "mobile", "email", "to"),
    [
        ("", ANN, "ann@example.org", ANN),
        ("#nosms", ANN, "ann@example.org", "ann@example.org"),
        ("#noemail", ANN, "ann@example.org", ANN),
        ("#noemail", "", "ann@example.org", ""),
        ("#nosms", ANN, "", ""),
        ("#nosms #noemail", ANN, "ann@example.org", ""),
    ],
)
def test_tags_choose_the_channel_of_one_visit(
    shop: Shop, tags: str, mobile: str, email: str, to: str
) -> None:
    visit(shop, mobile=mobile, email=email, tags=tags)
    coming = owner(shop).get("/console/reminders/next").says
    shop.wait_until(TUESDAY)

    assert went_to(shop) == ([to] if to else [])
    assert ("10:00 No way to reach them" in coming) == (not to)


@pytest.mark.spec("AR-16", "AR-19")
def test_visits_of_a_day_with_different_channels_get_a_message_each(shop: Shop) -> None:
    for place, tags in enumerate(("", "#nosms", "")):
        visit(shop, "ann", at=FRIDAY + place * HOUR, tags=tags, ref=str(place))
    shop.wait_until(TUESDAY + DAY)

    assert went_to(shop) == [ANN, "ann@example.org"]


def went_to(shop: Shop) -> list[str]:
    """Returns the numbers and addresses of all customers who got a message."""
    found = (each.to_mobile or each.to_email for each in shop.sent(""))
    return [each for each in found if each in (ANN, "ann@example.org")]


@pytest.mark.spec("AR-12")
def test_a_text_prints_digits_where_its_number_can_receive(shop: Shop) -> None:
    visit(shop)
    shop.wait_until(TUESDAY)

    [reminder] = texts(shop)

    said, _, link = reminder.partition(f"{BASE}/l/")
    assert said == (
        "Frontdesk: cut Fri 20 Nov at 10:00. Reply 1 yes, 2 another time, 3 cannot come, or tap: "
    )
    assert link
    assert fits_one(reminder)


@pytest.mark.spec("AR-12")
def test_a_text_invites_no_reply_where_its_number_cannot_receive(open_shop: Opened) -> None:
    shop = open_shop(text_replies="no")
    visit(shop)
    shop.wait_until(TUESDAY)

    [reminder] = texts(shop)

    assert "eply" not in reminder
    assert "1 yes" not in reminder
    assert f"{BASE}/l/" in reminder


@pytest.mark.spec("AR-12")
def test_three_frees_the_time_for_the_waitlist(shop: Shop) -> None:
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",))))
    visit(shop)
    shop.wait_until(TUESDAY)

    text(shop, "3")

    assert appointment(shop).state is STATE.CANCELLED
    assert [each.opening.staff for each in waitlist(shop.product.engine.reads()).slots(9)] == [
        "Mira"
    ]
    assert "is cancelled" in texts(shop)[-1]


@pytest.mark.spec("AR-12", "FD-15")
@pytest.mark.parametrize("words", ["STOP", "CANCEL", "Abmelden"])
def test_an_opt_out_word_raises_a_task_and_cancels_no_visit(shop: Shop, words: str) -> None:
    host = owner(shop)
    visit(shop)
    shop.wait_until(TUESDAY)

    assert text(shop, words) == FOR_A_PERSON

    reads = shop.product.engine.reads()
    assert reads.engine.number_stopped(ANN)
    assert appointment(shop).state is STATE.EXPECTED
    [task] = admin(reads).mails(MailFilter(for_a_person=True), limit=9)
    host = owner(shop)
    page = host.get(f"/console/messages/in/{task.id}").says
    assert "Did they mean their visit?" in page
    assert "The conversation" in page
    shop.wait_until(FRIDAY - DAY)
    assert [each.to_mobile for each in shop.sent("ann")] == [""]
    assert len(texts(shop)) == 1


@pytest.mark.spec("AR-12", "FD-15")
def test_start_still_lifts_the_number(shop: Shop) -> None:
    visit(shop)
    shop.wait_until(TUESDAY)
    text(shop, "STOP")

    text(shop, "START")

    assert not shop.product.engine.reads().engine.number_stopped(ANN)
    assert appointment(shop).state is STATE.EXPECTED


@pytest.mark.spec("AR-12")
def test_other_words_reach_staff_with_the_thread(shop: Shop) -> None:
    owner(shop)
    visit(shop)
    shop.wait_until(TUESDAY)

    text(shop, "Can I bring my daughter?")

    host = owner(shop)
    [task] = admin(shop.product.engine.reads()).mails(MailFilter(for_a_person=True), limit=9)
    page = host.get(f"/console/messages/in/{task.id}").says
    assert "Can I bring my daughter?" in page
    assert "Reply 1 yes, 2 another time, 3 cannot come" in page
    assert appointment(shop).state is STATE.EXPECTED
    url = f"/console/reminders/one/{appointment(shop).id}"
    assert "The customer wrote by text, and staff were told." in host.get(url).says


@pytest.mark.spec("AR-12")
def test_a_yes_is_for_staff_while_the_waitlist_waits_for_an_answer(shop: Shop) -> None:
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",))))
    visit(shop)
    day = FRIDAY.date()
    wish = Wish("cut", 1, date(2026, 11, 16), day)
    join = JoinList(
        EntryId(an_id("e")),
        PersonId(an_id("ann")),
        "Ann",
        "ann@example.org",
        wish,
        Lane.STAFF,
        mobile=ANN,
    )
    shop.do(join).wait_until(TUESDAY)
    opening = Opening("cut", FRIDAY - DAY, timedelta(hours=1), 1)
    shop.do(FreeSlot(SlotId(an_id("s")), "desk:1", opening))
    assert len(texts(shop)) >= 2

    assert text(shop, "yes") == FOR_A_PERSON
    assert appointment(shop).state is STATE.EXPECTED
    entry = waitlist(shop.product.engine.reads()).entry(EntryId(an_id("e")))
    assert entry is not None
    assert entry.status is EntryStatus.WAITING

    assert text(shop, "1") != FOR_A_PERSON
    assert appointment(shop).state is STATE.CONFIRMED


@pytest.mark.spec("AR-19", "AR-21")
def test_the_page_of_several_visits_has_all_three_answers_for_each(shop: Shop) -> None:
    """The visits come from a sheet, so free times are not known."""
    person, sheet = PersonId(an_id("ann")), AppointmentSource.SHEET
    contact = ("Ann", "ann@example.org", ANN)
    for ref, starts_at in (("ann", FRIDAY), ("nails", FRIDAY + 3 * HOUR)):
        shop.do(RecordAppointment(sheet, ref, person, *contact, "cut", starts_at, HOUR))
    shop.wait_until(TUESDAY)
    [reminder] = texts(shop)
    link = reminder[reminder.index("/l/") :].split()[0]
    browser = Browser(web_app(shop.product), BASE)

    page = browser.get(link)
    for answer in ("Yes, I'm coming", "Another time", "I cannot come"):
        assert page.says.count(answer) == 2
    browser.post(link, do="move", visit=appointment(shop, "nails").id)
    browser.post(link, do="confirm", visit=appointment(shop).id)

    assert appointment(shop).state is STATE.CONFIRMED
    assert "We got your wishes, and will be in touch." in browser.get(link).says
    browser.post(link, do="cancel", visit=appointment(shop).id)
    assert appointment(shop).state is STATE.CANCELLED


@pytest.mark.spec("AR-12", "AR-19")
def test_visits_with_other_schedules_share_a_text_and_are_answered_one_by_one(shop: Shop) -> None:
    """The second reminder of the cut also names the colour, which has only one reminder."""
    shop.do(TakeRules("services:\n  colour:\n    reminders: [1d]\n", "UTC"))
    person, sheet = PersonId(an_id("ann")), AppointmentSource.SHEET
    contact = ("Ann", "ann@example.org", ANN)
    for service, starts_at in (("cut", FRIDAY), ("colour", FRIDAY + 3 * HOUR)):
        shop.do(RecordAppointment(sheet, service, person, *contact, service, starts_at, HOUR))
    shop.wait_until(FRIDAY - DAY)
    [first, second] = texts(shop)
    link = second[second.index("/l/") :].split()[0]
    browser = Browser(web_app(shop.product), BASE)

    assert "colour" not in first
    assert "cut, Fri 20 Nov, 10:00 (UTC); colour, Fri 20 Nov, 13:00 (UTC)" in second
    assert browser.get(link).says.count("Yes, I'm coming") == 2
    assert text(shop, "3") != FOR_A_PERSON
    assert "which one?" in texts(shop)[-1]
    text(shop, "3 13:00")
    assert appointment(shop, "colour").state is STATE.CANCELLED
    browser.post(link, do="confirm", visit=appointment(shop, "cut").id)
    assert appointment(shop, "cut").state is STATE.CONFIRMED


@pytest.mark.spec("AR-09", "AR-12")
def test_a_customer_who_asks_for_another_time_by_text_writes_wishes_on_a_page(shop: Shop) -> None:
    """The visit comes from a sheet, so free times are not known."""
    sheet, contact = AppointmentSource.SHEET, ("Ann", "ann@example.org", ANN)
    person = PersonId(an_id("ann"))
    shop.do(RecordAppointment(sheet, "ann", person, *contact, "cut", FRIDAY, HOUR))
    shop.wait_until(TUESDAY)
    text(shop, "2")
    [answer] = [each for each in texts(shop) if "choose another time" in each]
    link = answer[answer.index("/l/") :].split()[0]
    browser = Browser(web_app(shop.product), BASE)

    page = browser.get(link)
    assert page.heading == "Ask for another time"
    assert "Which times suit you?" in page.says
    browser.post(link, do="move", wishes="Any evening")

    assert browser.get(link).heading == "We got your wishes, and will be in touch."
    replies = reminder_reads(shop.product.engine.reads()).replies_of(appointment(shop).id)
    wishes = [each.wishes for each in replies]
    assert sorted(wishes) == ["", "Any evening"]


@pytest.mark.spec("AR-07")
def test_staff_hear_once_that_the_money_for_texts_is_spent(shop: Shop) -> None:
    mia = (MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", "mia@salon.example")
    shop.do(AddFirstOwner(*mia))
    for _ in range(3):
        shop.product.troubles.texts_spent(True)
        shop.settle()

    assert shop.subjects("mia") == ["No more texts go out this month."]
    assert "No more texts go out this month." in owner(shop).get("/console/problems").says

    shop.product.troubles.texts_spent(False)
    assert "No more texts" not in owner(shop).get("/console/problems").says


@pytest.mark.spec("AR-07")
def test_staff_are_told_how_many_people_nothing_reaches_while_texts_are_paused(
    shop: Shop,
) -> None:
    """Bob and Dan have no address; Cat's does not work. Eve's appointment is after texts resume,
    and Fay has answered STOP, so both get no text in any case."""
    mia = (MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", "mia@salon.example")
    shop.opens().do(AddFirstOwner(*mia))
    visit(shop, "ann")
    shop.do(shop.booked_with("bob", "+6591230001"))
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",))))
    wish = Wish("cut", 1, date(2026, 11, 16), FRIDAY.date())
    dan = (EntryId(an_id("e")), PersonId(an_id("dan")), "Dan", "")
    shop.do(JoinList(*dan, wish, Lane.FORM, mobile="+6591230002"))
    visit(shop, "cat", "+6591230003")
    visit(shop, "eve", "+6591230004", at=FRIDAY + 60 * DAY, email="")
    visit(shop, "fay", "+6591230005", email="")
    text(shop, "STOP", "+6591230005")
    lose_mail(shop, "cat")
    spend(shop)

    shop.product.troubles.texts_spent(True)
    shop.settle()

    says = "3 people have no working e-mail address and cannot be reached until 1 December."
    [told] = [each.text for each in shop.sent("mia") if says in each.text]
    assert "Texts have cost as much as the setting" in told
    assert says in owner(shop).get("/console/problems").says


@pytest.mark.spec("AR-07")
def test_staff_are_told_that_nobody_depends_on_the_texts_that_are_paused(shop: Shop) -> None:
    mia = (MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", "mia@salon.example")
    shop.do(AddFirstOwner(*mia))
    visit(shop)
    spend(shop)

    shop.product.troubles.texts_spent(True)
    shop.settle()

    says = "Nobody whom we may have to tell something until 1 December depends on texts."
    assert says in shop.sent("mia")[-1].text


@pytest.mark.spec("AR-07")
@pytest.mark.parametrize(("off", "people"), [("reminders", 1), ("reminders booking", 0)])
def test_a_desk_that_is_off_tells_nobody_anything(tmp_path: Path, off: str, people: int) -> None:
    shop = Shop(tmp_path, off).opens()
    shop.do(shop.booked_with("bob", "+6591230001"))
    spend(shop)

    assert shop.product.out_of_reach() == people
    shop.close()


def spend(shop: Shop) -> None:
    budget = shop.product.settings.texts_a_month_usd * 1_000_000
    ledger = Ledger(shop.product.engine)
    ledger.count_text(shop.clock.now(), most=None, cost=budget, budget=budget)


def lose_mail(shop: Shop, who: str) -> None:
    person = shop.product.engine.reads().engine.person(PersonId(an_id(who)))
    assert person is not None
    lost = MarkBounced(person.id, person.contact_version, "no such mailbox")
    shop.product.engine.store.commit(Accepted((lost,)), by="test", at=shop.clock.now())


@pytest.mark.spec("AR-12")
def test_the_phone_in_the_console_answers_a_reminder(shop: Shop) -> None:
    visit(shop)
    shop.wait_until(TUESDAY)
    host = owner(shop)
    [kept] = [each for each in shop.sent("") if each.to_mobile == ANN]
    url = f"/console/messages/{kept.send_id}"

    answer = host.send(url, f"{url}/reply", words="1")

    assert answer.flash == "It came in, and was understood."
    assert appointment(shop).state is STATE.CONFIRMED
