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
