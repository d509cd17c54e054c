"""Upcoming messages: what will be sent, and what prevents it; pause, send now, preview."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, time
from pathlib import Path

import pytest

from frontdesk.core.people import Person, PersonId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.sends import SendState, Via
from frontdesk.core.text_rules import TextRules, segment_price_micros
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.console.next_messages import ComingMessage, coming_messages
from frontdesk.desks.reminders.console.text_forecast import forecast
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import AppointmentSource, Window, appointment_id
from frontdesk.desks.reminders.rules import LeadTime, Schedule
from frontdesk.engine.ledger import Ledger
from frontdesk.engine.ports import Committed
from frontdesk.features.messages.kinds import takes_sms
from tests.desks.reminders.conftest import Opened
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_console import LIST
from tests.support.flaky_channel import FlakyChannel
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk, an_id, days, id_of

NEXT = f"{LIST}/next"
TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY
ROW = appointment_id(AppointmentSource.SHEET, "7")


# --- the pause ------------------------------------------------------------------------------


@pytest.mark.spec("AR-23")
def test_nobody_is_reminded_during_a_pause(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.do(ar.PauseReminders()).wait_until(THURSDAY - HOUR)
    assert desk.told() == []
    assert desk.refused(ar.PauseReminders()) == "unchanged"
    assert desk.refused(ar.RemindNow(id_of("ann"), desk.clock.now())) == "paused"

    desk.do(ar.ResumeReminders()).wait_until(FRIDAY)
    assert desk.told() == [
        ("first", "ann", THURSDAY - HOUR),
        ("second", "ann", THURSDAY + 3 * HOUR),
    ]
    assert desk.refused(ar.ResumeReminders()) == "unchanged"


@pytest.mark.spec("AR-23")
def test_a_reminder_that_makes_no_sense_after_the_pause_is_left_out(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.do(ar.PauseReminders()).wait_until(FRIDAY - HOUR / 3)

    desk.do(ar.ResumeReminders()).wait_until(FRIDAY)

    assert desk.told() == []


@pytest.mark.spec("AR-23")
def test_a_message_that_is_queued_waits_for_the_end_of_the_pause(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.clock.move_to(MONDAY + 12 * HOUR + HOUR / 2)
    outcome = desk.run(ar.RemindNow(id_of("ann"), desk.clock.now()))
    assert isinstance(outcome, Committed)

    desk.do(ar.PauseReminders()).wait_until(TUESDAY)
    assert desk.told() == []
    desk.do(ar.ResumeReminders()).wait_until(TUESDAY + HOUR)

    assert [kind for kind, _, _ in desk.told()] == ["first"]


@pytest.mark.spec("AR-13", "AR-23")
def test_alerts_to_staff_go_on_during_a_pause(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY + HOUR).do(ar.PauseReminders())

    desk.wait_until(FRIDAY)

    assert desk.kinds("ann") == ["added", "first_reminder", "gap_alert"]


# --- the list -------------------------------------------------------------------------------


def no_texts(_person: Person) -> bool:
    return False


@pytest.mark.spec("AR-23", "AR-24")
def test_the_list_shows_the_channel_that_reaches_the_customer(desk: RemindersDesk) -> None:
    desk.given()
    numbers = {name: f"+659123456{place}" for place, name in enumerate(("ann", "bob", "cat"))}
    for place, (name, mobile) in enumerate(numbers.items()):
        email = f"{name}@example.org" if name == "bob" else ""
        desk.add(name, FRIDAY + place * HOUR, mobile=mobile, email=email)
    desk.text("STOP", numbers["bob"], 1)
    desk.text("STOP", numbers["cat"], 2)
    reads = desk.engine.reads()

    found = coming_messages(
        desk.reads,
        desk.loader.planner(reads),
        lambda person: takes_sms(reads, TextRules(()), person),
        desk.clock.now(),
    )

    shown = [
        (each.appointment.ref, each.via, each.warnings)
        for each in found
        if each.window is Window.FIRST
    ]
    assert shown == [
        ("ann", "Text", ()),
        ("bob", "Mail", ()),
        ("cat", "", ("no way to reach them",)),
    ]


def limited(*, month: int = 0, day: int = 0) -> TextRules:
    """Returns rules that allow this many texts of one segment."""
    price = segment_price_micros("SG")
    return TextRules((), a_day=day, a_month_micros=month * price + price // 2 if month else 0)


def forecast_of(desk: RemindersDesk, rules: TextRules) -> list[ComingMessage]:
    reads = desk.engine.reads()
    rows = coming_messages(
        desk.reads,
        desk.loader.planner(reads),
        lambda person: takes_sms(reads, rules, person),
        desk.clock.now(),
    )
    firsts = [each for each in rows if each.window is Window.FIRST]
    return forecast(firsts, rules, reads.engine)


def three_customers(desk: RemindersDesk) -> RemindersDesk:
    """Adds Ann, Bob and Cat, who come one after the other. Cat has no address."""
    for place, name in enumerate(("ann", "bob", "cat")):
        email = "" if name == "cat" else f"{name}@example.org"
        desk.add(name, FRIDAY + place * HOUR, mobile=f"+659123456{place}", email=email)
    return desk


@pytest.mark.spec("AR-23", "AR-07")
@pytest.mark.parametrize("texts", [1, 2, 3])
def test_the_forecast_is_what_happens_at_the_monthly_limit(open_desk: Opened, texts: int) -> None:
    rules = limited(month=texts)
    desk = three_customers(open_desk(texts=FlakyChannel(), text_rules=rules).given())

    found = {each.appointment.ref: each.via for each in forecast_of(desk, rules)}

    cat = "Text" if texts == 3 else ""
    assert found == {"ann": "Text", "bob": "Mail" if texts == 1 else "Text", "cat": cat}
    desk.wait_until(TUESDAY + 3 * HOUR)
    names = {Via.TEXT: "Text", Via.MAIL: "Mail"}
    sent = {
        each.subject: names[each.via]
        for each in desk.sends()
        if each.kind == "first_reminder" and each.state is SendState.SENT and each.via
    }
    assert sent == {id_of(who): via for who, via in found.items() if via}


@pytest.mark.spec("AR-23", "AR-07")
def test_a_limit_is_shown_at_each_message_that_it_changes(desk: RemindersDesk) -> None:
    three_customers(desk.given())

    assert [each.warnings for each in forecast_of(desk, limited(month=1))] == [
        (),
        ("instead of a text: monthly limit",),
        ("not delivered: monthly limit on texts",),
    ]
    assert [each.warnings for each in forecast_of(desk, limited(day=1))] == [
        (),
        ("instead of a text: daily limit",),
        ("waits a day: daily limit on texts",),
    ]
    assert [each.warnings for each in forecast_of(desk, TextRules(()))] == [(), (), ()]


@pytest.mark.spec("AR-23", "AR-07")
def test_a_new_month_has_money_again(open_desk: Opened) -> None:
    desk = open_desk().given()
    spent = limited(month=1)
    Ledger(desk.engine).count_text(
        desk.clock.now(), most=None, cost=spent.a_month_micros, budget=spent.a_month_micros
    )
    december = datetime(2026, 12, 4, 10, tzinfo=UTC)
    desk.wait_until(december - 6 * DAY)
    desk.add("ann", december, mobile="+6591234560")

    [found] = forecast_of(desk, spent)
    assert (found.at.month, found.via) == (12, "Text")


@pytest.mark.spec("AR-23")
def test_the_list_says_why_a_message_is_put_off(open_desk: Opened) -> None:
    loader = Loader(holidays=lambda _country, _region: days("2026-11-17"))
    desk = open_desk(loader=loader)
    usual = Schedule(reminders=(LeadTime(days=3), LeadTime(days=1), LeadTime(minutes=180)))
    desk.given(usual=usual, quiet=QuietHours(time(21), time(8, 30)))
    desk.add("ann", FRIDAY - 2 * HOUR)

    found = coming_messages(
        desk.reads, loader.planner(desk.engine.reads()), no_texts, desk.clock.now()
    )

    assert [(each.window.value, each.put_off) for each in found if each.window != "gap"] == [
        ("first", "put off: holiday"),
        ("second", "put off: quiet hours"),
        ("third", "earlier: quiet hours"),
    ]


@pytest.mark.spec("AR-23")
def test_a_message_that_is_late_at_night_is_put_off(desk: RemindersDesk) -> None:
    """The second reminder was due on Monday at ten in the evening, which is quiet, so it goes out
    at eight on Tuesday."""
    desk.given().clock.move_to(MONDAY + 9 * HOUR)
    desk.add("ann", TUESDAY + 12 * HOUR)
    desk.clock.move_to(MONDAY + 13 * HOUR + HOUR / 2)

    found = coming_messages(
        desk.reads, desk.loader.planner(desk.engine.reads()), no_texts, desk.clock.now()
    )

    assert next((each.window.value, each.at, each.put_off) for each in found) == (
        "second",
        TUESDAY - 2 * HOUR,
        "put off: quiet hours",
    )


@pytest.mark.spec("AR-19", "AR-23")
def test_visits_that_share_a_message_are_one_line(desk: RemindersDesk) -> None:
    desk.given()
    for ref, hours in (("cut", 0), ("nails", 2)):
        desk.add("ann", FRIDAY + hours * HOUR, ref=ref)

    planner = desk.loader.planner(desk.engine.reads())
    found = coming_messages(desk.reads, planner, no_texts, desk.clock.now())
    listed = [
        (each.window.value, len(each.together)) for each in found if each.window.value != "gap"
    ]
    desk.wait_until(FRIDAY - HOUR)

    assert listed == [("first", 1), ("second", 1)]
    assert [kind for kind, _, _ in desk.told()] == ["first", "second"]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        yield one.opens()
        assert one.settle().problems() == ()


def add_row(
    shop: Shop, name: str = "Ann", service: str = "Cut", email: str = "ann@example.org"
) -> None:
    contact = (name, email, "+6591234567")
    person = PersonId(an_id("ann"))
    sheet = AppointmentSource.SHEET
    shop.do(ar.RecordAppointment(sheet, "7", person, *contact, service, FRIDAY, HOUR, "Mira"))


@pytest.mark.spec("AR-23")
def test_a_text_over_one_segment_and_the_cost_of_the_month_are_shown(shop: Shop) -> None:
    add_row(shop, service="Balayage with a deep-conditioning treatment and a blow-dry " * 2)

    page = owner(shop).get(NEXT).says

    assert "Text, 2 segments" in page
    assert "Texts: 0 sent this month, 4 segments in the next seven days" in page
    assert "US$" in page
    assert "2 segments" in owner(shop).get(f"{NEXT}?state=warned").says


@pytest.fixture
def limited_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """Sends texts by SNS, for at most a dollar a month."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-southeast-1")
    with closing(Shop(tmp_path, more={"texts": "sns", "texts_a_month_usd": 1})) as one:
        yield one.opens()


