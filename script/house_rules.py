"""Rules of this project that no tool knows: what a committed file may name, and which ids exist."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.spec_coverage import requirements

ROOT = Path(__file__).parents[1]

#: Brackets keep these from matching themselves.
REGISTRIES = re.compile(
    r"--(extra-)?index[-]url|--find[-]links|files\.python[h]osted|pypi\.org/[s]imple"
    r'|"resolved": *"[h]ttp|source = \{ [r]egistry'
)
SPEC_MARK = re.compile(r"mark\.spec\(([^)]*)\)")


def main() -> int:
    files = committed_files()
    complaints = [*named_places(files), *unknown_ids(files)]
    print("\n".join(complaints))
    return 1 if complaints else 0


def committed_files() -> dict[Path, str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    return {
        path.relative_to(ROOT): path.read_text(errors="replace") for path in paths if path.is_file()
    }


def named_places(files: dict[Path, str]) -> Iterator[str]:
    """A committed file works anywhere: it names no package registry and no path of this machine."""
    own_paths = re.compile("|".join(rf"(?<![\w.]){re.escape(each)}/" for each in machine_paths()))
    for path, text in files.items():
        for number, line in enumerate(text.splitlines(), start=1):
            if REGISTRIES.search(line):
                yield f"{path}:{number}: names a package registry"
            if own_paths.search(line):
                yield f"{path}:{number}: names a path of this machine"


def machine_paths() -> set[str]:
    shared_by_all = {"/", tempfile.gettempdir()}
    return {str(ROOT), *({str(ROOT.parent), str(Path.home())} - shared_by_all)}


def unknown_ids(files: dict[Path, str]) -> Iterator[str]:
    """A test can only show a requirement that is written down."""
    known = requirements(ROOT / "docs" / "requirements")
    for path, text in files.items():
        if path.suffix != ".py" or path.parts[0] != "tests":
            continue
        for mark in SPEC_MARK.finditer(text):
            for id_ in re.findall(r"""["']([^"']+)["']""", mark[1]):
                if id_ not in known:
                    yield f"{path}: {id_} is not in docs/requirements"


if __name__ == "__main__":
    sys.exit(main())
