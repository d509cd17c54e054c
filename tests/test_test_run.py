"""The test run itself: it knows the requirements, and reports every test that it did not run."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from script.rerun_failed import may_run_again, without_group
from tests.slow_files import SlowFiles

ROOT = Path(__file__).parents[1]

CONFTEST = """
from pathlib import Path
from tests.left_out import LeftOut
from tests.slow_files import SlowFiles
from tests.spec_coverage import SpecCoverage

def pytest_configure(config):
    config.pluginmanager.register(LeftOut())
    config.pluginmanager.register(SlowFiles(long_run_seconds=0))
    config.pluginmanager.register(SpecCoverage(Path(__file__).parent))
"""

SETTINGS = """
[pytest]
testpaths = .
markers =
    spec(*ids): ids
    home(*homes): homes
    needs(*tools): tools
"""

REQUIREMENTS = """
| ID | requirement | |
| --- | --- | --- |
| EV-01 | A test shows it. | |
| EV-02 | Its test fails. | |
| EV-03 | No test names it. | |
| EV-04 | Its test needs a tool that is missing. | |
| EV-05 | Nobody has built it yet. | planned |
| EV-06 | Nobody has asked for it yet. | later |
| EV-07 | It holds on AWS alone. | |
| EV-08 | It holds in both homes, by one test each. | |

| ID | home | why |
| --- | --- | --- |
| EV-01 | one machine | It is about one machine. |
| EV-07 | AWS | It is about AWS. |
"""

TESTS = """
import pytest

@pytest.mark.spec("EV-01")
def test_passes(): pass

@pytest.mark.spec("EV-02")
def test_fails(): assert 1 == 2

@pytest.mark.spec("EV-07")
@pytest.mark.home("AWS")
def test_on_aws(): pass

@pytest.mark.spec("EV-08")
@pytest.mark.parametrize("store", ["sqlite", "dynamodb"])
def test_on_both(store): pass

