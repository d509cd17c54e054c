"""Each gap reaches staff once, in their working hours: by mail, in Slack and on Today."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, time
from pathlib import Path

import pytest

from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner, Erase
from frontdesk.desks.booking import commands as booking
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.model import AppointmentSource, Means, Window, appointment_id
from frontdesk.desks.reminders.rules import LeadTime, Schedule, StaffHours
from frontdesk.desks.reminders.tags import parse_tags
from tests.desks.reminders.test_connections import BASE, Shop, owner
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk, an_id, id_of
from tests.support.slack import SlackRoom, slack

MIDNIGHT = MONDAY - 9 * HOUR
MIA = "mia@salon.example"
NINE = FRIDAY - HOUR


def alerts(desk: RemindersDesk, ref: str) -> list[datetime]:
    return [each.at for each in desk.facts(ref) if each.fact.kind == "ar.gap_alert"]


@pytest.mark.spec("AR-11", "AR-13")
def test_a_cancellation_reaches_staff_at_once_while_they_are_there(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(FRIDAY - 3 * DAY + 2 * HOUR)

    desk.do(desk.cancel("ann"))

    assert alerts(desk, "ann") == [FRIDAY - 3 * DAY + 2 * HOUR]


@pytest.mark.spec("AR-13")
def test_a_cancellation_at_night_reaches_staff_in_the_morning(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(MIDNIGHT + DAY + 23 * HOUR)

    desk.do(desk.cancel("ann"))
    assert alerts(desk, "ann") == []
    desk.wait_until(FRIDAY)

    assert alerts(desk, "ann") == [MIDNIGHT + 2 * DAY + 9 * HOUR]


@pytest.mark.spec("AR-13")
def test_a_cancellation_that_cannot_wait_for_the_morning_reaches_staff_at_night(
    desk: RemindersDesk,
) -> None:
    """Staff start work at nine, when the appointment begins."""
    desk.given().add("ann", NINE)
    desk.wait_until(NINE - 10 * HOUR)

    desk.do(desk.cancel("ann"))

    assert alerts(desk, "ann")[-1] == NINE - 10 * HOUR


@pytest.mark.spec("AR-13")
def test_an_alert_leaves_staff_time_to_act(desk: RemindersDesk) -> None:
    """The machine was off in the evening: at nine only half an hour would be left."""
    desk.given(usual=Schedule(reminders=(LeadTime(days=1),), alert=LeadTime(minutes=240)))
    half_past = NINE + HOUR / 2
    desk.add("ann", half_past)
    desk.wait_until(half_past - 20 * HOUR)

    desk.sleep_until(half_past - 3 * HOUR)

    assert alerts(desk, "ann") == [half_past - 3 * HOUR]


@pytest.mark.spec("AR-13")
def test_an_alert_that_is_moved_into_staff_hours_does_not_wait_for_the_hour(
    desk: RemindersDesk,
) -> None:
    """Staff leave at half past six, so the alert comes an hour before they leave."""
    desk.given(staff_hours=StaffHours(time(9), time(18, 30)))
    desk.add("ann", NINE)

    desk.wait_until(NINE)

    assert alerts(desk, "ann") == [NINE - DAY + 8.5 * HOUR]


@pytest.mark.spec("AR-13", "AR-16")
def test_a_skipped_appointment_raises_no_alert(desk: RemindersDesk) -> None:
    desk.given().add("ann", tags=parse_tags("#skip"))

    desk.do(desk.cancel("ann"))

    assert alerts(desk, "ann") == []


@pytest.mark.spec("AR-13")
def test_staff_are_not_told_of_what_they_noted_themselves(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.do(desk.cancel("ann", means=Means.STAFF))

    assert alerts(desk, "ann") == []
    assert desk.timers() == {}


# --- the whole product ----------------------------------------------------------------------


@pytest.fixture
def room() -> Iterator[SlackRoom]:
    with slack() as one:
        yield one


@pytest.fixture
def shop(tmp_path: Path, room: SlackRoom) -> Iterator[Shop]:
    with closing(Shop(tmp_path, more=room.settings)) as one:
        one.do(AddFirstOwner(MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", MIA))
        yield one.opens()
        assert one.settle().problems() == ()


def link_to(shop: Shop, appointment: str) -> str:
    return f"{BASE}/console/reminders/one/{appointment}"


@pytest.mark.spec("AR-13")
def test_an_appointment_without_an_answer_reaches_staff_in_slack_and_by_mail(
    shop: Shop, room: SlackRoom
) -> None:
    booked = shop.book("ann", NINE + HOUR)
    url = link_to(shop, shop.appointment(booked).id)

    shop.wait_until(NINE + HOUR)

    what = "*Ann* has not answered: cut with Mira, Friday 20 November, 10:00 (UTC)."
    assert room.texts == [f"{what} You reach them at ann@example.org."]
    assert url in str(room.last["blocks"])
    [mail] = [each for each in shop.sent(MIA) if each.subject.startswith("No answer yet")]
    assert mail.subject == "No answer yet: Ann, cut tomorrow at 10:00"
    assert "You reach them at ann@example.org." in mail.text
    assert url in mail.text


@pytest.mark.spec("AR-11", "AR-13")
def test_a_cancelled_appointment_of_a_sheet_reaches_staff_everywhere(
    shop: Shop, room: SlackRoom
) -> None:
    sheet, contact = AppointmentSource.SHEET, ("Ann <b>", "ann@example.org", "+6591234567")
    person = PersonId(an_id("ann"))
    shop.do(ar.RecordAppointment(sheet, "7", person, *contact, "Cut", FRIDAY, HOUR, "Mira"))
    one = appointment_id(sheet, "7")

    shop.do(ar.Cancel(one, 1, "1.first", Means.LINK))

    [text] = room.texts
    assert "cancelled: Cut with Mira, Friday 20 November, 10:00 (UTC)." in text
    assert "+65 9123 4567, ann@example.org" in text
    assert "<b>" not in text
    [mail] = [each for each in shop.sent(MIA) if each.subject.startswith("Cancelled")]
    assert link_to(shop, one) in mail.text
    assert "cannot come Cancelled Cut, Fri 20 Nov, 10:00." in owner(shop).get("/console").says


@pytest.mark.spec("AR-11", "AR-13")
def test_a_cancelled_booking_reaches_staff_once_wherever_the_customer_cancels(
    shop: Shop, room: SlackRoom
) -> None:
    here, there = shop.book("ann"), shop.book("bob", FRIDAY + HOUR)

    shop.do(shop.reply(ar.Cancel, here, Window.FIRST)).do(booking.CancelBooking(there))

    assert [each.split(":")[0] for each in room.texts] == ["*Ann* cancelled", "*Bob* cancelled"]
    mails = [each for each in shop.subjects(MIA) if "ancelled" in each]
    assert len(mails) == 2


@pytest.mark.spec("AR-13")
def test_a_booking_that_staff_cancelled_is_no_news(shop: Shop, room: SlackRoom) -> None:
    shop.do(booking.CancelBooking(shop.book("ann"), by_staff=True))

    assert room.texts == []


@pytest.mark.spec("FD-20")
def test_a_post_about_an_erased_person_is_retracted(shop: Shop, room: SlackRoom) -> None:
    booked = shop.book("ann")
    shop.do(shop.reply(ar.Cancel, booked, Window.FIRST))

    shop.do(Erase(PersonId(an_id("ann"))))

    assert room.texts == ["This was about somebody who has asked to be forgotten."]


def test_a_gap_that_closed_meanwhile_is_not_posted(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.do(desk.cancel("ann"))

    assert desk.refused(ar.AlertStaff(id_of("nobody"))) == "no_such_appointment"
    desk.wait_until(FRIDAY)
    assert desk.refused(ar.AlertStaff(id_of("ann"))) == "nothing_due"


def test_today_says_that_a_customer_cannot_come_only_if_they_said_so(shop: Shop) -> None:
    sheet, contact = AppointmentSource.SHEET, ("Ann", "ann@example.org", "")
    person = PersonId(an_id("ann"))
    shop.do(ar.RecordAppointment(sheet, "7", person, *contact, "Cut", FRIDAY, HOUR, "Mira"))

    shop.do(ar.EndAppointment(appointment_id(sheet, "7")))

    assert "Ann: Cut Cancelled Cut, Fri 20 Nov, 10:00." in owner(shop).get("/console").says
