"""Any text gives rules or errors, in bounded time."""

from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.yaml_tree import MOST_BYTES, MOST_PROBLEMS
from frontdesk.desks.booking.rules_file.parser import ParsedRules, parse_rules
from frontdesk.desks.booking.rules_file.schema import FILE, SECTIONS

SALON = (Path(__file__).parent / "salon.yml").read_text()
WORDS = [
    *(key.name for section in SECTIONS for key in section.keys),
    *(key.example for key in FILE.keys),
    *("mon", "9:00-17:00", "NO", "9:30", "~", "null", "1e9", "0x1F", "2026-12-24", "*a", "&a x"),
    *("!!binary x", "<<", "[]", "{}", "|", ">", "? ", "- ", "---", "...", "%TAG", "'", '"'),
]
PIECES = st.sampled_from([*WORDS, ": ", ", ", "\n", "\n  ", "{", "}", "[", "]", "#", "\t", "\x85"])
SNIPPETS = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map("".join)


def check(text: str) -> ParsedRules:
    parsed = parse_rules(text)
    assert (parsed.rules is None) == bool(parsed.problems)
    assert len(parsed.problems) <= MOST_PROBLEMS
    lines = len(text.splitlines()) + 1
    for each in parsed.problems:
        assert 1 <= each.line <= lines
        assert each.column >= 1
        assert len(each.why) < 500
    return parsed


@pytest.mark.spec("BK-08")
@settings(deadline=None, max_examples=150)
@given(SNIPPETS)
def test_random_text_is_answered(text: str) -> None:
    check(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = SALON
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 2, 5, 30])))
        text = text[:start] + draw(SNIPPETS.map(lambda each: each[:20])) + text[end:]
    return text


@pytest.mark.spec("BK-08")
@settings(deadline=None, max_examples=100)
@given(mutated())
def test_a_good_file_with_random_mistakes_is_answered(text: str) -> None:
    check(text)


SCALARS = st.one_of(st.text(max_size=10), st.sampled_from(WORDS), st.integers().map(str))
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
    ),
    max_leaves=12,
)


def flow(tree: object) -> str:
    if isinstance(tree, dict):
        return f"{{{', '.join(f'{quoted(key)}: {flow(each)}' for key, each in tree.items())}}}"
    if isinstance(tree, list):
        return f"[{', '.join(map(flow, tree))}]"
    return quoted(str(tree))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.spec("BK-08")
@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from([key.name for key in FILE.keys]), TREES, max_size=4))
def test_any_tree_under_the_known_keys_is_answered(tree: dict[str, object]) -> None:
    check("".join(f"{key}: {flow(each)}\n" for key, each in tree.items()))


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(
    "text",
    [
        "[" * MOST_BYTES,
        ("[" * 150 + "\n") * 600,
        "a: " * 30_000,
        "- " * 49_000,
        "? " * 49_000,
        "a:\n" * 33_000,
        "'" * MOST_BYTES,
        "x" * MOST_BYTES,
        "x" * 1_000_000,
        "".join(f"x{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 3_000)),
        "services:\n" + "".join(f"  s{n}: {{minutes: 5}}\n" for n in range(5_000)),
        "hours: {mon: " + "9:00-10:00 " * 9_000 + "}",
        "tone: " + "a b " * 24_000,
        "closed: [" + "2026-01-01, \n" * 7_000 + "]",
        "staff: {a: {away: [" + "{on: 2026-01-01..2028-12-31, hours: 9-10}, \n" * 199 + "]}}",
    ],
    ids=lambda text: f"{text[:12]!r} {len(text)}",
)
def test_a_hostile_file_is_answered_within_seconds(text: str) -> None:
    began = perf_counter()
    parsed = check(text)
    assert parsed.rules is None
    assert perf_counter() - began < 20, "bounded; usually below two seconds"