@pytest.mark.spec("AR-23", "AR-07")
def test_the_page_and_the_preview_tell_of_the_monthly_limit(limited_shop: Shop) -> None:
    shop = limited_shop
    add_row(shop)
    host = owner(shop)
    assert "monthly limit" not in host.get(NEXT).says
    assert "1 segment" in host.get(f"{NEXT}/{ROW}/first").says

    price = segment_price_micros("SG")
    Ledger(shop.product.engine).count_text(
        shop.clock.now(), most=None, cost=1_000_000 - price, budget=1_000_000
    )
    page = host.get(NEXT).says
    assert "The monthly limit on texts (US$1) will be reached by Thu 19 Nov." in page
    assert "1 reminder goes out by mail instead." in page
    assert "Mail, instead of a text: monthly limit" in page
    assert "2 reminders, 1 of them by text." in page
    assert "You get this mail because" in host.get(f"{NEXT}/{ROW}/second/mail").says

    Ledger(shop.product.engine).count_text(shop.clock.now(), most=None, cost=1, budget=1_000_000)
    page = host.get(NEXT).says
    assert "The monthly limit on texts (US$1) is reached." in page
    assert "2 reminders go out by mail instead. Texts go out again on 1 December." in page


@pytest.mark.spec("AR-23", "AR-07")
def test_a_customer_without_an_address_is_shown_as_out_of_reach(limited_shop: Shop) -> None:
    shop = limited_shop
    add_row(shop, email="")
    Ledger(shop.product.engine).count_text(
        shop.clock.now(), most=None, cost=1_000_000, budget=1_000_000
    )

    host = owner(shop)
    page = host.get(NEXT).says
    assert "2 reminders are not delivered: these customers have no working e-mail address." in page
    assert "Not delivered: monthly limit on texts" in page
    assert "By then the limit on texts is reached" in host.get(f"{NEXT}/{ROW}/first").says


