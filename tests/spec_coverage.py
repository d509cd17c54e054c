"""Ties tests to requirements: checks the ids in `@pytest.mark.spec`, and reports requirements
without tests.

A requirement is due in each home, one machine and AWS, unless docs/requirements says otherwise. A
test counts for the home in which it runs: see `homes`.
"""

import re
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

#: A row of a table in docs/requirements: its id, its text, and its state if it is not due yet.
ROW = re.compile(r"^\| (?P<id>[A-Z]{2}-\d\d) \| .+ \| (?P<state>planned|later|) ?\|$", re.MULTILINE)


def requirements(folder: Path) -> dict[str, str]:
    """Returns the state of each requirement by its id: '' (due), 'planned' or 'later'."""
    found: dict[str, str] = {}
    for page in sorted(folder.glob("*.md")):
        for row in ROW.finditer(page.read_text()):
            assert row["id"] not in found, f"{page.name}: {row['id']} is there twice"
            found[row["id"]] = row["state"]
    return found


MACHINE, AWS = "one machine", "AWS"
HOMES = (MACHINE, AWS)
#: A row of the table of requirements that are due in only one home.
ONE_HOME = re.compile(
    r"^\| (?P<id>[A-Z]{2}-\d\d) \| (?P<home>one machine|AWS) \| .+ \|$", re.MULTILINE
)
#: Tests with one of these fixtures run on DynamoDB.
AWS_FIXTURES = frozenset({"dynamodb", "_tables", "cloud", "stack", "outside"})
#: Tests of code that knows no store, no network and no home, and so counts for both.
SHARED_FOLDERS = (
    *("tests/core/", "tests/connect/", "tests/reading/"),
    *("tests/desks/booking/rules_file/", "tests/desks/booking/search/"),
)
AWS_FOLDERS = ("tests/aws/", "tests/deploy/", "tests/store/dynamodb/")


def homes_due(folder: Path) -> dict[str, tuple[str, ...]]:
    """Returns requirements that are due in one home only."""
    return {
        row["id"]: (row["home"],)
        for page in sorted(folder.glob("*.md"))
        for row in ONE_HOME.finditer(page.read_text())
    }


def homes(item: pytest.Item) -> tuple[str, ...]:
    """Returns the homes from `@pytest.mark.home`, or from a fixture or store parameter, or from the
    folder."""
    for mark in item.iter_markers("home"):
        return tuple(mark.args)
    parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
    fixtures = set(getattr(item, "fixturenames", ()))
    path = item.nodeid.partition("::")[0]
    if "dynamodb" in parameters:
        return (AWS,)
    if "sqlite" in parameters:
        return (MACHINE,)
    if fixtures & AWS_FIXTURES or path.startswith(AWS_FOLDERS):
        return (AWS,)
    return HOMES if path.startswith(SHARED_FOLDERS) else (MACHINE,)


class SpecCoverage:
    """Collects the ids as a pytest plugin. They travel with reports, so that several processes can
    run tests."""

    def __init__(self, folder: Path) -> None:
        self.states = requirements(folder)
        self.one_home = homes_due(folder)
        self.shown: set[tuple[str, str]] = set()
        """Ids with the homes in which they hold."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        items = [each for each in report.result or [] if isinstance(each, pytest.Item)]
        unknown = {id_ for item in items for id_ in spec_ids(item)} - self.states.keys()
        if unknown:
            report.outcome = "failed"
            report.longrepr = f"not in docs/requirements: {in_order(unknown)}"
            report.result = []
        return report

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        item.user_properties.extend(
            ("spec", f"{id_}/{home}") for id_ in spec_ids(item) for home in homes(item)
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            shown = (str(id_) for kind, id_ in report.user_properties if kind == "spec")
            for each in shown:
                id_, _, home = each.partition("/")
                self.shown.add((id_, home))

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if not is_whole_suite(config):
            return
        due = {
            (id_, home)
            for id_, state in self.states.items()
            if not state
            for home in self.one_home.get(id_, HOMES)
        }
        terminalreporter.section("requirements")
        for home in HOMES:
            here = {id_ for id_, where in due if where == home}
            missing = here - {id_ for id_, where in self.shown if where == home}
            held = len(here) - len(missing)
            terminalreporter.write_line(f"{home}: {held} of {len(here)} shown to hold")
            if missing:
                terminalreporter.write_line(f"{home}, without a test: {in_order(missing)}")


def spec_ids(item: pytest.Item) -> set[str]:
    return {id_ for mark in item.iter_markers("spec") for id_ in mark.args}


def in_order(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids))


def is_whole_suite(config: pytest.Config) -> bool:
    """Returns whether all tests run; a part of the suite cannot tell which requirements lack
    tests."""
    chosen: Any = config.option
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        chosen.keyword or chosen.markexpr or chosen.deselect
    )
