"""Checks rules of this project that no tool knows: names, docstrings, test ids."""

import ast
import re
import subprocess
import sys
import tempfile
from collections import Counter
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
calendar_keeper checkup chores counter house joins letterbox letters_in office pace reaching
rush sayings sheet_keeper ship standing stretches tell textbox wishing allowed ask checked coming
dated eligible find following going_out out_of_reach pasted persons proposed relative remembering
restoring signed tidying unclear undated written
"""
#: Names without meaning, lone verbs and participles, and old names of modules.
BANNED_MODULES = frozenset(_BANNED_MODULES.split())
#: Words that say nothing about a module or folder, alone or as a part of its name.
BANNED_WORDS = re.compile(
    r"(^|_)(said|says|asked|kept|told|along|looks?|ways?|tries|works?|shelf|doors?|things?"
    r"|papers?|scenes?)(_|$)|^letters?$"
)
#: Modules in which such a word is the right one.
ALLOWED_WORDS = {"unseen_work": "work that a visitor must not be able to measure"}
#: Classes that share a name, and why. This list only gets shorter.
SHARED_CLASSES = {
    "ParsedRules": "each desk with rules has a parser for them",
    "Reason": "each desk and each feature with commands has its reasons to refuse",
    "Snippets": "HTML to copy, of each desk that can be embedded",
    "Visit": "the current rows of an opened link, of each desk with links",
}
#: No desk imports another, so the same module of two desks may use the same words: each desk has
#: an `Offer` in `model`. The same holds for one module of both stores and of two simulations. Facts
#: and console pages are divided differently in each desk.
_SIBLINGS = re.compile(
    r"^frontdesk/(desks|simulate|store)/[a-z]+/(?:(?:offer|document)_(?=facts))?"
)
#: A sentence has a subject and a verb: 'What is left of it' and 'Who waits gets a seat' have
#: none.
HEADLESS = re.compile(
    r"(?:^|(?<=[.!?:;]\s))(?:Who|Whom|Whose|What|Whoever|Whatever)\b(?![^.]*\?)[^.]*"
)
#: The same rule for pages, where 'What you see' is a common heading.
HEADLESS_IN_DOCS = re.compile(
    r"(?:^|(?<=[.!?:;]\s)|(?<=[.!?:;]\*\*\s))\**(?:Who|Whom|Whose|Whoever)\b(?![^.]*\?)[^.]*"
)
#: Code and headings, and the starts of paragraphs, list items and cells of tables.
NO_PROSE = re.compile(r"^```.*?^```|^#[^\n]*", re.MULTILINE | re.DOTALL)
PARAGRAPHS = re.compile(r"\n\s*\n|\||^\s*(?:[-*]+|\d+\.)\s", re.MULTILINE)
#: Comments, several lines of one joined.
COMMENTS = re.compile(r"(?:^[ \t]*#:?[ \t].*\n)+", re.MULTILINE)
#: A module with fewer lines and a single importer probably belongs there.
FEWEST_LINES = 40
#: Small modules with one importer, and why each stays alone. This list only gets shorter.
ALONE = {
    "frontdesk/reading/textract.py": "an adapter, imported lazily",
}
SPEC_MARK = re.compile(r"mark\.spec\(([^)]*)\)")


def main() -> int:
    files = committed_files()
    complaints = [
        *named_places(files),
        *links(git("ls-files", "--stage")),
        *unknown_ids(files),
        *banned_modules(files),
        *headless_sentences(files),
        *headless_docs(files),
        *lonely_modules(files),
        *shared_class_names(files),
    ]
    print("\n".join(complaints))
    return 1 if complaints else 0


def committed_files() -> dict[Path, str]:
    paths = [ROOT / name for name in git("ls-files", "-z").split("\0") if name]
    return {
        path.relative_to(ROOT): path.read_text(errors="replace") for path in paths if path.is_file()
    }


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def links(staged: str) -> Iterator[str]:
    """Finds symbolic links, as to an environment elsewhere: a clone has nothing there."""
    for line in staged.splitlines():
        if line.startswith("120000 "):
            yield f"{line.partition(chr(9))[2]}: is a symbolic link"


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
        if name in BANNED_MODULES or (BANNED_WORDS.search(name) and name not in ALLOWED_WORDS):
            yield f"{path}: '{name}' does not say what is in it"


def headless_sentences(files: dict[Path, str]) -> Iterator[str]:
    """Looks at every sentence of docstrings and comments."""
    for path, tree in sources(files).items():
        for text in (*docstrings(tree), *comments(files[path])):
            for found in HEADLESS.finditer(" ".join(text.split())):
                yield f"{path}: a sentence without a subject: '{found[0]}'"


def headless_docs(files: dict[Path, str]) -> Iterator[str]:
    """Looks at every sentence of the documentation."""
    for path, text in files.items():
        if path.suffix == ".md" and path.parts[0] != "tests":
            for paragraph in PARAGRAPHS.split(NO_PROSE.sub("", text)):
                for found in HEADLESS_IN_DOCS.finditer(" ".join(paragraph.split())):
                    yield f"{path}: a sentence without a subject: '{found[0]}'"


def comments(text: str) -> Iterator[str]:
    for found in COMMENTS.finditer(text):
        yield re.sub(r"^\s*#:?\s", "", found[0], flags=re.MULTILINE)


def lonely_modules(
    files: dict[Path, str], alone: Container[str] = frozenset(ALONE)
) -> Iterator[str]:
    """Finds small modules with one importer, except modules that two desks have."""
    trees = sources(files)
    in_desks = Counter(_desk_file(path) for path in trees)
    importers: dict[str, set[Path]] = {}
    for path, tree in trees.items():
        for name in imported(tree):
            importers.setdefault(name, set()).add(path)
    for path in trees:
        place = path.relative_to("src")
        by = importers.get(".".join(place.with_suffix("").parts), set())
        lines = files[path].count("\n")
        is_part = path.name != "__init__.py" and lines < FEWEST_LINES and len(by) == 1
        if is_part and place.as_posix() not in alone and in_desks[_desk_file(path)] < 2:
            yield f"{path}: {lines} lines that only {min(by)} imports belong there"


def _desk_file(path: Path) -> str:
    """Returns the file within its desk: 'doctor.py' for 'src/frontdesk/desks/rsvp/doctor.py'."""
    found = re.fullmatch(r"src/frontdesk/desks/[a-z]+/(.+)", path.as_posix())
    return found[1] if found else path.as_posix()


def shared_class_names(
    files: dict[Path, str], shared: Container[str] = frozenset(SHARED_CLASSES)
) -> Iterator[str]:
    """Finds classes that share a name. Allowed are the same module of two desks, the same module of
    both stores, and a subclass with the name of its base."""
    found: dict[str, dict[str, Path]] = {}
    for path, tree in sources(files).items():
        place = _SIBLINGS.sub(r"\1/", path.relative_to("src").as_posix())
        for node in tree.body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            if node.name not in {ast.unparse(base).rpartition(".")[2] for base in node.bases}:
                found.setdefault(node.name, {})[place] = path
    for name, places in found.items():
        if len(places) > 1 and name not in shared:
            yield f"{', '.join(map(str, places.values()))}: '{name}' has two meanings"


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
