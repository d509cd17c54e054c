"""Parses YAML into a tree in which each value is text with its place.

Nothing is converted: `9:30` stays '9:30' and `NO` stays 'NO'. The tree is built from the parser's
events without recursion, so size, depth and time are bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from frontdesk.values import Frozen

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError

MOST_BYTES: Final = 100_000
MOST_DEPTH: Final = 12
MOST_PROBLEMS: Final = 20
#: The scanner needs quadratic time for many brackets in one line.
MOST_BRACKETS: Final = 150
_COLON: Final = re.compile(r"[ \t]*:")
_REMARK_IN_BRACKETS: Final = re.compile(
    r"^[^\n#'\"]{0,500}[{\[](?:[^\n#'\"\]}]{0,500}) (?P<comment>#\w)", re.MULTILINE
)
_TAB: Final = re.compile(r"^ *\t", re.MULTILINE)
_UNSEEN: Final = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
"""Compiled when the first text is read: it takes 5 ms, and few functions on AWS read YAML."""

#: Sentences for frequent errors of the parser, by a part of its own words.
_PLAIN: Final = (
    (
        "mapping values are not allowed",
        "a text with a colon needs quotes, or the line above ends too early",
    ),
    ("could not find expected ':'", "a colon is missing after this key"),
    ("while scanning a quoted", "a quote is opened here and never closed"),
    ("<stream end>", "the file ends too early; close what is open here"),
    (
        "while parsing a flow sequence",
        "a list that opens with [ needs commas between its parts and a ] at its end",
    ),
    (
        "while parsing a flow mapping",
        "a group that opens with { needs commas between its parts and a } at its end",
    ),
    ("while parsing a block mapping", "the keys of one group must start in the same column"),
    ("while parsing a block collection", "the dashes of one list must start in the same column"),
    ("cannot start any token", "this sign cannot start a text; put the text into quotes"),
    (
        "expected <document start>",
        "this does not belong to what is above it; look at the indentation",
    ),
    ("sequence entries are not allowed", "a list with dashes starts on a line of its own"),
)


class YamlProblem(Frozen):
    """An error in a file. Lines and columns count from 1."""

    line: int
    column: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class YamlText(Frozen):
    """A scalar as it is written, without its quotes."""

    text: str
    line: int
    column: int
    start: int
    end: int
    """Its place in the file, from `start` up to, not including, `end`, with its quotes."""
    is_quoted: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.is_quoted


class YamlPair(Frozen):
    key: YamlText
    value: YamlNode


class YamlMap(Frozen):
    pairs: tuple[YamlPair, ...]
    line: int
    column: int
    start: int
    end: int
    is_flow: bool

    def get(self, key: str) -> YamlNode | None:
        return next((one.value for one in self.pairs if one.key.text == key), None)


class YamlList(Frozen):
    items: tuple[YamlNode, ...]
    line: int
    column: int
    start: int
    end: int
    is_flow: bool


YamlNode = YamlText | YamlMap | YamlList


class YamlTree(Frozen):
    """A parsed file. `root` is None if it cannot be parsed, or is empty."""

    root: YamlNode | None
    problems: tuple[YamlProblem, ...] = ()


def parse_yaml(text: str) -> YamlTree:
    """Never raises: everything that is wrong is a problem with its place."""
    from ruamel.yaml import YAML  # most functions on AWS read no YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if refused := _refused(text):
        return YamlTree(None, (refused,))
    builder = _Builder(text)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            if not builder.take(event):
                break
    except MarkedYAMLError as error:
        builder.problems.append(_unquoted_hash(text, error) or _explained(error))
        return YamlTree(None, tuple(builder.problems))
    except (YAMLError, ValueError):
        why = "this cannot be read as YAML; look for a value without quotes that needs them"
        return YamlTree(None, (*builder.problems, YamlProblem(1, 1, why)))
    return YamlTree(builder.root, tuple(builder.problems))


def _refused(text: str) -> YamlProblem | None:
    """Checks the text before the parser, which would be slow or unclear about these."""
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        return YamlProblem(1, 1, f"the file is too long; it has at most {MOST_BYTES:,} bytes")
    if tab := _TAB.search(text):
        return _at(text, tab.end() - 1, "this line is indented with a tab; write spaces instead")
    if unseen := re.search(_UNSEEN, text):
        return _at(text, unseen.start(), "there is an invisible character; delete it")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count("[") + line.count("{") > MOST_BRACKETS:
            return YamlProblem(number, 1, "there are too many brackets in this line")
    return None


def _at(text: str, index: int, why: str) -> YamlProblem:
    before = text[:index]
    return YamlProblem(before.count("\n") + 1, index - before.rfind("\n"), why)


def _unquoted_hash(text: str, error: MarkedYAMLError) -> YamlProblem | None:
    """A text such as #3366cc inside brackets. YAML reads it as a comment up to the line's end."""
    is_open = "flow" in (error.context or "")
    found = _REMARK_IN_BRACKETS.search(text) if is_open else None
    why = "a # behind a space begins a comment; put the text into quotes"
    return _at(text, found.start("comment"), why) if found else None


