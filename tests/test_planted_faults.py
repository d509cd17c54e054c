"""The faults of `script/plant-faults` still fit the code, and the script names those that do
not."""

import subprocess
from pathlib import Path

import pytest

from script.plant_faults import ROOT, Fault, copy_of, known

FAULTS = known()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_still_fits_the_tree_and_its_tests_are_there(fault: Fault) -> None:
    assert fault.problem(ROOT) == ""
    assert fault.tests


def fault(**changed: str) -> Fault:
    said = {"name": "x", "file": "a.py", "old": "one", "new": "two"} | changed
    return Fault(**said, tests=("tests/test_a.py::test_it",))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"file": "b.py"}, "there is no file b.py"),
        ({"old": "three"}, "its text is 0 times in a.py, not once"),
        ({"old": "n"}, "its text is 2 times in a.py, not once"),
        ({"new": "one"}, "it changes nothing"),
    ],
)
def test_a_fault_that_does_not_fit_says_why(
    tmp_path: Path, changed: dict[str, str], why: str
) -> None:
    (tmp_path / "a.py").write_text("one = sin")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_it(): pass")

    assert fault().problem(tmp_path) == ""
    assert fault(**changed).problem(tmp_path) == why


def test_a_test_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_another(): pass")

    assert fault().problem(tmp_path) == "there is no test tests/test_a.py::test_it"


def test_the_copy_has_what_is_not_committed_and_leaves_no_trace(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    git(tree, "init", "--quiet")
    (tree / "a.py").write_text("one")
    (tree / "gone.py").write_text("gone")
    git(tree, "add", "--all")
    git(tree, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "first")
    (tree / "a.py").write_text("one and more")
    (tree / "b.py").write_text("new")
    (tree / "gone.py").unlink()

    with copy_of(tree) as copy:
        fault(old="more", new="less").plant(copy)
        assert (copy / "a.py").read_text() == "one and less"
        git(copy, "checkout", "-q", "--", "a.py")
        seen = {path.name: path.read_text() for path in copy.glob("*.py")}

    assert seen == {"a.py": "one and more", "b.py": "new"}
    assert (tree / "a.py").read_text() == "one and more"
    assert git(tree, "worktree", "list").count("\n") == 1
    assert git(tree, "log", "--oneline").count("\n") == 1


def git(folder: Path, *command: str) -> str:
    return subprocess.run(
        ["git", *command], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
