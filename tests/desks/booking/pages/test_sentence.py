"""A sentence on the booking page: the service, the staff member and the wished time."""

from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.desks.booking.pages.sentence import read_sentence
from frontdesk.desks.booking.rules import PartOfDay, Period
from frontdesk.desks.booking.search.query import TimeWish, WishedTime
from frontdesk.desks.booking.wish_wording import parts_of_day, suits, wish_text
from frontdesk.reading.when_model import ClockRange
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, RULES, SPA, at

#: Monday 16 November 2026, 09:00 in Singapore.
NOW = datetime(2026, 11, 16, 1, tzinfo=UTC)
TODAY = date(2026, 11, 16)
THURSDAY = date(2026, 11, 19)


@pytest.mark.spec("BK-34")
@pytest.mark.parametrize(
    ("sentence", "service", "staff", "wish"),
    [
        ("Haircut, Thursday after 5", "Haircut", "", "Thursday 19 November, from 17:00"),
        ("Head spa with Jo tomorrow", "Head spa", "Jo", "Tuesday 17 November"),
        ("Friday at 3pm", "", "", "Friday 20 November, at 15:00"),
        ("Tuesday or Thursday", "", "", "Tuesday 17 November or Thursday 19 November"),
        ("before noon", "", "", "Until 12:00"),
        ("not Mondays", "", "", "Not on Mondays"),
        ("weekends", "", "", "Saturdays and Sundays"),
        ("from Friday on", "", "", "From Friday 20 November"),
        ("jeudi après 17h", "", "", "Thursday 19 November, from 17:00"),
        ("anytime", "", "", "Any time"),
    ],
)
def test_a_sentence_is_repeated_in_our_words(
    sentence: str, service: str, staff: str, wish: str
) -> None:
    found = read_sentence(sentence, CUT, RULES, NOW, "SG")

    assert found.when is not None
    assert (found.service, found.staff, wish_text(found.when, TODAY)) == (service, staff, wish)


@pytest.mark.spec("BK-34")
def test_the_days_that_a_weekday_may_mean_are_named_in_their_order() -> None:
    found = read_sentence("Thursday after 5", CUT, RULES, NOW + timedelta(days=3), "SG")

    assert found.when is not None
    assert wish_text(found.when, THURSDAY) == (
        "Thursday 19 November, from 17:00 or Thursday 26 November, from 17:00"
    )


def test_a_sentence_without_a_time_has_none() -> None:
    assert read_sentence("abracadabra", CUT, RULES, NOW, "SG").when is None


def test_unlisted_services_are_not_found_by_their_name() -> None:
    rules = replace(RULES, services=(CUT, replace(SPA, unlisted=True)))

    assert read_sentence("Head spa on Friday", CUT, rules, NOW, "SG").service == ""


@pytest.mark.parametrize(
    ("sentence", "names_other"),
    [
        ("Manicure Friday", True),
        ("Friday with Jo", False),
        ("Jo on Friday, please", False),
        ("Haircut Friday", False),
        ("Haircutt Friday", False),
    ],
)
def test_a_sentence_may_name_a_service_that_is_not_offered(
    sentence: str, *, names_other: bool
) -> None:
    assert read_sentence(sentence, CUT, RULES, NOW, "SG").names_other is names_other


def test_the_business_says_what_after_work_means() -> None:
    rules = replace(RULES, parts_of_day=(PartOfDay("after work", Period(18 * 60, 20 * 60)),))

    assert parts_of_day(rules).after_work == ClockRange(18 * 60, 20 * 60)
    found = read_sentence("after work on Friday", CUT, rules, NOW, "SG")
    assert found.when is not None
    assert wish_text(found.when, TODAY) == "Friday 20 November, 18:00 to 20:00"


def test_a_time_suits_if_day_and_clock_do() -> None:
    wish = TimeWish((WishedTime(THURSDAY, THURSDAY, ((17 * 60, 24 * 60),)),))

    assert suits(wish, at(17, on=THURSDAY), RULES)
    assert not suits(wish, at(16, 45, on=THURSDAY), RULES)
    assert not suits(wish, at(17), RULES)
    assert suits(TimeWish(not_weekdays=frozenset({0})), at(9), RULES)
