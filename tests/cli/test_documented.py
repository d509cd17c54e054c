"""What can be typed or set is written down, and what is written down is there."""

import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.cli import COMMANDS, parser
from frontdesk.cli.setup import markdown
from frontdesk.simulate.reading import read_scenario
from frontdesk.simulate.sentences import read_deed

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "commands.md").read_text()


@pytest.mark.spec("FD-25")
@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_is_documented(command: str) -> None:
    assert f"`frontdesk {command}" in PAGE


def test_every_documented_command_is_there() -> None:
    documented = set(re.findall(r"`frontdesk ([a-z]+)", PAGE))

    assert documented == {command.name for command in COMMANDS}


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_option_is_documented(command: str) -> None:
    """Those of `serve` that are settings have a page of their own."""
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


def test_the_documented_scenario_and_every_documented_sentence_can_be_read() -> None:
    [example] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    scenario = read_scenario(example, "documented")
    assert len(scenario.steps) == 4

    listed = PAGE.partition("Then one of these:")[2].partition("Settings of the event")[0]
    sentences = [each for each in re.findall(r"`([^`]+)`", listed) if not each.startswith("and ")]
    assert len(sentences) == 20
    for sentence in sentences:
        read_deed(sentence, ZoneInfo("UTC"))
