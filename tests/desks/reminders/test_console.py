"""Console pages of the reminders desk: appointments, upcoming messages, rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import MarkMobile
from frontdesk.desks.reminders.commands import AskToMove, RecordAppointment
from frontdesk.desks.reminders.console.today import MOST
from frontdesk.desks.reminders.model import AppointmentSource, AppointmentState, appointment_id
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.values import replace
from tests.desks.reminders.test_connections import Shop, owner
from tests.support.reminders import DAY, FRIDAY, HOUR, MINUTE, MONDAY, an_id

LIST = "/console/reminders"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        yield one.opens()


@pytest.mark.spec("AR-01")
def test_a_booking_is_in_the_list_of_appointments(shop: Shop) -> None:
    shop.book("ann")
    host = owner(shop)

    assert "Fri 20 Nov, 10:00 Ann cut" in host.get(LIST).says
    assert "No answer yet" in host.get(LIST).says
    assert "Ann" not in host.get(f"{LIST}?state=confirmed").says
    assert host.get(f"{LIST}.csv").text.count("ann@example.org") == 1


def test_a_person_has_each_visit_once_and_everything_in_the_export(shop: Shop) -> None:
    shop.book("ann")
    host = owner(shop)
    page = f"/console/people/{an_id('ann')}"

    assert host.get(page).says.count("cut, Fri 20 Nov, 10:00") == 1
    assert "Bookings" in host.get(page).says
    exported = host.get(f"{page}/export.json").text
    assert "bk.booked" in exported
    assert "ar.added" in exported


def test_an_empty_list_leads_to_the_first_appointment(shop: Shop) -> None:
    page = owner(shop).get(LIST)

    assert "No appointments yet" in page.says
    assert 'href="/console/reminders/add">Add an appointment' in page.text


def test_without_a_calendar_its_page_says_how_to_connect_one(shop: Shop) -> None:
    page = owner(shop).get(f"{LIST}/calendar")

    assert "No calendar is connected." in page.says
    assert "Describe it in calendars.toml in the data folder" in page.says
    assert "Read it now" not in page.says


def test_the_rules_are_told_with_the_days_of_a_week_in_a_row(shop: Shop) -> None:
    page = owner(shop).get(f"{LIST}/rules")

    assert "Monday to Saturday, 09:00 to 18:00." in page.says


@pytest.mark.spec("AR-12")
def test_staff_note_an_answer_and_see_the_story(shop: Shop) -> None:
    booked = shop.book("ann")
    url = f"{LIST}/one/{shop.appointment(booked).id}"
    host = owner(shop)

    assert host.send(url, f"{url}/confirm").flash == "Noted: the customer is coming."
    assert shop.appointment(booked).state is AppointmentState.CONFIRMED
    assert "The customer confirmed by telling staff." in host.get(url).says


@pytest.mark.spec("AR-09")
def test_staff_move_the_booking_behind_an_appointment(shop: Shop) -> None:
    booked = shop.book("ann")
    shop.do(shop.reply(AskToMove, booked))
    host = owner(shop)

    page = host.get(f"{LIST}/one/{shop.appointment(booked).id}")

    assert "Wants another time" in page.says
    assert f'href="/console/bookings/one/{booked}">See the booking' in page.text
    assert f'href="/console/bookings/new?move={booked}">Move' in page.text
    assert host.get(f"/console/bookings/new?move={booked}").heading == "Move Ann"


def test_today_counts_a_customer_who_wants_another_time_as_not_confirmed(shop: Shop) -> None:
    booked = shop.book("ann", MONDAY + 8 * HOUR)
    shop.do(shop.reply(AskToMove, booked))

    says = owner(shop).get("/console").says

    assert "1 appointment in the next 24 hours" in says
    assert "0 confirmed, 0 without an answer, 1 to move." in says


@pytest.mark.spec("FD-13")
def test_the_template_of_every_mail_opens(shop: Shop) -> None:
    """Includes the mails to staff, which name no customer."""
    host, settings = owner(shop), "/console/settings"
    lists = set(re.findall(rf'href="({settings}/[a-z-]*mails)"', host.get(settings).text))
    assert len(lists) == 4

    for path in lists:
        kinds = set(re.findall(rf'href="({path}/\w+)"', host.get(path).text))
        assert kinds
        assert {kind: host.get(kind).status for kind in kinds} == dict.fromkeys(kinds, 200)
    assert "To Your team" in host.get(f"{settings}/reminder-mails/week").says


@pytest.mark.spec("AR-11")
def test_staff_cancel_for_a_customer_after_a_question(shop: Shop) -> None:
    booked = shop.book("ann")
    url = f"{LIST}/one/{shop.appointment(booked).id}"
    host = owner(shop)

    asked = host.send(url, f"{url}/cancel")
    assert "Cancel this appointment for the customer?" in asked.says
    assert shop.appointment(booked).state is AppointmentState.EXPECTED

    host.send(url, f"{url}/cancel", confirmed="yes")
    assert shop.appointment(booked).state is AppointmentState.CANCELLED


@pytest.mark.spec("AR-15")
def test_a_no_show_is_marked_only_after_the_start(shop: Shop) -> None:
    booked = shop.book("ann")
    url = f"{LIST}/one/{shop.appointment(booked).id}"
    host = owner(shop)
    assert "Did not come" not in host.get(url).says

    shop.wait_until(FRIDAY + timedelta(minutes=10))
    host = owner(shop)
    assert host.send(url, f"{url}/no-show", confirmed="yes").flash == "Noted as a no-show."
    assert shop.appointment(booked).state is AppointmentState.NO_SHOW
    assert "No-shows 1" in host.get(url).says


@pytest.mark.spec("AR-23")
def test_messages_of_the_next_days_are_listed_and_one_can_be_left_out(shop: Shop) -> None:
    booked = shop.book("ann")
    url = f"{LIST}/one/{shop.appointment(booked).id}"
    host = owner(shop)
    page = host.get(f"{LIST}/next").says
    assert "Tue 17 Nov, 10:00 Ann First reminder" in page
    assert "Thu 19 Nov, 10:00 Ann Second reminder" in page

    assert host.send(url, f"{url}/skip/first").flash == "This reminder is left out."
    assert "First reminder" not in host.get(f"{LIST}/next").says


@pytest.mark.spec("AR-16", "AR-23")
def test_a_customer_whom_nothing_reaches_is_named(shop: Shop) -> None:
    shop.book("ann")
    person = PersonId(an_id("bob"))
    visit = RecordAppointment(
        AppointmentSource.SHEET, "7", person, "Bob", "bob@example.org", "", "cut", FRIDAY, HOUR
    )
    shop.do(replace(visit, tags=parse_tags("#noemail")))
    page = owner(shop).get(f"{LIST}/next?state=unreached").says

    assert "Bob First reminder" in page
    assert "Ann" not in page


def test_wrong_rules_are_shown_with_their_line_and_change_nothing(shop: Shop) -> None:
    host = owner(shop)
    assert "3 days and 1 day before." in host.get(f"{LIST}/rules").says

    answer = host.send(f"{LIST}/rules", text="reminders: [soon]")

    assert "Line 1: reminders: [soon] 'soon' is not a time" in answer.says
    assert "3 days and 1 day before." in host.get(f"{LIST}/rules").says


def test_today_names_an_appointment_without_an_answer(shop: Shop) -> None:
    shop.book("ann")
    shop.wait_until(FRIDAY - DAY + 9 * HOUR)

    assert "No answer from Ann" in owner(shop).get("/console").says


def test_today_names_the_first_of_many_and_leads_to_all(shop: Shop) -> None:
    for number in range(MOST + 3):
        name, starts_at = f"Guest {number}", FRIDAY + number * MINUTE
        visit = RecordAppointment(
            AppointmentSource.SHEET,
            str(number),
            PersonId(an_id(name)),
            name,
            f"guest{number}@example.org",
            "",
            "cut",
            starts_at,
            HOUR,
        )
        shop.do(visit)
    shop.wait_until(FRIDAY - DAY + 9 * HOUR)

    page = owner(shop).get("/console")

    assert f"No answer from Guest {MOST - 1} " in page.says
    assert f"No answer from Guest {MOST} " not in page.says
    assert "3 more like these" in page.says
    assert f'href="{LIST}?state=unanswered" aria-label="See the list: 3 more' in page.text


@pytest.mark.spec("AR-20")
@pytest.mark.parametrize(
    ("email", "says"),
    [
        ("ann@example.org", "fail, so mail is used"),
        ("", "fail, and there is no e-mail address"),
    ],
)
def test_the_page_says_what_becomes_of_texts_that_fail(shop: Shop, email: str, says: str) -> None:
    person, mobile = PersonId(an_id("ann")), "+6591234567"
    contact = ("Ann", email, mobile)
    shop.do(
        RecordAppointment(AppointmentSource.SHEET, "7", person, *contact, "cut", FRIDAY, HOUR)
    ).do(MarkMobile(person, True, Role.OWNER))

    page = owner(shop).get(f"{LIST}/one/{appointment_id(AppointmentSource.SHEET, '7')}")

    assert says in page.says