@pytest.mark.spec("AR-23")
def test_a_message_is_shown_as_the_customer_will_see_it_and_nothing_changes(shop: Shop) -> None:
    add_row(shop)
    host = owner(shop)
    before = shop.product.engine.reads().engine

    page = host.get(f"{NEXT}/{ROW}/second").says

    assert "Second reminder for Ann" in page
    assert "Cut tomorrow at 10:00." in page
    assert "1 segment" in page
    assert "Send it now" not in page, "the first one comes before it"
    assert shop.subjects("ann") == []
    assert before.texts_on(MONDAY.date()) == 0


@pytest.mark.spec("AR-23")
def test_a_message_is_sent_now(shop: Shop) -> None:
    booked = shop.book("ann")
    one = shop.appointment(booked).id
    host = owner(shop)
    assert "Send it now" in host.get(f"{NEXT}/{one}/first").says

    host.send(f"{NEXT}/{one}/first", f"{LIST}/one/{one}/remind")
    shop.settle()

    assert "Your appointment in 4 days: cut" in shop.subjects("ann")
    assert host.get(f"{NEXT}/{one}/first").status == 404
    story = host.get(f"{LIST}/one/{one}").says
    assert "Staff asked for the first reminder now." in story
    assert "was due" not in story


@pytest.mark.parametrize("path", ["gap", "nonsense", "third"])
def test_a_message_that_does_not_go_out_has_no_preview(shop: Shop, path: str) -> None:
    add_row(shop)

    assert owner(shop).get(f"{NEXT}/{ROW}/{path}").status == 404


