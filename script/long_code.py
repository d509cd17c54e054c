"""Lists long modules and functions, which may be two things. It only gives a hint and never
fails."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE_LINES = 400
FUNCTION_LINES = 60


def main() -> None:
    for path in sorted((ROOT / "src").rglob("*.py")):
        for place, lines in long_parts(path):
            print(f"long    {path.relative_to(ROOT)}{place}: {lines} lines; is it two things?")


def long_parts(path: Path) -> Iterator[tuple[str, int]]:
    text = path.read_text()
    if (lines := len(text.splitlines())) > MODULE_LINES:
        yield "", lines
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f":{node.lineno} {node.name}", lines


if __name__ == "__main__":
    main()
