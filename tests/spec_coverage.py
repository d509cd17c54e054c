"""Ties tests to requirements: checks the ids in `@pytest.mark.spec`, reports what is untested."""

import re
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

#: A row of a table in docs/requirements: its id, its text, and its state if it is not due yet.
ROW = re.compile(r"^\| (?P<id>[A-Z]{2}-\d\d) \| .+ \| (?P<state>planned|later|) ?\|$", re.MULTILINE)


def requirements(folder: Path) -> dict[str, str]:
    """Each requirement's id with its state: '' (due), 'planned' or 'later'."""
    found: dict[str, str] = {}
    for page in sorted(folder.glob("*.md")):
        for row in ROW.finditer(page.read_text()):
            assert row["id"] not in found, f"{page.name}: {row['id']} is there twice"
            found[row["id"]] = row["state"]
    return found


class SpecCoverage:
    """A pytest plugin. Ids travel with the reports, so that it works over several processes."""

    def __init__(self, folder: Path) -> None:
        self.states = requirements(folder)
        self.shown: set[str] = set()

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
        item.user_properties.extend(("spec", id_) for id_ in spec_ids(item))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.shown.update(str(id_) for kind, id_ in report.user_properties if kind == "spec")

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if not is_whole_suite(config):
            return
        due = {id_ for id_, state in self.states.items() if not state}
        terminalreporter.section("requirements")
        terminalreporter.write_line(f"{len(due & self.shown)} of {len(due)} shown to hold")
        if due - self.shown:
            terminalreporter.write_line(
                f"requirements without a test: {in_order(due - self.shown)}"
            )


def spec_ids(item: pytest.Item) -> set[str]:
    return {id_ for mark in item.iter_markers("spec") for id_ in mark.args}


def in_order(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids))


def is_whole_suite(config: pytest.Config) -> bool:
    """A part of the suite says nothing about what is untested."""
    chosen: Any = config.option
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        chosen.keyword or chosen.markexpr or chosen.deselect
    )
