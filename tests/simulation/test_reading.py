"""Errors in a scenario of an event name the line and the reason."""

import pytest

from frontdesk.simulate.scenario_file import BadScenario, find_scenario, read, shipped

GOOD = """\
about: A small day.
event:
  seats: 2
  starts: 2026-11-27 15:00
  zone: Europe/Berlin
  settings:
    claim_window: 6h
timeline:
  - -1d 09:00 Ann signs up
  - after 20m Ann cancels
"""


def wrong(text: str) -> str:
    with pytest.raises(BadScenario) as error:
        read(text, "mine")
    return str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("seats: 2", "seats: many", "mine, line 3: seats: 'many' is not a number"),
        ("seats: 2", "seats:", "mine, line 3: seats is empty"),
        ("seats: 2", "seets: 2", "mine, line 3: seets is not known here; there are name, seats,"),
        ("seats: 2", "seats: -4", "mine, line 3: seats: an event has 0 to 100,000 seats"),
        ("Europe/Berlin", "Europe/Bern", "mine, line 5: zone:"),
        (
            "2026-11-27 15:00",
            "next week",
            "mine, line 4: starts: 'next week' is not a date and time",
        ),
        ("6h", "soon", "mine, line 7: claim_window: 'soon' is not a duration"),
        ("claim_window", "claim_windows", "mine, line 7: claim_windows is not known here"),
        ("Ann cancels", "Ann explodes", "mine, line 10: 'Ann explodes' is not a sentence"),
        ("Ann cancels", "Bob cancels", "mine, line 10: Bob has neither signed up nor been"),
        ("after 20m", "-2d 08:00", "mine, line 10: this begins before the previous step ends"),
        ("after 20m", "sometime", "mine, line 10: a step begins with a time"),
        ("-1d 09:00", "-1d 25:00", "mine, line 9: there is no time 25:00"),
        ("  - after", "  - a: after", "mine, line 10: this is no sentence"),
        ("about: A", "event: A", 'mine, line 2: "event" is there twice; delete one of them'),
        ("seats: 2", "seats: [2", "mine, line "),
    ],
)
def test_an_error_in_an_event_is_named_with_its_line(before: str, after: str, says: str) -> None:
    assert before in GOOD

    assert wrong(GOOD.replace(before, after, 1)).startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "",
            "line 1: a scenario has the parts about, event (or shop, business, clinic)",
        ),
        (
            "- 1\n",
            "line 1: a scenario has the parts about, event (or shop, business, clinic)",
        ),
        ("event: 3\n", "mine, line 1: event needs parts of its own"),
        (
            "event: {starts: 2026-11-27 15:00}\ntimeline: [at once Ann signs up]\n",
            "seats is missing",
        ),
        ("event: {seats: 1, starts: 2026-11-27 15:00}\n", "timeline is a list"),
        ("a: &a [*a]\n", "mine, line 1: names with & are not used here"),
    ],
)
def test_a_missing_part_is_named(text: str, says: str) -> None:
    assert says in wrong(text)


def test_a_name_that_is_not_among_the_people_is_a_typing_error() -> None:
    assert wrong(GOOD + "people: [Anne]\n") == "mine, line 9: Ann is not among the people"


def test_an_unknown_name_is_answered_with_the_names_of_all_scenarios() -> None:
    with pytest.raises(BadScenario, match="there is no such scenario; there are bad-mail-day, "):
        find_scenario("no-such-thing")


def test_every_shipped_scenario_says_what_it_is_about() -> None:
    assert {each.name: bool(each.about) for each in shipped()} == {
        "bad-mail-day": True,
        "booked-week": True,
        "busy-month": True,
        "called-off": True,
        "cap-changes": True,
        "clinic": True,
        "quiet-hours": True,
        "rush": True,
        "saturday": True,
        "texts-fail": True,
        "twins": True,
        "workshop": True,
        "workshop-late": True,
    }
