"""Plants faults in a copy of the tree, one at a time; the tests that a fault names must fail.

A fault is a small patch in `script/faults/*.toml`: a file, the text in it, its replacement, and
tests. A fault survives, and is reported, if its tests pass with it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from frontdesk.values import Frozen

ROOT: Final = Path(__file__).parents[1]
FAULTS: Final = ROOT / "script" / "faults"
#: Folders that the tests need and git does not track.
ENVIRONMENTS: Final = (".venv", ".venv-emulator", ".venv-templates")
#: The exit status of pytest if some tests failed.
TESTS_FAILED: Final = 1


class Fault(Frozen):
    name: str
    """Describes the fault in a few words."""
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    """Files or node ids; at least one of their tests fails."""

    def problem(self, root: Path) -> str:
        """Returns why the fault cannot be planted; empty if it can."""
        path = root / self.file
        if not path.is_file():
            return f"there is no file {self.file}"
        found = path.read_text("utf-8").count(self.old)
        if found != 1:
            return f"its text is {found} times in {self.file}, not once"
        if self.old == self.new:
            return "it changes nothing"
        missing = [test for test in self.tests if not _is_there(root, test)]
        return f"there is no test {missing[0]}" if missing else ""

    def plant(self, root: Path) -> None:
        path = root / self.file
        text = path.read_text("utf-8")
        path.write_text(text.replace(self.old, self.new), "utf-8")


def _is_there(root: Path, test: str) -> bool:
    file, _, name = test.partition("::")
    path = root / file
    if not name:
        return path.exists()
    function = name.rpartition("::")[2].partition("[")[0]
    return path.is_file() and f"def {function}(" in path.read_text("utf-8")


def known(folder: Path = FAULTS) -> list[Fault]:
    found = [
        Fault(row["name"], row["file"], row["old"], row["new"], tuple(row["tests"]))
        for page in sorted(folder.glob("*.toml"))
        for row in tomllib.loads(page.read_text("utf-8"))["fault"]
    ]
    names = [fault.name for fault in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"two faults are called {twice[0]}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/plant-faults", description=__doc__)
    parser.add_argument("words", nargs="*", help="only those with one of these in their name")
    parser.add_argument("--list", action="store_true", help="name them, and plant none")
    chosen = parser.parse_args()
    faults = [
        fault
        for fault in known()
        if not chosen.words or any(word in fault.name for word in chosen.words)
    ]
    if chosen.list:
        print("\n".join(fault.name for fault in faults))
        return 0
    stale = [(fault, problem) for fault in faults if (problem := fault.problem(ROOT))]
    for fault, problem in stale:
        print(f"CANNOT BE PLANTED: {fault.name}: {problem}")
    able = [fault for fault in faults if not fault.problem(ROOT)]
    with copy_of(ROOT) as root:
        survivors = [fault for fault in able if survives(root, fault)]
    print(f"{len(able)} planted, {len(able) - len(survivors)} noticed.")
    for fault in survivors:
        print(f"SURVIVED: {fault.name}")
    return 1 if survivors or stale or not able else 0


def survives(root: Path, fault: Fault) -> bool:
    """Returns whether the tests of a fault pass with it. Checks first that they pass without it."""
    if run(root, fault.tests) != 0:
        print(f"its tests fail without it: {fault.name}")
        return True
    fault.plant(root)
    try:
        noticed = run(root, fault.tests) == TESTS_FAILED
    finally:
        subprocess.run(["git", "checkout", "-q", "--", fault.file], cwd=root, check=True)
    print(f"{'noticed' if noticed else 'SURVIVED'}: {fault.name}", flush=True)
    return not noticed


def run(root: Path, tests: Iterable[str]) -> int:
    """Returns the exit status of pytest."""
    python = str(root / ".venv" / "bin" / "python")
    command = [python, "-m", "pytest", "-q", "-x", "--no-header"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *tests],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}", "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode


@contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """Copies the tree with its uncommitted changes to a separate worktree."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-faults-") as folder:
        copy = Path(folder) / "tree"
        _git(root, "worktree", "add", "--quiet", "--detach", str(copy), "HEAD")
        try:
            _bring_along(root, copy)
            for name in ENVIRONMENTS:
                if (root / name).exists():
                    (copy / name).symlink_to((root / name).resolve())
            (copy / "build").mkdir(exist_ok=True)
            yield copy
        finally:
            _git(root, "worktree", "remove", "--force", str(copy))


def _bring_along(root: Path, copy: Path) -> None:
    """Commits the uncommitted changes in the copy, so that a checkout restores them."""
    changed = _lines(root, "diff", "--name-only", "HEAD")
    new = _lines(root, "ls-files", "--others", "--exclude-standard")
    for name in (*changed, *new):
        source, target = root / name, copy / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
        else:
            target.unlink(missing_ok=True)
    if changed or new:
        _git(copy, "add", "--all")
        who = ("-c", "user.name=faults", "-c", "user.email=faults@example.org")
        _git(copy, *who, "commit", "--quiet", "--no-verify", "-m", "the tree as it is")


def _lines(root: Path, *command: str) -> list[str]:
    done = subprocess.run(["git", *command], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def _git(root: Path, *command: str) -> None:
    subprocess.run(["git", *command], cwd=root, check=True)


if __name__ == "__main__":
    sys.exit(main())
