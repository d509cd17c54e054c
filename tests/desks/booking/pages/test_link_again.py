"""The form 'Send me my link' for bookings: the same answer for everybody, and messages to known
contacts only."""

import pytest

from frontdesk.web.limits import Limits
from tests.desks.booking.pages.shop import Shop, at

PATH = "/book/link"


@pytest.mark.spec("BK-13")
def test_a_known_contact_gets_the_links_of_upcoming_bookings(shop: Shop) -> None:
    shop.given().book(at(10))
    shop.book(at(14))
    before = shop.told("ann@example.org")

    page = shop.post(PATH, contact=" Ann@Example.org ")

    new = shop.told("ann@example.org")[len(before) :]
    assert page.heading == "Check your messages."
    assert sorted(new) == [
        "Your link: Haircut on Tuesday 17 November, 10:00 (SGT)",
        "Your link: Haircut on Tuesday 17 November, 14:00 (SGT)",
    ]


def test_strangers_get_the_same_answer(shop: Shop) -> None:
    shop.given().book()

    known = shop.post(PATH, contact="ann@example.org")
    unknown = shop.post(PATH, contact="nobody@example.org")

    assert known.says == unknown.says
    assert shop.told("nobody@example.org") == []


def test_asking_often_sends_one_message(shop: Shop) -> None:
    shop.given().book()
    shop.served.desk.product.site.limits = Limits(enabled=False)

    for _ in range(5):
        shop.post(PATH, contact="ann@example.org")

    links = [each for each in shop.told("ann@example.org") if each.startswith("Your link")]
    assert len(links) == 1


def test_a_cancelled_or_past_booking_gets_no_link(shop: Shop) -> None:
    shop.given().book(at(10))
    shop.book(at(14))
    first = min(shop.bookings(), key=lambda one: one.starts_at)
    shop.post(shop.links(first), do="cancel")
    shop.wait(days=2)

    shop.post(PATH, contact="ann@example.org")

    assert [each for each in shop.told("ann@example.org") if each.startswith("Your link")] == []


def test_a_contact_that_cannot_be_read_is_explained(shop: Shop) -> None:
    page = shop.given().post(PATH, contact="12")

    assert page.status == 422
    assert page.error_at("contact") == "That phone number is too short: is a digit missing?"