@pytest.mark.spec("EV-04")
@pytest.mark.needs("a-tool-that-nobody-has")
def test_is_left_out(): pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "requirements.md").write_text(REQUIREMENTS)
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def run(suite: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-p", "no:cacheprovider", *arguments],
        cwd=suite,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout


@pytest.mark.parametrize("processes", ["0", "2"])
def test_the_run_names_what_is_untested_and_what_was_left_out(suite: Path, processes: str) -> None:
    printed = run(suite, "-n", processes).splitlines()

    assert "one machine: 2 of 5 shown to hold" in printed
    assert "one machine, without a test: EV-02, EV-03, EV-04" in printed
    assert "AWS: 2 of 5 shown to hold" in printed
    assert "AWS, without a test: EV-02, EV-03, EV-04" in printed
    assert "left out: 1 tests (no a-tool-that-nobody-has)" in printed


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_long_run_ends_with_its_slowest_files(suite: Path, processes: str) -> None:
    printed = run(suite, "-n", processes).splitlines()

    row = printed[printed.index("seconds  tests  ended at  slowest files and groups") + 1]
    seconds, tests, ended_at, name = row.split()
    assert (tests, name) == ("5", "test_it.py")
    assert int(seconds) <= int(ended_at) + 1


def test_the_tests_of_a_group_count_together() -> None:
    slow = SlowFiles()
    for name in ("a.py::test_a@aws", "b.py::test_b@aws", "b.py::test_c[ann@example.org]"):
        slow.pytest_runtest_logreport(
            pytest.TestReport(name, ("", 0, ""), {}, "passed", None, "call", duration=2)
        )

    assert slow.seconds == {"group aws": 4, "b.py": 2}
    assert slow.tests == {"group aws": 2, "b.py": 1}


def test_a_part_of_the_suite_makes_no_claim_about_the_rest(suite: Path) -> None:
    assert "without a test" not in run(suite, "-k", "passes")


HOME_OF = """
import pytest
from tests.spec_coverage import homes

def pytest_collection_modifyitems(items):
    for item in items:
        print(f"{item.nodeid}: {' and '.join(homes(item))}")
"""
PLACES = {
    "tests/aws/test_a.py": "AWS",
    "tests/deploy/test_b.py": "AWS",
    "tests/store/dynamodb/test_c.py": "AWS",
    "tests/core/test_d.py": "one machine and AWS",
    "tests/desks/test_e.py": "one machine",
}


def test_a_test_counts_for_the_home_in_which_it_runs(suite: Path) -> None:
    (suite / "conftest.py").write_text(HOME_OF)
    for place in PLACES:
        (suite / place).parent.mkdir(parents=True)
        (suite / place).write_text("def test_it(): pass")
    (suite / "tests/desks/test_f.py").write_text("""
import pytest

@pytest.fixture
def dynamodb(): pass

def test_it(dynamodb): pass
""")

    printed = run(suite, "-s", "--import-mode=importlib", "tests").splitlines()

    said = dict(line.split("::test_it: ") for line in printed if "::test_it: " in line)
    assert said == {**PLACES, "tests/desks/test_f.py": "AWS"}


@pytest.mark.parametrize("processes", ["0", "2"])
def test_an_id_that_no_requirement_has_stops_the_run(suite: Path, processes: str) -> None:
    (suite / "test_it.py").write_text(TESTS.replace("EV-02", "EV-20"))

    printed = run(suite, "-n", processes)

    assert "not in docs/requirements: EV-20" in printed
    assert "1 error" in printed
    assert "passed" not in printed


# --- a second try, in CI only -----------------------------------------------------------------

#: A test that passes only from the second time on, and one that never does.
UNSTEADY = """
import pytest
from pathlib import Path

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("who", ["ann@example.org"])
def test_it(who):
    been = Path(__file__).with_suffix(".been")
    first = not been.exists()
    been.touch()
    assert not first
"""
BROKEN = "def test_it(): assert False"
STEADY = "def test_it(): pass"
NAME = "test_it[ann@example.org]"


def run_twice(suite: Path, tests: Mapping[str, str]) -> tuple[int, list[str]]:
    """Runs tests twice as `.ci/run` does; returns the status, and the output after the first
    run."""
    (suite / "conftest.py").unlink()
    (suite / "test_it.py").unlink()
    for place, code in tests.items():
        (suite / place).parent.mkdir(parents=True, exist_ok=True)
        (suite / place).write_text(code)
    first = python(suite, "pytest", "-n", "1", "--dist", "loadgroup", "--cache-clear")
    (suite / "log").write_text(first.stdout)
    again = python(suite, "script.rerun_failed", "log")
    return again.returncode, again.stdout.splitlines()


def python(suite: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=suite,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p xdist --import-mode=importlib",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_an_unsteady_journey_is_named_and_does_not_fail_the_run(suite: Path) -> None:
    status, printed = run_twice(
        suite,
        {
            "tests/journeys/test_a.py": UNSTEADY,
            "tests/core/test_b.py": STEADY,
            "tests/aws/test_c.py": STEADY,
        },
    )

    name = f"tests/journeys/test_a.py::{NAME}"
    assert f"unsteady: {name} failed beside others and passed alone; mend it" in printed
    assert re.fullmatch(r"=+ 2 passed, 1 unsteady in [\d.]+s =+", printed[-1])
    assert status == 0


def test_another_failure_beside_it_gets_no_second_try(suite: Path) -> None:
    tests = {"tests/journeys/test_a.py": UNSTEADY, "tests/core/test_b.py": BROKEN}
    assert run_twice(suite, tests) == (1, [])


@pytest.mark.parametrize(
    ("failed", "may"),
    [
        (["tests/aws/test_a.py::test_it", "tests/browser/test_b.py::test_it"], True),
        ([f"tests/journeys/test_a.py::test_it[{number}]" for number in range(5)], True),
        ([f"tests/journeys/test_a.py::test_it[{number}]" for number in range(6)], False),
        (["tests/core/test_a.py::test_it"], False),
        (["tests/aws/test_a.py::test_it", "tests/support/journeys/test_b.py::test_it"], False),
        ([], False),
    ],
)
def test_a_few_tests_that_wait_for_processes_get_a_second_try(failed: list[str], may: bool) -> None:
    assert may_run_again(failed) is may


@pytest.mark.parametrize("name", ["a.py::test_it", "a.py::test_it[ann@example.org]"])
def test_the_second_try_runs_the_test_without_its_group(name: str) -> None:
    assert without_group(name) == name
    assert without_group(f"{name}@aws-stack") == name


def test_a_journey_that_fails_again_fails_the_run_which_still_counts_all(suite: Path) -> None:
    status, printed = run_twice(
        suite,
        {
            "tests/journeys/test_a.py": UNSTEADY,
            "tests/aws/test_b.py": BROKEN,
            "tests/core/test_c.py": STEADY,
        },
    )

    assert [line for line in printed if line.startswith("unsteady: ")] == [
        f"unsteady: tests/journeys/test_a.py::{NAME} failed beside others and passed alone; mend it"
    ]
    assert re.fullmatch(r"=+ 2 failed, 1 passed in [\d.]+s =+", printed[-1])
    assert status == 1


def test_a_test_that_is_left_out_of_the_second_try_has_not_passed(suite: Path) -> None:
    """An example is the test of grants, which needs all journeys."""
    (suite / "tests" / "aws").mkdir(parents=True)
    (suite / "tests" / "aws" / "conftest.py").write_text("""
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if len(items) > 2 or item.path.name != "test_b.py"]
""")

    status, _printed = run_twice(
        suite,
        {
            "tests/aws/test_a.py": UNSTEADY,
            "tests/aws/test_b.py": BROKEN,
            "tests/core/test_c.py": STEADY,
        },
    )

    assert status == 1
