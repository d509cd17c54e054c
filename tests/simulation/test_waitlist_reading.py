"""Errors in a scenario of a waitlist name the line and the reason."""

import pytest

from frontdesk.simulate.scenario_file import BadScenario, read
from frontdesk.simulate.waitlist.scenario import Day, Month

GOOD = """\
about: A small day.
shop:
  zone: Europe/Berlin
  staff: [Jess]
  services:
    Cut: {length: 45m, price: 45.50}
rules: |
  # Ours
  Claim window: 10 minutes.
on: 2026-11-20
list:
  Ann: {for: cut, dates: 0d to 6d, with: Jess}
  Bob:
    for: Cut
    by: mail
timeline:
  - 0d 10:00 Cut at 15:00 with Jess is cancelled
  - after 2m Ann claims
expect:
  filled: 1
  people: {Ann: booked}
"""

MONTH = """\
shop: {services: {Cut: {length: 45m}}}
month:
  begins: 2026-11-02
  people: 20
  claims: 40
  declines: 30
"""


def wrong(text: str) -> str:
    with pytest.raises(BadScenario) as error:
        read(text, "mine")
    return str(error.value)


def test_a_scenario_with_a_month_is_a_month_and_others_are_days() -> None:
    day, month = read(GOOD, "mine"), read(MONTH, "mine")

    assert isinstance(day, Day)
    assert [(guest.name, guest.service, guest.by_text) for guest in day.guests] == [
        ("Ann", "Cut", True),
        ("Bob", "Cut", False),
    ]
    assert day.place.catalogue.services[0].price_cents == 4_550
    assert isinstance(month, Month)
    assert (month.people, month.slots, month.claims) == (20, 600, 40)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("Europe/Berlin", "Europe/Bern", "mine, line 3: zone:"),
        ("45.50", "cheap", "mine, line 6: price: 'cheap' is not a price"),
        ("length: 45m", "length: long", "mine, line 6: length: 'long' is not a duration"),
        ("length: 45m", "length: 0m", "mine, line 2: no business has services and staff like"),
        ("length", "lenght", "mine, line 6: lenght is not known here; there are length, price"),
        ("staff: [Jess]", "staff: Jess", "mine, line 4: staff is a list of names"),
        ("Claim window: 10 minutes", "Be nice", "mine, line 9: rules: "),
        ("on: 2026-11-20", "on: Friday", "mine, line 10: on: 'Friday' is not a day;"),
        ("for: cut", "for: tea", "mine, line 12: for: there is no service tea; there are Cut"),
        ("with: Jess}", "with: Kim}", "mine, line 12: with: nobody called Kim works here"),
        ("0d to 6d", "6d to 0d", "mine, line 12: dates: '6d to 0d' ends before it begins"),
        ("0d to 6d", "soon", "mine, line 12: dates: 'soon' are not days; write 0d to 6d"),
        ("by: mail", "by: pigeon", "mine, line 15: by: people are told by text or by mail"),
        ("15:00 with", "25:00 with", "mine, line 17: there is no time 25:00"),
        ("Cut at", "Tea at", "mine, line 17: there is no service Tea"),
        ("with Jess is", "with Kim is", "mine, line 17: nobody called Kim works here"),
        ("after 2m Ann", "after 2m Cleo", "mine, line 18: Cleo is not on the list by then"),
        ("after 2m", "-1d 09:00", "mine, line 18: this begins before the previous step"),
        ("Ann claims", "Ann dances", "mine, line 18: 'Ann dances' is not a sentence of a timeline"),
        ("filled: 1", "filled: all", "mine, line 20: filled: 'all' is not a number from 0"),
        ("Ann: booked", "Ann: happy", "mine, line 21: Ann: somebody is waiting, booked,"),
        ("Ann: booked", "Cleo: booked", "mine, line 19: Cleo is never on the list"),
        ("about: A small day.", "event: {}", "mine, line 1: event is not known here"),
    ],
)
def test_an_error_in_a_day_is_named_with_its_line(before: str, after: str, says: str) -> None:
    assert before in GOOD

    assert wrong(GOOD.replace(before, after, 1)).startswith(says)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("people: 20", "people: 2000000", "mine, line 4: people: '2000000' is not a number from 0"),
        ("claims: 40", "claims: 80", "mine, line 6: claims and declines are more than all"),
        ("begins: 2026-11-02", "days: 3", "mine, line 3: begins is missing"),
    ],
)
def test_an_error_in_a_month_is_named_with_its_line(before: str, after: str, says: str) -> None:
    assert before in MONTH

    assert wrong(MONTH.replace(before, after, 1)).startswith(says)
