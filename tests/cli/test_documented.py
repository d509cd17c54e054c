"""All commands and settings are documented, and all documented ones exist."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.cli import COMMANDS, parser
from frontdesk.cli.setup import markdown
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.simulate.rsvp.scenario import EventScenario
from frontdesk.simulate.rsvp.scenario_file import read_action
from frontdesk.simulate.scenario_file import read
from frontdesk.simulate.waitlist.scenario import Day
from frontdesk.simulate.waitlist.scenario_file import SentenceContext
from frontdesk.simulate.waitlist.scenario_file import read_action as read_sentence

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "commands.md").read_text()


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_is_documented(command: str) -> None:
    assert f"`frontdesk {command}" in PAGE


def test_every_documented_command_is_there() -> None:
    documented = set(re.findall(r"`frontdesk ([a-z]+)", PAGE))

    assert documented == {command.name for command in COMMANDS}


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_option_is_documented(command: str) -> None:
    """Options of `serve` that are settings are documented on the page of settings."""
    [subparsers] = [each for each in parser()._actions if each.choices]
    options = {
        option
        for action in subparsers.choices[command]._actions  # type: ignore[index]
        for option in action.option_strings
        if option.startswith("--") and option not in ("--help", "--markdown")
    }
    settings = {
        f"--{name.replace('_', '-')}"
        for name in re.findall(r"\| `([a-z_]+)`", "\n".join(markdown()))
    }

    assert {option for option in options - settings if option not in PAGE} == set()


@pytest.mark.spec("FD-19")
def test_the_page_of_settings_is_the_one_that_the_command_prints() -> None:
    """After a change: `frontdesk settings --markdown > docs/settings.md`."""
    assert (DOCS / "settings.md").read_text() == "\n".join(markdown()) + "\n"


EVENT, WAITLIST = (
    PAGE.partition(f"### A day at {what}")[2].partition("\n### ")[0]
    for what in ("an event", "a waitlist")
)


def sentences(part: str, after: str, before: str) -> list[str]:
    listed = part.partition(after)[2].partition(before)[0]
    found = (" ".join(each.split()) for each in re.findall(r"`([^`]+)`", listed))
    return [each for each in found if not each.startswith("and ")]


def test_the_documented_scenario_and_every_documented_sentence_can_be_read() -> None:
    [example] = re.findall(r"```yaml\n(.*?)```", EVENT, re.DOTALL)
    scenario = read(example, "documented")
    assert isinstance(scenario, EventScenario)
    assert len(scenario.steps) == 4

    documented = sentences(EVENT, "Then one of these:", "Settings of the event")
    assert len(documented) == 20
    for sentence in documented:
        read_action(sentence, ZoneInfo("UTC"))


def test_the_documented_day_at_a_waitlist_and_every_sentence_of_it_can_be_read() -> None:
    [example] = re.findall(r"```yaml\n(.*?)```", WAITLIST, re.DOTALL)
    day = read(example, "documented")
    assert isinstance(day, Day)
    assert len(day.steps) == 3

    documented = sentences(WAITLIST, "and one of these:", "### ")
    assert len(documented) == 24
    shop = Catalogue((Service("Colour"), Service("Table")), ("Jess",))
    around = SentenceContext(
        date(2026, 11, 21), datetime(2026, 11, 21, tzinfo=UTC), ZoneInfo("UTC"), shop
    )
    for sentence in documented:
        read_sentence(sentence, around)
