"""Checks rules of this project that no tool knows: names, docstrings, test ids."""

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Container, Iterator
from pathlib import Path

from tests.spec_coverage import requirements

ROOT = Path(__file__).parents[1]

#: Brackets keep these from matching themselves.
REGISTRIES = re.compile(
    r"--(extra-)?index[-]url|--find[-]links|files\.python[h]osted|pypi\.org/[s]imple"
    r'|"resolved": *"[h]ttp|source = \{ [r]egistry'
)
_BANNED_MODULES = """
base common data helper helpers info manager misc util utils anywhere asked back_room
calendar_keeper checkup chores counter doors house joins kept letterbox letters_in look
looks office pace reaching rush said says sayings scene sheet_keeper shelf ship standing
stretches tell textbox tries ways wishes wishing works
"""
#: Names without meaning, and old names of modules that were renamed.
BANNED_MODULES = frozenset(_BANNED_MODULES.split())
#: A docstring says what something does: with a subject and a verb, not 'What is left of it'.
HEADLESS = re.compile(r"(?:Who|Whom|Whose|What|Whoever|Whatever)\b(?!.*\?)")
#: The number of docstrings that still begin so. It may only get smaller.
MOST_HEADLESS = 0
#: A module with fewer lines and a single importer probably belongs there.
FEWEST_LINES = 40
#: Small modules with one importer, and why each stays alone. This list only gets shorter.
ALONE = {
    "frontdesk/cli/why.py": "one command",
    "frontdesk/connect/calendars/feed.py": "one kind of calendar, imported lazily",
    "frontdesk/connect/sns_in.py": "a format of AWS; the function that takes it knows no format",
    "frontdesk/cost/reference.py": "numbers from outside",
    "frontdesk/desks/admin/delivery.py": "the same file in each desk",
    "frontdesk/desks/admin/doctor.py": "the same file in each desk",
    "frontdesk/desks/rsvp/decide/overload.py": "pure rules of their own",
    "frontdesk/desks/rsvp/pages/unsubscribe.py": "one page",
    "frontdesk/desks/waitlist/pages/stop.py": "one page",
    "frontdesk/reading/textract.py": "an adapter, imported lazily",
    "frontdesk/store/dynamodb/admin/audit.py": "the tables of one desk beside those of another",
    "frontdesk/store/dynamodb/engine_reads.py": "as in the other store",
    "frontdesk/store/dynamodb/renames.py": "one change",
    "frontdesk/wiring/admin.py": "the same file for each desk",
    "frontdesk/wiring/public.py": "the routes of one machine",
}
SPEC_MARK = re.compile(r"mark\.spec\(([^)]*)\)")


def main() -> int:
    files = committed_files()
    complaints = [
        *named_places(files),
        *unknown_ids(files),
        *banned_modules(files),
        *headless_docstrings(files),
        *lonely_modules(files),
    ]
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
    """Finds registries and paths of this machine: a committed file must work anywhere."""
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
    """Finds test marks with ids that are not in docs/requirements."""
    known = requirements(ROOT / "docs" / "requirements")
    for path, text in files.items():
        if path.suffix != ".py" or path.parts[0] != "tests":
            continue
        for mark in SPEC_MARK.finditer(text):
            for id_ in re.findall(r"""["']([^"']+)["']""", mark[1]):
                if id_ not in known:
                    yield f"{path}: {id_} is not in docs/requirements"


def banned_modules(files: dict[Path, str]) -> Iterator[str]:
    for path in sources(files):
        name = path.parent.name if path.name == "__init__.py" else path.stem
        if name in BANNED_MODULES:
            yield f"{path}: '{name}' does not say what is in it"


def headless_docstrings(files: dict[Path, str], most: int = MOST_HEADLESS) -> Iterator[str]:
    """Lists all headless docstrings if there are more than before."""
    found = [
        f"{path}: a docstring begins '{text.splitlines()[0]}'"
        for path, tree in sources(files).items()
        for text in docstrings(tree)
        if HEADLESS.match(text)
    ]
    if len(found) > most:
        yield from found
        yield f"{len(found)} docstrings begin with 'Who' or 'What'; at most {most} may"


def lonely_modules(
    files: dict[Path, str], alone: Container[str] = frozenset(ALONE)
) -> Iterator[str]:
    trees = sources(files)
    importers: dict[str, set[Path]] = {}
    for path, tree in trees.items():
        for name in imported(tree):
            importers.setdefault(name, set()).add(path)
    for path in trees:
        place = path.relative_to("src")
        by = importers.get(".".join(place.with_suffix("").parts), set())
        lines = files[path].count("\n")
        is_part = path.name != "__init__.py" and lines < FEWEST_LINES and len(by) == 1
        if is_part and place.as_posix() not in alone:
            yield f"{path}: {lines} lines that only {min(by)} imports belong there"


def sources(files: dict[Path, str]) -> dict[Path, ast.Module]:
    return {
        path: ast.parse(text)
        for path, text in files.items()
        if path.suffix == ".py" and path.parts[0] == "src"
    }


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def imported(tree: ast.Module) -> Iterator[str]:
    """Yields the names of imported modules, and of imported names, which may be modules too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{each.name}" for each in names)
            case _:
                pass


if __name__ == "__main__":
    sys.exit(main())
