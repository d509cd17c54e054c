"""Runs the failed tests of a test run once more, alone, if they are few and wait for processes.

Only CI does so (`.ci/run`): one unsteady test must not hide that all others passed. If all of them
pass, it succeeds, names them, and repeats the line that counts the tests of the whole run.
"""

import argparse
import json
import re
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

#: pytest writes this file. CI clears it before the run.
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
#: Tests here wait for servers, browsers and emulators, so a busy machine can make them fail.
PLACES = ("tests/aws/", "tests/browser/", "tests/journeys/")
MOST = 5
COUNTS = re.compile(r"(?P<before>=* ?)(?P<parts>\d+ \w+(, \d+ \w+)*)(?P<after> in [\d.]+s.*)")


class Passed:
    """Records the tests that ran without a failure, as a pytest plugin."""

    def __init__(self) -> None:
        self.ran: set[str] = set()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.when == "call" and report.passed:
            self.ran.add(report.nodeid)

    @property
    def names(self) -> set[str]:
        return self.ran - self.failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="rerun_failed", description=__doc__)
    parser.add_argument("log", type=Path, help="what the run printed")
    counted = counts(parser.parse_args().log.read_text("utf-8"))
    failed = last_failed()
    if not may_run_again(failed):
        return 1
    print(f"\nOnce more, alone: {', '.join(sorted(failed))}", flush=True)
    passed = run_alone(failed)
    for name in sorted(passed):
        print(f"unsteady: {name} failed beside others and passed alone; mend it")
    if passed != failed:
        print(counted)
        return 1
    print(with_unsteady(counted, len(passed)))
    return 0


def last_failed() -> set[str]:
    found = json.loads(LAST_FAILED.read_text("utf-8")) if LAST_FAILED.exists() else {}
    return {without_group(name) for name in found}


def without_group(name: str) -> str:
    """Removes the group of a test, which pytest-xdist appends to its name."""
    return re.sub(r"@[^@\]]+$", "", name)


def may_run_again(failed: Collection[str]) -> bool:
    return 0 < len(failed) <= MOST and all(name.startswith(PLACES) for name in failed)


def run_alone(failed: Collection[str]) -> set[str]:
    passed = Passed()
    pytest.main(["-n0", "-p", "no:cacheprovider", *sorted(failed)], plugins=[passed])
    return passed.names & set(failed)


def counts(printed: str) -> str:
    """Finds the last line of a run: '== 1 failed, 11259 passed in 1237.12s (0:20:37) =='."""
    return [line for line in printed.splitlines() if COUNTS.fullmatch(line)][-1]


def with_unsteady(counted: str, unsteady: int) -> str:
    """Returns that line without failures."""
    found = COUNTS.fullmatch(counted)
    assert found
    others = [each for each in found["parts"].split(", ") if not re.search("failed|error", each)]
    return f"{found['before']}{', '.join([*others, f'{unsteady} unsteady'])}{found['after']}"


if __name__ == "__main__":
    sys.exit(main())
