"""Some weeks of the clinic, with a clock change and holidays: nothing breaks, and nobody is
woken."""

import sqlite3
from datetime import date
from typing import Any

import pytest

from frontdesk.desks.reminders.decide.allowed_times import AllowedTimes
from frontdesk.simulate.clinic.report import as_data, as_words
from frontdesk.simulate.clinic.scenario import ClinicYear
from frontdesk.simulate.clinic.year import PlayedYear, play_year
from frontdesk.simulate.scenario_file import BadScenario, find_scenario, read
from frontdesk.values import replace

#: One process plays the weeks, once for all tests.
pytestmark = pytest.mark.xdist_group("clinic")
#: The limit for each appointment, so that a year of twelve thousand takes less than two minutes.
#: These weeks need about 235.
MOST_STATEMENTS = 260


def clinic(**changed: Any) -> ClinicYear:
    """Returns a scenario of weeks that include a clock change and Easter."""
    scenario = find_scenario("clinic")
    assert isinstance(scenario, ClinicYear)
    few: dict[str, Any] = {
        "begins_on": date(2026, 3, 20),
        "days": 21,
        "appointments": 350,
        "patients": 90,
    }
    return replace(scenario, **{**few, "waiting": 60, "faults": 4, "crashes": 3, **changed})


class Statements:
    """Counts the SQL statements of all connections that are opened while it is installed."""

    def __init__(self) -> None:
        self.count = 0
        self._connect = sqlite3.connect

    def connect(self, *arguments: Any, **named: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = self._connect(*arguments, **named)
        db.set_trace_callback(self._add)
        return db

    def _add(self, _statement: str) -> None:
        self.count += 1


@pytest.fixture(scope="module")
def statements() -> Statements:
    return Statements()


@pytest.fixture(scope="module")
def played(statements: Statements) -> PlayedYear:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite3, "connect", statements.connect)
        return play_year(clinic())


@pytest.mark.spec("FD-26", "AR-04", "AR-05", "AR-06")
def test_in_weeks_of_a_clinic_nothing_ever_breaks(played: PlayedYear) -> None:
    assert played.problems == []
    assert played.restarts == 3


@pytest.mark.spec("AR-11")
def test_in_weeks_of_a_clinic_everything_happens_that_can(played: PlayedYear) -> None:
    of = played.figures
    assert all(of[name] for name in of), of
    assert of["refilled"] <= of["freed"]
    assert {"first_reminder", "second_reminder", "offer", "booked", "gap_alert"} <= set(
        played.messages
    )


@pytest.mark.usefixtures("played")
def test_an_appointment_takes_few_statements_so_that_a_year_stays_short(
    statements: Statements,
) -> None:
    assert 0 < statements.count < MOST_STATEMENTS * clinic().appointments


def test_the_figures_are_told(played: PlayedYear) -> None:
    words = list(as_words(played))

    assert words[1] == "Lindenhof Clinic, 4 members of staff, 21 days, seed 1"
    assert f"{played.figures['freed']} times came free" in words[4]
    assert words[-1] == "Everything held, after every step and at the end."
    assert as_data(played)["figures"] == played.figures


@pytest.mark.spec("AR-07")
def test_at_the_monthly_limit_on_texts_staff_hear_of_it_once_and_nobody_burns_offers() -> None:
    played = play_year(clinic(begins_on=date(2026, 3, 2), texts_usd=5, faults=0, crashes=0))

    assert played.problems == []
    assert played.messages["trouble"] == 1
    assert {"unreachable", "undelivered"}.isdisjoint(played.messages)
    assert played.not_sent.get("offer", 0) <= 1
    assert played.figures["refilled"] > 0


@pytest.mark.spec("AR-06")
def test_a_reminder_on_a_holiday_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AllowedTimes, "next_allowed", lambda _self, at: at)
    few = clinic(days=18, appointments=120, waiting=0, faults=0, crashes=0)

    assert any("went out at" in problem for problem in play_year(few).problems)


def test_a_mistake_in_the_rules_is_named_with_its_line() -> None:
    text = """\
clinic: {name: C}
rules: |
  staff: {ada: {name: Ada}}
  services: {Check-up: {minutes: 30}}
reminders: |
  reminders: [soon]
year: {begins: 2026-01-01}
"""
    with pytest.raises(BadScenario, match="mine, line 6: reminders: "):
        read(text, "mine")
    with pytest.raises(BadScenario, match="mine, line 4: rules: "):
        read(text.replace("minutes: 30", "minuets: 30"), "mine")
    shares = text.replace("[soon]", "[3d]").replace("01}", "01, claims: 60, declines: 60}")
    with pytest.raises(BadScenario, match="are more than all"):
        read(shares, "mine")
