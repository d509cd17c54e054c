"""Checks the length of examples, and the code that recipes quote from them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: A block of Python in a page, below the name of its file.
QUOTE = re.compile(
    r"`(tests/examples/[\w/]+\.py)`[^`]*\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL
)


def lines_of(folder: Path) -> int:
    """Counts the lines of all Python, including blank lines and docstrings."""
    return sum(len(file.read_text("utf-8").splitlines()) for file in folder.rglob("*.py"))


def quotes(page: Path) -> list[tuple[str, str]]:
    """Returns the file and the code of each block of Python; fails if a block names no file."""
    text = page.read_text("utf-8")
    found = QUOTE.findall(text)
    assert len(found) == text.count("```python"), "a block does not say which file it is from"
    return found


def misquoted(page: Path) -> list[str]:
    """Returns the blocks that are not in the file that they name."""
    return [code for name, code in quotes(page) if code not in (ROOT / name).read_text("utf-8")]
