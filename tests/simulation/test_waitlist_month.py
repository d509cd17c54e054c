"""A random month: the invariants hold whatever happens."""

import pytest

from frontdesk.simulate.scenario_file import find_scenario
from frontdesk.simulate.waitlist.month import PlayedMonth, play_month
from frontdesk.simulate.waitlist.report import month_as_data, month_as_words
from frontdesk.simulate.waitlist.scenario import Month
from frontdesk.values import replace
from tests.simulation.conftest import skip_the_first


def month(people: int, slots: int, *, days: int, crashes: int = 2) -> Month:
    scenario = find_scenario("busy-month")
    assert isinstance(scenario, Month)
    return replace(scenario, people=people, slots=slots, days=days, crashes=crashes)


@pytest.fixture(scope="module")
def played() -> PlayedMonth:
    return play_month(month(150, 60, days=12, crashes=10))


@pytest.mark.spec("FD-26", "WL-12", "WL-19")
def test_in_a_busy_month_nothing_ever_breaks(played: PlayedMonth) -> None:
    assert played.problems == []


def test_in_a_busy_month_everything_happens_that_can(played: PlayedMonth) -> None:
    assert {
        *("wl.joined", "wl.changed", "wl.left", "wl.stopped", "wl.expired"),
        *("wl.slot_freed", "wl.make_offer", "wl.roll_on", "wl.hand_back", "wl.nobody_fits"),
        *("wl.offer_armed", "wl.offer_declined", "wl.offer_lapsed", "wl.claimed"),
        *("wl.claim_lost", "wl.house_kept", "wl.month_summed_up"),
    } <= set(played.happened)
    assert played.restarts >= 10
    assert played.figures["freed"] == played.happened["wl.slot_freed"]
    told = played.messages["booked"] + played.not_sent.get("booked", 0)
    assert played.figures["filled"] == played.happened["wl.claimed"] == told


def test_the_days_add_up_to_the_month_and_are_told_in_a_line_each(played: PlayedMonth) -> None:
    words, days = list(month_as_words(played)), month_as_data(played)["days"]

    assert sum(day["freed"] for day in days) == played.figures["freed"]
    assert sum(day["recovered_cents"] for day in days) == played.figures["recovered_cents"]
    assert words[3].startswith("Mon  5 Oct  ")
    assert len([line for line in words if " freed, " in line]) == 12
    assert words[-1] == "Everything held, after every step and at the end."


def test_the_same_seed_plays_the_same_month_and_another_one_another() -> None:
    short = month(25, 10, days=3)

    first, again, other = (month_as_data(play_month(short, seed=seed)) for seed in (7, 7, 8))

    assert first == again
    assert first["happened"] != other["happened"]


@pytest.mark.spec("WL-09")
def test_skipping_a_person_in_a_busy_month_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    skip_the_first(monkeypatch)
    played = play_month(month(60, 15, days=4))

    assert any(problem.endswith("suits it and was skipped") for problem in played.problems)
