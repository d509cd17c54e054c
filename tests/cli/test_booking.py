"""Bookings from the command line."""

from datetime import timedelta

import pytest

from frontdesk.desks.booking.commands import SetRules
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build
from tests.cli.conftest import Shell
from tests.desks.booking.search.salon import CUT, MIRA, salon, staff, week

DAY = (SystemClock().now() + timedelta(days=3)).date()


@pytest.fixture
def shop(empty: Shell) -> Shell:
    """Mira works half an hour a day, which is too short for a haircut."""
    mira = replace(staff(MIRA), hours=week("10:00-10:30", line=14))
    product = build(Settings(data_dir=empty.data_dir))
    command = SetRules(salon(resources=(mira,)))
    outcome = product.engine.run(command, by="test", now=product.clock.now())
    assert isinstance(outcome, Committed)
    product.close()
    return empty


@pytest.mark.spec("BK-07")
@pytest.mark.home("one machine")
def test_why_a_day_has_no_times_is_said_with_the_lines_of_the_rules(shop: Shell) -> None:
    expected = [
        f"{DAY:%A} {DAY.day} {DAY:%B} has no times for Haircut.",
        "Mira works 10:00–10:30 (line 14).",
        "Haircut needs 45 + 10 minutes, and the longest free time is 30 minutes (line 20).",
    ]

    assert shop.data("why", "haircut", str(DAY)) == expected
    assert shop.says("why", CUT.name, str(DAY), "--staff", "mira").splitlines() == expected


@pytest.mark.parametrize(
    "words", [f"{DAY:%A}", f"{DAY:%a}", f"{DAY.day} {DAY:%B}", f"{DAY:%d.%m.%Y}"]
)
def test_a_day_may_be_written_in_words(shop: Shell, words: str) -> None:
    assert shop.says("why", "haircut", words) == shop.says("why", "haircut", str(DAY))
    assert shop.says("bookings", "--on", words) == shop.says("bookings", "--on", str(DAY))


def test_a_service_or_a_person_that_is_not_there_is_named(shop: Shell) -> None:
    assert shop.fails("why", "massage", str(DAY)) == (
        "There is no service massage. Services that can be booked: Haircut."
    )
    assert shop.fails("why", "haircut", str(DAY), "--staff", "Bob") == (
        "There is no Bob. Staff, rooms and devices: Mira."
    )
    for day in ("9999-12-31", "2026-11-99", "2026-02-30"):
        assert shop.fails("why", "haircut", day) == (
            f"'{day}' is not a day like tuesday or 2026-11-20."
        )
    for unclear in ("next week", "tuesday or friday", "soon"):
        assert shop.fails("why", "haircut", unclear).endswith(
            "for a service, give a day like tuesday or 2026-11-20."
        )
        assert shop.fails("bookings", "--on", unclear) == (
            f"'{unclear}' is not a day like tuesday or 2026-11-20."
        )
    too_many = shop.says("why", "haircut", str(DAY), "--party", "9").splitlines()
    assert too_many[1:] == ["The party has 9 people; 1 is the most (line 20)."]


@pytest.mark.spec("BK-38", "BK-22", "BK-18")
@pytest.mark.home("one machine")
def test_a_time_is_booked_in_one_line_and_listed_with_its_story(shop: Shell) -> None:
    line = ("mira", f"on {DAY} at 10:00", "haircut", "Anna Berg", "anna@example.org")
    assert shop.fails("book", *line) == (
        "This is outside working hours. To book it nevertheless, add --anyway."
    )
    assert shop.data("bookings", "--on", str(DAY)) == []

    said = shop.says("book", *line, "--anyway")
    assert said.startswith("Booked: Anna Berg, Haircut with Mira, ")
    [row] = shop.data("bookings", "--on", str(DAY))
    assert (row["customer"], row["with"], row["state"]) == ("Anna Berg", "Mira", "confirmed")
    story = shop.says("bookings", row["booking"])
    assert "Staff knew: outside hours." in story
    assert "Booked by staff, on the command line: " in story


def test_a_line_that_lacks_something_says_what(shop: Shell) -> None:
    assert shop.fails("book", "haircut", "Anna") == (
        "The line lacks a day and a time, a number or an e-mail address."
        " Write it like this: Mia Tue 15:00 cut Anna 01712345678."
    )
    assert shop.fails("bookings", "nope") == (
        "There is no booking nope. `--on DAY` lists those of a day."
    )
