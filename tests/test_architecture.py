"""What the import contracts cannot see: the rules are told the time, they never ask for it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "frontdesk"
RULES = ("model", "facts", "changes", "commands", "decide", "notes")
CLOCK_CALLS = {"now", "utcnow", "today", "time", "monotonic", "perf_counter"}
CLOCKS = {"datetime", "date", "time"}


def rule_modules() -> list[Path]:
    desks = [path for name in RULES for path in (SOURCE / "desks").glob(f"*/{name}.py")]
    return sorted([*desks, *(SOURCE / "core").rglob("*.py")])


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
