"""What the import contracts cannot see: the rules are told the time, they never ask for it."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CLOCK_CALLS = {"now", "utcnow", "today", "time", "monotonic", "perf_counter"}
CLOCKS = {"datetime", "date", "time"}


def rule_modules() -> list[Path]:
    """The modules that the import contract calls rules, each a file or a folder of them."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    [rules] = [contract for contract in contracts if contract["id"] == "rules"]
    places = [name.replace(".", "/") for name in rules["source_modules"]]
    files = [path for place in places for path in SOURCE.glob(f"{place}.py")]
    return sorted([*files, *(path for place in places for path in SOURCE.glob(f"{place}/**/*.py"))])


def clock_calls(tree: ast.AST) -> Iterator[str]:
    """`datetime.now(…)`, `date.today()`, `time.time()`; also with the module's name before them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CLOCK_CALLS:
            owner = ast.unparse(node.value).rpartition(".")[2]
            if owner in CLOCKS:
                yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", rule_modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_rules_never_look_at_a_clock(path: Path) -> None:
    assert list(clock_calls(ast.parse(path.read_text()))) == []


def test_a_look_at_the_clock_is_seen_however_it_is_written() -> None:
    code = "a = datetime.now(UTC)\nb = dt.date.today()\nc = map(time.time, d)\ne = at.time()\nnow()"

    assert list(clock_calls(ast.parse(code))) == [
        "line 1: datetime.now",
        "line 2: dt.date.today",
        "line 3: time.time",
    ]