def _explained(error: MarkedYAMLError) -> YamlProblem:
    """The parser's error in plain words, at the place where somebody has to look."""
    text = f"{error.context or ''} {error.problem or ''}"
    why = next(
        (plain for part, plain in _PLAIN if part in text), f"this is not YAML: {text.strip()}"
    )
    starts_there = any(part in text for part in ("quoted", "flow", "simple key"))
    mark = (error.context_mark if starts_there else None) or error.problem_mark
    return YamlProblem(mark.line + 1, mark.column + 1, why) if mark else YamlProblem(1, 1, why)


def _kind(event: Any) -> str:
    """The name of an event's class, which the parser gives: 'Scalar', 'MappingStart'."""
    return type(event).__name__.removesuffix("Event")


class _Open:
    """A map or list that is not complete yet."""

    def __init__(self, event: Any) -> None:
        self.start, self.is_flow = event.start_mark, bool(event.flow_style)
        self.is_map = _kind(event) == "MappingStart"
        self.key: YamlText | None = None
        self.has_key = False
        self.pairs: list[YamlPair] = []
        self.items: list[YamlNode] = []
        self.seen: set[str] = set()

    def closed(self, end: int) -> YamlMap | YamlList:
        """A block ends with its last part: comments below it belong to what follows."""
        if not self.is_flow:
            last = self.pairs[-1].value if self.pairs else self.items[-1] if self.items else None
            end = last.end if last else self.start.index
        mark = self.start
        if self.is_map:
            parts = tuple(self.pairs)
            return YamlMap(parts, mark.line + 1, mark.column + 1, mark.index, end, self.is_flow)
        items = tuple(self.items)
        return YamlList(items, mark.line + 1, mark.column + 1, mark.index, end, self.is_flow)


class _Builder:
    """Builds the tree from events."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack: list[_Open] = []
        self._documents = 0
        self.root: YamlNode | None = None
        self.problems: list[YamlProblem] = []

    def take(self, event: Any) -> bool:
        """Takes one event; returns whether to go on."""
        if getattr(event, "anchor", None) is not None:
            what = "*" if _kind(event) == "Alias" else "&"
            self._add(event, f"names with {what} are not used here; write the value itself")
        if getattr(event, "tag", None) is not None:
            self._add(event, "tags with ! are not used here; write the value itself")
        match _kind(event):
            case "DocumentStart":
                return self._start(event)
            case "MappingStart" | "SequenceStart":
                self._stack.append(_Open(event))
                return self._is_shallow(event)
            case "Scalar" | "Alias":
                self._put(self._scalar(event))
            case "MappingEnd" | "SequenceEnd":
                self._put(self._stack.pop().closed(event.end_mark.index))
            case _:
                pass
        return True

    def _start(self, event: Any) -> bool:
        self._documents += 1
        if event.version or event.tags:
            self._add(event, "lines with % are not used here; delete this one")
        if self._documents > 1:
            self._add(event, "the file has one part only; delete the line ---")
        return self._documents == 1

    def _is_shallow(self, event: Any) -> bool:
        if len(self._stack) > MOST_DEPTH:
            self._add(event, "this is nested too deeply")
            self.root = None
            return False
        return True

    def _scalar(self, event: Any) -> YamlText:
        mark, end = event.start_mark, event.end_mark.index
        text = event.value if _kind(event) == "Scalar" else ""
        is_quoted = getattr(event, "style", None) is not None
        start, line, column = mark.index, mark.line + 1, mark.column + 1
        key = self._stack[-1].key if self._stack else None
        if start == end and key is not None:  # nothing is written: its place is after the colon
            colon = _COLON.match(self._text, key.end)
            start = end = colon.end() if colon else key.end
            line, column = key.line, key.column
        return YamlText(text, line, column, start, end, is_quoted)

    def _put(self, node: YamlNode) -> None:
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        if not top.is_map:
            top.items.append(node)
        elif not top.has_key:
            top.has_key = True
            top.key = node if isinstance(node, YamlText) else None
            if top.key is None:
                self._add_at(node, "a key is one word or text")
        else:
            self._pair(top, node)

    def _pair(self, top: _Open, value: YamlNode) -> None:
        key, top.key, top.has_key = top.key, None, False
        if key is None:
            return
        if key.text in top.seen:
            self._add_at(key, f'"{short(key.text)}" is there twice; delete one of them')
            return
        top.seen.add(key.text)
        top.pairs.append(YamlPair(key, value))

    def _add(self, event: Any, why: str) -> None:
        mark = event.start_mark
        self._append(YamlProblem(mark.line + 1, mark.column + 1, why))

    def _add_at(self, node: YamlNode, why: str) -> None:
        self._append(YamlProblem(node.line, node.column, why))

    def _append(self, problem: YamlProblem) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def short(text: str, most: int = 40) -> str:
    """The text on one line, cut off after this many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
