"""The rules about names, docstrings and commits notice what breaks them."""

from pathlib import Path

import pytest

from script.commit_subjects import is_imperative, wrong
from script.house_rules import banned_modules, headless_docstrings, lonely_modules


def test_a_module_whose_name_says_nothing_is_named() -> None:
    files = {Path("src/frontdesk/utils.py"): "", Path("src/frontdesk/rows.py"): ""}

    assert list(banned_modules(files)) == [
        "src/frontdesk/utils.py: 'utils' does not say what is in it"
    ]


def test_docstrings_without_a_subject_are_listed_once_there_are_more_than_before() -> None:
    text = (
        '"""Maps rows."""\ndef one():\n    """What is left."""\ndef two():\n    """Who asks?"""\n'
    )
    files = {Path("src/frontdesk/rows.py"): text}

    assert list(headless_docstrings(files, most=1)) == []
    assert list(headless_docstrings(files, most=0)) == [
        "src/frontdesk/rows.py: a docstring begins 'What is left.'",
        "1 docstrings begin with 'Who' or 'What'; at most 0 may",
    ]


def test_a_small_module_that_one_other_imports_is_named_unless_it_may_be_alone() -> None:
    files = {
        Path("src/frontdesk/rows.py"): "from frontdesk import small\nimport frontdesk.shared\n",
        Path("src/frontdesk/table.py"): "from frontdesk.shared import thing\n",
        Path("src/frontdesk/small.py"): "thing = 1\n",
        Path("src/frontdesk/shared.py"): "thing = 1\n",
    }

    assert list(lonely_modules(files)) == [
        "src/frontdesk/small.py: 1 lines that only src/frontdesk/rows.py imports belong there"
    ]
    assert list(lonely_modules(files, alone={"frontdesk/small.py"})) == []


@pytest.mark.parametrize("word", ["add", "embed", "bring", "pass", "process", "let", "say"])
def test_an_imperative_is_one(word: str) -> None:
    assert is_imperative(word)


@pytest.mark.parametrize("word", ["adds", "added", "adding", "the", "nobody", "who"])
def test_what_is_no_imperative_is_none(word: str) -> None:
    assert not is_imperative(word)


def test_a_subject_names_its_part_and_what_it_changes() -> None:
    assert list(wrong(["rsvp: offer a seat", "web, store: rename the reader"])) == []
    assert list(wrong(["Offer a seat", "rsvp: who waits is offered a seat"])) == [
        "'Offer a seat': begin with the part and a colon, like 'rsvp: offer a seat'",
        "'rsvp: who waits is offered a seat': 'who' is not an imperative",
    ]
