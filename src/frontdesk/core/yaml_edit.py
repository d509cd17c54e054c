"""Edits YAML text in place: everything that an edit does not name stays as it was written.

An edit is a splice at the place of a node, so comments, order, quotes and layout stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from frontdesk.core.yaml_tree import (
    YamlList,
    YamlMap,
    YamlNode,
    YamlPair,
    YamlText,
    parse_yaml,
)

Path = Sequence[str]
"""The keys from the root to a value."""

#: Text that means itself inside of `{…}` and `[…]`, without quotes.
_PLAIN: Final = re.compile(r"[^\W_](?:[\w .+/&()'’-]*[\w.+/&()'’])?")


class CannotEdit(Exception):
    """The text cannot be edited in place; the text of the exception says why."""


def plain(text: str) -> str:
    """The text as a YAML scalar, in quotes if it needs them."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def find(text: str, path: Path) -> YamlNode | None:
    node = _root(text)
    for key in path:
        pair = _pair(node, key)
        if pair is None:
            return None
        node = pair.value
    return node


def put(text: str, path: Path, value: str) -> str:
    """Sets the value of a key. Adds the key, and the groups above it, if they are missing."""
    *above, key = path
    group = find(text, above)
    if group is None:
        return put(text, above, f"{{{plain(key)}: {value}}}")
    pair = _pair(group, key)
    if pair is None:
        return _add_pair(text, above, group, key, value)
    old = pair.value
    if isinstance(old, YamlText) and old.is_empty:
        return _splice(text, old.start, old.end, f" {value}")
    return _splice(text, old.start, _end(text, old), value)


def rename(text: str, path: Path, key: str) -> str:
    *above, name = path
    pair = _pair(find(text, above), name)
    if pair is None:
        raise CannotEdit(f"there is no {name}")
    return _splice(text, pair.key.start, pair.key.end, plain(key))


def remove(text: str, path: Path) -> str:
    """Removes a key with its value, if it is there."""
    *above, key = path
    group = find(text, above)
    if not isinstance(group, YamlMap) or (pair := _pair(group, key)) is None:
        return text
    end = _end(text, pair.value)
    if group.is_flow:
        spans = [(each.key.start, _end(text, each.value)) for each in group.pairs]
        return _splice(text, *_part_span(spans, group.pairs.index(pair)), "")
    start = text.rfind("\n", 0, pair.key.start) + 1
    if text[start : pair.key.start].strip():
        raise CannotEdit(f"{key} is not on a line of its own")
    return text[:start] + text[_line_end(text, max(end, pair.key.end)) + 1 :]


def append(text: str, path: Path, item: str) -> str:
    """Adds an item to the end of a list. A single value becomes a list of both."""
    node = find(text, path)
    if node is None:
        return put(text, path, f"[{item}]")
    if isinstance(node, YamlList):
        if node.is_flow:
            last = _end(text, node.items[-1]) if node.items else node.start + 1
            return _splice(text, last, last, f"{', ' if node.items else ''}{item}")
        at = _line_end(text, _end(text, node))
        return _new_line(text, at, f"{' ' * (node.column - 1)}- {item}")
    if isinstance(node, YamlText) and node.is_empty:
        return put(text, path, f"[{item}]")
    old = text[node.start : _end(text, node)]
    if isinstance(node, YamlMap) and not node.is_flow:
        raise CannotEdit(f"{path[-1]} is one group on lines of its own; write it as a list")
    return _splice(text, node.start, _end(text, node), f"[{old}, {item}]")


def edit_items(text: str, paths: Iterable[Path], change: Callable[[str], str | None]) -> str:
    """Changes the texts of lists: `change` returns the new text, or None to remove the item.

    Finds all lists before it changes the text, so that the text is parsed only once.
    """
    splices = [each for path in paths for each in _item_splices(text, path, change)]
    for start, end, new in sorted(splices, reverse=True):
        text = _splice(text, start, end, new)
    return text


