"""Events in a calendar become openings."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.desks.waitlist.model import Opening
from frontdesk.desks.waitlist.openings import read_opening
from frontdesk.features.calendars.sync import Unclear
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.support.salon import HOUR, SHOP

THREE = datetime(2026, 11, 16, 7, 0, tzinfo=UTC)


def read(title: str, *categories: str, shop: Catalogue = SHOP) -> Opening | Unclear | None:
    return read_opening(CalendarEvent("1", title, THREE, None, categories), shop)


COLOUR = Opening("Cut and colour", THREE, 2 * HOUR, 1, "Mia", 12_000)
ANYBODY = Opening("Cut", THREE, HOUR, 1, "", 4_500)


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    ("title", "opening"),
    [
        ("Free: Cut and colour with Mia", COLOUR),
        ("free:  cut AND colour   with mia", COLOUR),
        ("FREE - Colour with Mia", COLOUR),
        ("Open: Mia, colour", COLOUR),
        ("Opening – cut and colour (Mia)", COLOUR),
        ("Available: ladies' cut and colour by Mia, second chair", COLOUR),
        ("Free: Mia - colour", COLOUR),
        ("Slot: Cut", ANYBODY),
        ("Free: Table for 4", Opening("Table", THREE, 2 * HOUR, 4, "", 0)),
        ("Free: Table for 4 with Jo", Opening("Table", THREE, 2 * HOUR, 4, "Jo", 0)),
        ("Free: Table with Jo for 4", Opening("Table", THREE, 2 * HOUR, 4, "Jo", 0)),
    ],
)
def test_an_opening_is_read_in_every_spelling(title: str, opening: Opening) -> None:
    assert read(title) == opening


def test_a_category_is_as_good_as_the_word() -> None:
    assert read("Cut", "Opening") == ANYBODY
    assert read("Cut", "FREE", "Salon") == ANYBODY


@pytest.mark.parametrize(
    "title",
    ["Cut: Ann Lee", "Free lunch with Mia", "Opening hours", "Open house", "Freedom: a talk", ""],
)
def test_other_events_in_the_calendar_are_ignored(title: str) -> None:
    assert read(title) is None


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("Free", "It names no service."),
        ("Free: with Mia", "It names no service."),
        ("Free: Massage", "No service is called Massage."),
        ("Free: Cut with Zoe", "Nobody in the team is called Zoe."),
        ("Free: Cut, Mia or Jo", "It names more than one staff member."),
    ],
)
def test_an_event_that_is_not_understood_says_why(title: str, why: str) -> None:
    assert read(title) == Unclear(why)


def test_the_first_name_is_enough_if_only_one_has_it() -> None:
    shop = Catalogue(SHOP.services, ("Mia Tan", "Jo Lim", "Jo Ng"))

    assert read("Free: Cut with Mia", shop=shop) == Opening("Cut", THREE, HOUR, 1, "Mia Tan", 4_500)
    assert read("Free: Cut with Jo", shop=shop) == Unclear("Nobody in the team is called Jo.")


def test_a_business_with_one_service_or_no_list_need_not_be_exact() -> None:
    one = Catalogue((Service("Cut", HOUR, 4_500),))

    assert read("Free", shop=one) == ANYBODY
    assert read("Free: Cut with Zoe", shop=Catalogue()) == Opening("Cut", THREE, HOUR, 1, "Zoe")


def test_it_lasts_as_long_as_the_event() -> None:
    event = CalendarEvent("1", "Free: Cut", THREE, THREE + 3 * HOUR)

    opening = read_opening(event, SHOP)

    assert isinstance(opening, Opening)
    assert opening.duration == 3 * HOUR


@pytest.mark.parametrize("length", [timedelta(), timedelta(hours=-1), timedelta(days=2)])
def test_a_length_that_makes_no_sense_is_not_understood(length: timedelta) -> None:
    event = CalendarEvent("1", "Free: Cut", THREE, THREE + length)

    assert read_opening(event, SHOP) == Unclear("It should end after it starts, within a day.")
