"""The test run itself: it knows the requirements, and hides nothing that it did not run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CONFTEST = """
from pathlib import Path
from tests.left_out import LeftOut
from tests.spec_coverage import SpecCoverage

def pytest_configure(config):
    config.pluginmanager.register(LeftOut())
    config.pluginmanager.register(SpecCoverage(Path(__file__).parent))
"""

SETTINGS = """
[pytest]
testpaths = .
markers =
    spec(*ids): ids
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
"""

TESTS = """
import pytest

@pytest.mark.spec("EV-01")
def test_passes(): pass

@pytest.mark.spec("EV-02")
def test_fails(): assert 1 == 2

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

    assert "1 of 4 shown to hold" in printed
    assert "requirements without a test: EV-02, EV-03, EV-04" in printed
    assert "left out: 1 tests (no a-tool-that-nobody-has)" in printed


def test_a_part_of_the_suite_makes_no_claim_about_the_rest(suite: Path) -> None:
    assert "requirements without a test" not in run(suite, "-k", "passes")


@pytest.mark.parametrize("processes", ["0", "2"])
def test_an_id_that_no_requirement_has_stops_the_run(suite: Path, processes: str) -> None:
    (suite / "test_it.py").write_text(TESTS.replace("EV-02", "EV-20"))

    printed = run(suite, "-n", processes)

    assert "not in docs/requirements: EV-20" in printed
    assert "1 error" in printed
    assert "passed" not in printed
