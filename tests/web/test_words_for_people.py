"""Texts for people say 'text', never 'SMS': that word is for developers and for names of others.

Texts for customers say 'time', never 'slot': that word is for staff and developers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "frontdesk"
SMS = re.compile(r"\bSMS\b")
#: Headings of sheets that we understand, and attributes in Amazon's API.
NAMES_OF_OTHERS = ("features/sheet_sync/schema.py", "channels/sns/channel.py")
#: These pages explain the code, or AWS's own 'SMS sandbox'.
FOR_DEVELOPERS = ("design.md", "adding-a-channel.md", "adding-a-desk.md", "deploying.md")
COMMENT = re.compile(r"{#.*?#}", re.DOTALL)


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def test_pages_and_messages_say_text() -> None:
    modules = [
        path
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).as_posix() not in NAMES_OF_OTHERS
    ]
    templates = list(SOURCE.rglob("*.html"))
    said = [(path.name, text) for path in modules for _, text in spoken(path)]
    shown = [(path.name, COMMENT.sub("", path.read_text("utf-8"))) for path in templates]

    assert {name for name, text in (*said, *shown) if SMS.search(text)} == set()
    assert len(modules) > 500
    assert len(templates) > 50


def test_the_documentation_for_owners_says_text() -> None:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    owners = [each for each in pages if each.name not in FOR_DEVELOPERS]

    assert [each.name for each in owners if SMS.search(each.read_text("utf-8"))] == []
    assert len(owners) > 10


SLOT: re.Pattern[str] = re.compile(r"\bslots?\b", re.IGNORECASE)
#: Names of messages on the page where staff change wordings.
FOR_STAFF = {"A slot is offered", "A slot is theirs", "Staff took a slot back"}
CODE = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<[^>]*>", re.DOTALL)


def test_customers_read_time_instead_of_slot() -> None:
    desks = SOURCE / "desks"
    modules = [*desks.glob("*/pages/**/*.py"), *desks.glob("*/messages/customers.py")]
    templates = [*desks.glob("*/templates/*.html"), *(SOURCE / "web" / "templates").glob("*.html")]
    sentences = [text for path in modules for _, text in spoken(path) if " " in text.strip()]
    shown = [CODE.sub(" ", path.read_text("utf-8")) for path in templates]

    assert {each for each in (*sentences, *shown) if SLOT.search(each)} == FOR_STAFF
    assert len(modules) > 40
    assert len(templates) > 20