def _item_splices(
    text: str, path: Path, change: Callable[[str], str | None]
) -> Iterator[tuple[int, int, str]]:
    node = find(text, path)
    items = node.items if isinstance(node, YamlList) else (node,) if node else ()
    texts = [(each, change(each.text)) for each in items if isinstance(each, YamlText)]
    removed = [each for each, new in texts if new is None]
    if len(removed) > 1 or (removed and len(items) == 1):
        left = [plain(new) for _, new in texts if new is not None]
        assert node is not None, "it has items"
        yield node.start, _end(text, node), f"[{', '.join(left)}]"
        return
    for item, new in texts:
        if new is None:
            yield (*_item_span(text, node, item), "")
        elif new != item.text:
            yield item.start, item.end, plain(new)


def _item_span(text: str, node: YamlNode | None, item: YamlText) -> tuple[int, int]:
    """The place of an item with its comma, or with its line."""
    assert isinstance(node, YamlList), "one of several items"
    if node.is_flow:
        spans = [(each.start, _end(text, each)) for each in node.items]
        return _part_span(spans, node.items.index(item))
    start = text.rfind("\n", 0, item.start) + 1
    if text[start : item.start].strip() != "-":
        raise CannotEdit(f"{item.text} is not on a line of its own")
    return start, _line_end(text, item.end) + 1


@lru_cache(maxsize=4)
def _root(text: str) -> YamlNode:
    tree = parse_yaml(text)
    if tree.problems:
        raise CannotEdit(str(tree.problems[0]))
    if tree.root is None or (isinstance(tree.root, YamlText) and tree.root.is_empty):
        return YamlMap((), 1, 1, 0, 0, False)
    return tree.root


def _pair(node: YamlNode | None, key: str) -> YamlPair | None:
    """Finds a pair by its key, ignoring case and spaces."""
    if not isinstance(node, YamlMap):
        return None
    exact = (one for one in node.pairs if one.key.text == key)
    folded = (one for one in node.pairs if _folded(one.key.text) == _folded(key))
    return next(exact, None) or next(folded, None)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _add_pair(text: str, above: Path, group: YamlNode, key: str, value: str) -> str:
    pair = f"{plain(key)}: {value}"
    if isinstance(group, YamlText) and group.is_empty:
        parent = find(text, above[:-1])
        if not isinstance(parent, YamlMap) or parent.is_flow:
            return _splice(text, group.start, group.end, f" {{{pair}}}")
        indent = " " * (parent.column + 1)
        return _new_line(text, _line_end(text, group.end), f"{indent}{pair}")
    if not isinstance(group, YamlMap):
        raise CannotEdit(f"{above[-1] if above else 'the file'} has no keys")
    if group.is_flow:
        last = _end(text, group.pairs[-1].value) if group.pairs else group.start + 1
        return _splice(text, last, last, f"{', ' if group.pairs else ''}{pair}")
    if not group.pairs:
        return _new_line(text, len(text.rstrip()), pair) if text.strip() else f"{pair}\n"
    last_pair = group.pairs[-1]
    at = _line_end(text, max(_end(text, last_pair.value), last_pair.key.end))
    return _new_line(text, at, f"{' ' * (group.column - 1)}{pair}")


def _end(text: str, node: YamlNode) -> int:
    """The end of a node without the empty lines that belong to a text of several lines."""
    if isinstance(node, YamlText) and not node.is_empty:
        return node.start + len(text[node.start : node.end].rstrip())
    if isinstance(node, YamlMap) and not node.is_flow and node.pairs:
        return max(_end(text, node.pairs[-1].value), node.pairs[-1].key.end)
    if isinstance(node, YamlList) and not node.is_flow and node.items:
        return _end(text, node.items[-1])
    return node.end


def _line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    return len(text) if found < 0 else found


def _new_line(text: str, at: int, line: str) -> str:
    """Adds a line after the line that ends at `at`."""
    is_crlf = text[at - 1 : at] == "\r"
    before = text[: at - 1] if is_crlf else text[:at]
    rest = text[at - 1 :] if is_crlf else text[at:]
    return f"{before}{chr(13) if is_crlf else ''}\n{line}{rest or chr(10)}"


def _splice(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _part_span(spans: Sequence[tuple[int, int]], index: int) -> tuple[int, int]:
    """The place of one part of a flow list or group, with its comma."""
    start, end = spans[index]
    if index + 1 < len(spans):
        return start, spans[index + 1][0]
    return (spans[index - 1][1], end) if index else (start, end)
