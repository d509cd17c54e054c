"""A scenario that cannot be read is answered with the line and the reason."""

import pytest

from frontdesk.simulate.library import find_scenario, shipped
from frontdesk.simulate.rsvp.reading import read_scenario
from frontdesk.simulate.yaml_file import BadScenario

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
        read_scenario(text, "mine")
    return str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("seats: 2", "seats: many", "mine, line 3: seats: 'many' is no number"),
        ("seats: 2", "seets: 2", "mine, line 3: seets is not known here; there are name, seats,"),
        ("seats: 2", "seats: -4", "mine, line 3: seats: an event has 0 to 100,000 seats"),
        ("Europe/Berlin", "Europe/Bern", "mine, line 5: zone:"),
        (
            "2026-11-27 15:00",
            "next week",
            "mine, line 4: starts: 'next week' is no date and time",
        ),
        ("6h", "soon", "mine, line 7: claim_window: 'soon' is no span of time"),
        ("claim_window", "claim_windows", "mine, line 7: claim_windows is not known here"),
        ("Ann cancels", "Ann explodes", "mine, line 10: 'Ann explodes' is nothing that can"),
        ("Ann cancels", "Bob cancels", "mine, line 10: Bob has neither signed up nor been"),
        ("after 20m", "-2d 08:00", "mine, line 10: this is earlier than the step before it ends"),
        ("after 20m", "sometime", "mine, line 10: a step begins with a time"),
        ("-1d 09:00", "-1d 25:00", "mine, line 9: there is no time 25:00"),
        ("  - after", "  - a: after", "mine, line 10: this is no sentence"),
        ("about: A", "event: A", "mine, line 2: found duplicate key"),
        ("seats: 2", "seats: [2", "mine, line "),
    ],
)
def test_what_is_wrong_is_named_with_its_line(before: str, after: str, says: str) -> None:
    assert before in GOOD

    assert wrong(GOOD.replace(before, after, 1)).startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "mine, line 1: a scenario has the parts about, event and timeline"),
        ("- 1\n", "mine, line 1: a scenario has the parts about, event and timeline"),
        ("event: 3\n", "mine, line 1: event needs parts of its own"),
        (
            "event: {starts: 2026-11-27 15:00}\ntimeline: [at once Ann signs up]\n",
            "seats is missing",
        ),
        ("event: {seats: 1, starts: 2026-11-27 15:00}\n", "timeline is a list"),
        ("a: &a [*a]\n", "mine, line 1: a is not known here"),
    ],
)
def test_what_is_missing_is_said(text: str, says: str) -> None:
    assert says in wrong(text)


def test_who_is_not_among_the_people_is_a_slip_of_the_pen() -> None:
    assert wrong(GOOD + "people: [Anne]\n") == "mine, line 9: Ann is not among the people"


def test_a_name_that_is_no_scenario_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadScenario, match="there is no such scenario; there are bad-mail-day, "):
        find_scenario("no-such-thing")


def test_every_shipped_scenario_says_what_it_is_about() -> None:
    assert {each.name: bool(each.about) for each in shipped()} == {
        "bad-mail-day": True,
        "busy-month": True,
        "called-off": True,
        "cap-changes": True,
        "quiet-hours": True,
        "rush": True,
        "saturday": True,
        "texts-fail": True,
        "twins": True,
        "workshop": True,
        "workshop-late": True,
    }
