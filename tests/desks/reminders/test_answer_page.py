"""The page behind the links of a reminder: every answer leads to a page with a next step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import RecordAppointment
from frontdesk.desks.reminders.model import AppointmentSource
from tests.desks.reminders.test_connections import Shop, links_in, owner, visitor
from tests.support.browser import Answer
from tests.support.reminders import DAY, FRIDAY, HOUR, an_id


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Ann has a booking on Friday, and has just got its first reminder."""
    with closing(Shop(tmp_path)) as opened:
        opened.opens()
        opened.book("ann")
        yield opened.wait_until(FRIDAY - 3 * DAY)


def links(shop: Shop) -> list[str]:
    """Returns the links to confirm, to move and to cancel."""
    return links_in(shop.sent("ann")[-1])


def answered(shop: Shop, link: str, do: str) -> Answer:
    visitor(shop).post(link, do=do)
    shop.settle()
    return visitor(shop).get(link)


def test_a_reminder_has_one_button_and_two_quiet_links(shop: Shop) -> None:
    mail = shop.sent("ann")[-1]

    assert mail.html.count('class="button"') == 1
    for label in ("Yes, I'm coming", "Choose another time", "Cancel"):
        assert f">{label}</a>" in mail.html.replace("&#39;", "'")


@pytest.mark.spec("AR-08", "AR-21")
def test_the_page_to_confirm_says_how_to_move_or_cancel_before_and_after(shop: Shop) -> None:
    confirm, *_ = links(shop)
    elsewhere = "Your message also has the links to choose another time and to cancel."

    assert elsewhere in visitor(shop).get(confirm).says
    page = answered(shop, confirm, "confirm")

    assert page.heading == "You're coming. See you then."
    assert elsewhere in page.says
    assert "done-sign-good" in page.text


@pytest.mark.spec("AR-09")
def test_the_link_to_another_time_leads_straight_to_the_free_times(shop: Shop) -> None:
    _, move, _ = links(shop)

    answer = visitor(shop).get(move)

    assert answer.status == 303
    assert visitor(shop).get(answer.location).heading == "Move your appointment"


@pytest.mark.spec("AR-08")
def test_a_cancelled_appointment_leads_to_the_booking_page(shop: Shop) -> None:
    confirm, move, cancel = links(shop)

    asked = visitor(shop).get(cancel)
    assert asked.heading == "Cancel this appointment?"
    assert "Please answer." not in asked.says
    for link in (cancel, confirm, move):
        page = answered(shop, link, "cancel")
        assert page.heading == "This appointment is cancelled."
        assert 'href="http://desk.example/book"' in page.text


def test_without_the_booking_desk_nothing_leads_to_its_page(tmp_path: Path) -> None:
    with closing(Shop(tmp_path, desks_off="booking")) as shop:
        remind_of_a_row(shop)
        *_, cancel = links(shop)

        page = answered(shop, cancel, "cancel")

        assert page.heading == "This appointment is cancelled."
        assert "/book" not in page.text


@pytest.mark.spec("AR-09")
def test_a_wish_for_another_time_is_answered_with_what_stays_true(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        remind_of_a_row(shop)
        _, move, _ = links(shop)

        page = answered(shop, move, "move")

        assert page.heading == "We got your wishes, and will be in touch."
        assert "Your appointment stays as it is until then." in page.says


@pytest.mark.spec("AR-09", "AR-21")
def test_a_customer_who_has_confirmed_can_still_ask_for_another_time(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        remind_of_a_row(shop)
        confirm, move, _ = links(shop)
        answered(shop, confirm, "confirm")

        page = answered(shop, move, "move")

        assert page.heading == "We got your wishes, and will be in touch."
        assert "Ann wants another time" in owner(shop).get("/console").says
        page = visitor(shop).get(confirm)
        assert page.heading == "We got your wishes, and will be in touch."
        assert "<button" not in page.text, "the link to confirm is used up"
        assert shop.problems() == ()


@pytest.mark.spec("AR-08", "AR-09")
def test_wishes_that_were_sent_before_a_confirmation_are_not_asked_for_again(
    tmp_path: Path,
) -> None:
    with closing(Shop(tmp_path, more={"business_phone": "+65 6123 4567"})) as shop:
        remind_of_a_row(shop)
        confirm, move, _ = links(shop)
        answered(shop, move, "move")
        assert answered(shop, confirm, "confirm").heading == "You're coming. See you then."

        page = visitor(shop).get(move)

        assert "<button" not in page.text
        assert "You have asked for another time already." in page.says
        assert "+65 6123 4567" in page.says


def test_too_late_names_the_number_to_call(tmp_path: Path) -> None:
    phone = "+65 6123 4567"
    with closing(Shop(tmp_path, more={"business_phone": phone})) as shop:
        shop.opens()
        shop.book("ann")
        shop.wait_until(FRIDAY - 3 * DAY)
        _, move, _ = links(shop)
        shop.wait_until(FRIDAY - HOUR)

        assert f"Please call us: {phone}" in visitor(shop).open(move).says


def remind_of_a_row(shop: Shop) -> None:
    """Reminds of an appointment from a sheet, whose free times are not known."""
    person, contact = PersonId(an_id("ann")), ("Ann", "ann@example.org", "")
    shop.do(
        RecordAppointment(AppointmentSource.SHEET, "7", person, *contact, "cut", FRIDAY, HOUR)
    ).wait_until(FRIDAY - 3 * DAY)
