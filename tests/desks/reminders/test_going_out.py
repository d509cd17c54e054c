"""Going out next: what will be sent, what stands in the way; pause, send now, preview."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import time
from pathlib import Path

import pytest

from frontdesk.core.people import Person, PersonId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.text_rules import TextRules
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.console.coming import coming
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import AppointmentSource, Window, appointment_id
from frontdesk.desks.reminders.rules import Before, Schedule
from frontdesk.engine.ports import Committed
from frontdesk.features.messages.kinds import takes_sms
from tests.desks.reminders.conftest import Opened
from tests.desks.reminders.test_connections import Shop
from tests.desks.reminders.test_console import LIST, owner
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

    found = coming(
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
        ("ann", "SMS", ()),
        ("bob", "Mail", ()),
        ("cat", "", ("no way to reach them",)),
    ]


@pytest.mark.spec("AR-23")
def test_the_list_says_why_a_message_is_put_off(open_desk: Opened) -> None:
    loader = Loader(holidays=lambda _country, _region: days("2026-11-18"))
    desk = open_desk(loader=loader)
    usual = Schedule(reminders=(Before(days=2), Before(days=1), Before(minutes=180)))
    desk.given(usual=usual, quiet=QuietHours(time(21), time(8, 30)))
    desk.add("ann", FRIDAY - 2 * HOUR)

    found = coming(desk.reads, loader.planner(desk.engine.reads()), no_texts, desk.clock.now())

    assert [(each.window.value, each.put_off) for each in found if each.window != "gap"] == [
        ("first", "put off: holiday"),
        ("second", "put off: quiet hours"),
        ("third", "earlier: quiet hours"),
    ]


@pytest.mark.spec("AR-19", "AR-23")
def test_visits_that_share_a_message_are_one_line(desk: RemindersDesk) -> None:
    desk.given()
    for ref, hours in (("cut", 0), ("nails", 2)):
        desk.add("ann", FRIDAY + hours * HOUR, ref=ref)

    planner = desk.loader.planner(desk.engine.reads())
    found = coming(desk.reads, planner, no_texts, desk.clock.now())
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


def add_row(shop: Shop, name: str = "Ann", service: str = "Cut") -> None:
    contact = (name, "ann@example.org", "+6591234567")
    person = PersonId(an_id("ann"))
    sheet = AppointmentSource.SHEET
    shop.do(ar.RecordAppointment(sheet, "7", person, *contact, service, FRIDAY, HOUR, "Mira"))


@pytest.mark.spec("AR-23")
def test_a_text_over_one_segment_and_the_cost_of_the_month_are_shown(shop: Shop) -> None:
    add_row(shop, service="Balayage with a deep-conditioning treatment and a blow-dry " * 2)

    page = owner(shop).get(NEXT).says

    assert "SMS, 2 segments" in page
    assert "Texts: 0 sent this month, 4 segments in the next seven days" in page
    assert "US$" in page
    assert "2 segments" in owner(shop).get(f"{NEXT}?state=warned").says


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


@pytest.mark.parametrize("path", ["gap", "nonsense", "third"])
def test_there_is_no_preview_of_what_does_not_go_out(shop: Shop, path: str) -> None:
    add_row(shop)

    assert owner(shop).get(f"{NEXT}/{ROW}/{path}").status == 404


@pytest.mark.spec("AR-23")
def test_staff_pause_all_reminders_and_today_says_so(shop: Shop) -> None:
    shop.book("ann")
    host = owner(shop)

    assert host.send(NEXT, f"{NEXT}/pause").flash.startswith("Reminders are paused.")
    assert "Reminders are paused since Mon 16 Nov, 09:00." in host.get(NEXT).says
    assert "First reminder" in host.get(NEXT).says
    assert "Nobody is reminded since Mon 16 Nov, 09:00." in host.get("/console").says
    shop.wait_until(TUESDAY + HOUR)
    assert len(shop.subjects("ann")) == 1

    host = owner(shop)
    assert host.send(NEXT, f"{NEXT}/resume").flash.startswith("Reminders go out again.")
    shop.settle()
    assert shop.subjects("ann")[-1] == "Your appointment in 3 days: cut"
