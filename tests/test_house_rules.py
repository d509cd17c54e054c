"""The rules about names, docstrings and commits detect violations."""

from pathlib import Path

import pytest

from script.commit_subjects import is_imperative, wrong
from script.house_rules import (
    banned_modules,
    headless_docs,
    headless_sentences,
    links,
    lonely_modules,
    shared_class_names,
)


def test_a_committed_link_is_named() -> None:
    staged = "100644 8baef1b 0\tREADME.md\n120000 1f7a7a4 0\t.venv-emulator\n"

    assert list(links(staged)) == [".venv-emulator: is a symbolic link"]


def test_a_module_whose_name_says_nothing_is_named() -> None:
    files = {Path("src/frontdesk/utils.py"): "", Path("src/frontdesk/rows.py"): ""}

    assert list(banned_modules(files)) == [
        "src/frontdesk/utils.py: 'utils' does not say what is in it"
    ]


@pytest.mark.parametrize("name", ["asked", "mail_said", "doors", "letters", "works", "way_out"])
def test_a_word_that_says_nothing_is_noticed_alone_and_in_a_name(name: str) -> None:
    files = {Path(f"src/frontdesk/{name}.py"): "", Path("src/frontdesk/dead_letters.py"): ""}

    assert list(banned_modules(files)) == [
        f"src/frontdesk/{name}.py: '{name}' does not say what is in it"
    ]


def test_a_class_name_has_one_meaning_except_in_the_same_module_of_desks_or_stores() -> None:
    files = {
        Path("src/frontdesk/desks/rsvp/model.py"): "class Offer: pass\nclass Place: pass\n",
        Path("src/frontdesk/desks/waitlist/model.py"): "class Offer: pass\n",
        Path("src/frontdesk/desks/rsvp/offer_facts.py"): "class Freed: pass\n",
        Path("src/frontdesk/desks/waitlist/facts.py"): "class Freed: pass\n",
        Path("src/frontdesk/store/sqlite/rows.py"): "class Row: pass\nclass _Row: pass\n",
        Path("src/frontdesk/store/dynamodb/rows.py"): "class Row: pass\n",
        Path("src/frontdesk/web/rows.py"): "class Place: pass\nclass _Row: pass\n",
        Path("src/frontdesk/web/more.py"): "class Offer(model.Offer): pass\n",
    }
    both = "src/frontdesk/desks/rsvp/model.py, src/frontdesk/web/rows.py"

    assert list(shared_class_names(files)) == [f"{both}: 'Place' has two meanings"]
    assert list(shared_class_names(files, shared={"Place"})) == []


@pytest.mark.parametrize("other", ["rsvp/commands", "waitlist/board"])
def test_two_modules_of_desks_do_not_share_a_class_name(other: str) -> None:
    both = ("src/frontdesk/desks/rsvp/model.py", f"src/frontdesk/desks/{other}.py")
    files = {Path(path): "class Move: pass\n" for path in both}

    assert list(shared_class_names(files)) == [f"{', '.join(both)}: 'Move' has two meanings"]


def test_a_sentence_without_a_subject_is_found_in_docstrings_and_comments() -> None:
    text = (
        '"""Maps rows."""\n'
        'def one():\n    """What is left."""\n'
        'def two():\n    """Who asks?"""\n'
        'def three():\n    """Returns a row. Who\n    waits gets it. More."""\n'
        "#: The rows.\n#: What they\n#: have is text.\nROWS = 'What is left.'\n"
    )

    assert list(headless_sentences({Path("src/frontdesk/rows.py"): text})) == [
        "src/frontdesk/rows.py: a sentence without a subject: 'What is left'",
        "src/frontdesk/rows.py: a sentence without a subject: 'Who waits gets it'",
        "src/frontdesk/rows.py: a sentence without a subject: 'What they have is text'",
    ]


def test_a_sentence_without_a_subject_is_found_in_the_documentation() -> None:
    text = (
        "# Who may sign in\n\nWho waits, asks. **Whoever** asks\nis told.\n\n"
        "| a | Whom it suits gets it |\n**Texts.** Who has one, answers.\n\n"
        "- Who is asked?\n```\nWho reads this?\n```\n"
    )
    found = [each.partition(": '")[2] for each in headless_docs({Path("docs/a.md"): text})]

    assert found == [
        "Who waits, asks'",
        "**Whoever** asks is told'",
        "Whom it suits gets it'",
        "Who has one, answers'",
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
def test_imperatives_are_recognised(word: str) -> None:
    assert is_imperative(word)


@pytest.mark.parametrize("word", ["adds", "added", "adding", "the", "nobody", "who"])
def test_a_subject_that_is_no_imperative_is_found(word: str) -> None:
    assert not is_imperative(word)


def test_a_subject_names_its_part_and_what_it_changes() -> None:
    assert list(wrong(["rsvp: offer a seat", "web, store: rename the reader"])) == []
    assert list(wrong(["Offer a seat", "rsvp: who waits is offered a seat"])) == [
        "'Offer a seat': begin with the part and a colon, like 'rsvp: offer a seat'",
        "'rsvp: who waits is offered a seat': 'who' is not an imperative",
    ]