@pytest.mark.spec("AR-23")
def test_staff_pause_all_reminders_and_today_says_so(shop: Shop) -> None:
    shop.book("ann")
    host = owner(shop)

    assert host.send(NEXT, f"{NEXT}/pause").flash.startswith("Reminders are paused.")
    assert "Reminders have been paused since Mon 16 Nov, 09:00." in host.get(NEXT).says
    assert "First reminder" in host.get(NEXT).says
    assert "Nobody has been reminded since Mon 16 Nov, 09:00." in host.get("/console").says
    shop.wait_until(TUESDAY + HOUR)
    assert len(shop.subjects("ann")) == 1

    host = owner(shop)
    assert host.send(NEXT, f"{NEXT}/resume").flash.startswith("Reminders go out again.")
    shop.settle()
    assert shop.subjects("ann")[-1] == "Your appointment in 3 days: cut"


@pytest.mark.spec("AR-23")
def test_a_mail_is_shown_as_the_customer_will_see_it(shop: Shop) -> None:
    one = shop.appointment(shop.book("ann")).id
    host = owner(shop)
    path = f"{NEXT}/{one}/first"

    assert f'src="{path}/mail"' in host.get(path).text
    mail = host.get(f"{path}/mail")

    assert mail.status == 200
    assert "Are you coming, Ann?" in mail.says
    assert "sandbox" in mail.headers["content-security-policy"]
    assert host.get(f"{NEXT}/{one}/gap/mail").status == 404


def test_a_text_has_no_mail_to_show(shop: Shop) -> None:
    add_row(shop)

    assert owner(shop).get(f"{NEXT}/{ROW}/first/mail").status == 404
